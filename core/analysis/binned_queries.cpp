#include "core/analysis/binned_queries.h"

#include <numeric>

namespace plastiscope {

namespace {

// mu_b and s_b^2 (ddof 1) over the rows of a bin, two-pass.
void fillContent(BinDrift& drift, const Matrix& rows) {
  drift.mean = rows.colwise().mean().transpose();
  const Matrix centred = rows.rowwise() - drift.mean.transpose();
  drift.variance = centred.colwise().squaredNorm().transpose() / static_cast<double>(rows.rows() - 1);
}

// method.md 4.5, variance = global: coordinates 2..d have no slope, so the intercept is their mean; the
// residual variance has the divisor of sigma_pos^2 (own definition).
void fillGlobal(BinDrift& drift, const Matrix& rows) {
  drift.mean = rows.colwise().mean().transpose();
  const Matrix centred = rows.rowwise() - drift.mean.transpose();
  drift.variance = centred.colwise().squaredNorm().transpose() / static_cast<double>(rows.rows() - 2);
}

// Every valid bin gets the query-count weighted means of all of them.
void freezeContent(std::vector<BinDrift>& drifts, const BinnedQueries& binned,
                   const std::vector<DriftBin>& bins) {
  Vector mean, variance;
  double total = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (!bins[b].valid) continue;
    const auto n = static_cast<double>(binned.rowsOf(static_cast<std::int64_t>(b)).size());
    if (total == 0) mean = variance = Vector::Zero(drifts[b].mean.size());
    mean += n * drifts[b].mean;
    variance += n * drifts[b].variance;
    total += n;
  }
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (!bins[b].valid) continue;
    drifts[b].mean = mean / total;
    drifts[b].variance = variance / total;
  }
}

}  // namespace

BinnedQueries::BinnedQueries(const KindRows& query, const BinGrid& grid, std::span<const std::int32_t> times)
    : m_start(static_cast<std::size_t>(grid.bins()) + 1, 0) {
  const auto timesOf = [&](std::size_t i) { return times.empty() ? 1 : times[i]; };
  std::vector<std::size_t> bin;
  for (const std::int64_t t : query.position) bin.push_back(static_cast<std::size_t>(grid.binOf(t)));
  for (std::size_t i = 0; i < bin.size(); ++i) m_start[bin[i] + 1] += timesOf(i);
  std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
  std::vector<std::int64_t> next(m_start.begin(), m_start.end() - 1);
  m_row.resize(static_cast<std::size_t>(m_start.back()));
  for (std::size_t i = 0; i < bin.size(); ++i) {
    for (std::int32_t k = 0; k < timesOf(i); ++k)
      m_row[static_cast<std::size_t>(next[bin[i]]++)] = static_cast<std::int64_t>(i);
  }
}

std::span<const std::int64_t> BinnedQueries::rowsOf(std::int64_t bin) const {
  const auto b = static_cast<std::size_t>(bin);
  return std::span(m_row).subspan(static_cast<std::size_t>(m_start[b]),
                                  static_cast<std::size_t>(m_start[b + 1] - m_start[b]));
}

Matrix gatheredRows(const Matrix& rows, std::span<const std::int64_t> which) {
  Matrix block(static_cast<Eigen::Index>(which.size()), rows.cols());
  for (std::size_t i = 0; i < which.size(); ++i) block.row(static_cast<Eigen::Index>(i)) = rows.row(which[i]);
  return block;
}

std::vector<BinDrift> binDrifts(const KindRows& query, const QueryModel& model, const BinnedQueries& binned,
                                const std::vector<DriftBin>& bins, const DriftRule& rule) {
  BinDrift global;
  if (rule.global) fillGlobal(global, model.reflected(gatheredRows(query.vectors, binned.allRows())));
  std::vector<BinDrift> drifts(bins.size());
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (!bins[b].valid) continue;
    const double still = rule.fromStart ? 0 : model.meanT;
    const double position = rule.change == DriftChange::NoPosition ? still : bins[b].tau.value();
    if (rule.global) {
      drifts[b] = global;
    } else {
      const Matrix rows = gatheredRows(query.vectors, binned.rowsOf(static_cast<std::int64_t>(b)));
      fillContent(drifts[b], model.reflected(rows));
    }
    drifts[b].onDrift = model.alphaPosition + model.betaPosition * position;
  }
  if (rule.change == DriftChange::ContentFrozen) freezeContent(drifts, binned, bins);
  return drifts;
}

}  // namespace plastiscope
