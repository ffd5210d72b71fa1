#include "core/analysis/householder_head.h"

#include "core/analysis/matrix.h"
#include "core/analysis/row_kernels.h"

namespace plastiscope {

namespace {

// Reads the bins in order; the rows of a bin stay in the cache between the passes.
class ContentReader {
 public:
  ContentReader(const VectorRows& query, const QueryModel& model, const BinnedQueries& binned)
      : m_query(query), m_binned(binned), m_reflector(model.reflector), m_dim(query.headDim()) {
    m_length = paddedLength(m_dim);
    m_content.mean = model.reflected(Vector(model.alpha + model.beta * model.meanT));
    m_centre = padded(m_content.mean);
    m_powers = Matrix::Zero(3, m_length);
    m_content.drift.resize(binned.allRows().size());
  }
  QueryContent read(std::int64_t bins) {
    for (std::int64_t bin = 0; bin < bins; ++bin) readBin(m_binned.rowsOf(bin));
    m_content.powers = {static_cast<double>(m_content.drift.size()), m_powers.leftCols(m_dim)};
    return std::move(m_content);
  }

 private:
  void readBin(std::span<const std::int64_t> which) {
    const auto count = static_cast<std::ptrdiff_t>(which.size());
    const auto n = static_cast<double>(count);
    if (m_rows.size() < count * m_length) m_rows.resize(count * m_length);
    m_squares.resize(which.size());
    reflectRows(blockOf(m_query.vectors), which, {m_reflector.size() > 0 ? m_reflector.data() : nullptr},
                m_rows.data(), m_squares.data());
    const RowBlock reflected{m_rows.data(), m_length, count};
    Vector mean = Vector::Zero(m_length), variance = Vector::Zero(m_length);
    addColumnSums(reflected, mean.data());
    if (count > 0) mean /= n;
    addColumnSquares(reflected, mean.data(), variance.data());
    if (count > 1) variance /= n - 1;
    addColumnPowers(reflected, m_centre.data(), m_powers.data());
    for (std::ptrdiff_t i = 0; i < count; ++i) m_content.drift[m_next++] = m_rows[i * m_length];
    m_content.bins.push_back(
        {count, mean.head(m_dim), variance.head(m_dim), count > 0 ? sumOf(m_squares) / n : 0.0});
  }

  const VectorRows& m_query;
  const BinnedQueries& m_binned;
  const Vector& m_reflector;
  Eigen::Index m_dim, m_length, m_next = 0;
  Vector m_centre;
  Matrix m_powers;  // [3, length]
  Vector m_rows;    // rows of one bin, [rows, length]
  std::vector<double> m_squares;
  QueryContent m_content;
};

}  // namespace

QueryContent queryContentOf(const VectorRows& query, const QueryModel& model, const BinnedQueries& binned) {
  return ContentReader(query, model, binned).read(binned.bins());
}

// variance = global (method.md, Pair plasticity): coordinates 2..d have no slope, so the intercept is their
// mean; the residual variance has the divisor of sigma_pos^2.
BinDrifts::BinDrifts(const QueryContent& content, const QueryModel& model, const DriftRule& rule)
    : m_content(content), m_model(model), m_rule(rule) {
  if (!rule.global) return;
  m_mean = content.mean;
  m_variance = content.powers.sums.row(0).transpose() / (content.powers.rows - 2);
}

void BinDrifts::freezeOver(const std::vector<bool>& valid) {
  Vector mean = Vector::Zero(m_content.mean.size()), variance = mean;
  double total = 0;
  for (std::size_t b = 0; b < valid.size(); ++b) {
    if (!valid[b]) continue;
    const BinContent& bin = m_content.bins[b];
    const auto n = static_cast<double>(bin.rows);
    mean += n * bin.mean;
    variance += n * bin.variance;
    total += n;
  }
  if (total == 0) return;
  m_mean = mean / total;
  m_variance = variance / total;
}

BinDrift BinDrifts::of(std::int64_t bin, const Rational& tau) const {
  const double still = m_rule.fromStart ? 0 : m_model.meanT;
  const double position = m_rule.change == DriftChange::NoPosition ? still : tau.value();
  const double onDrift = m_model.alphaPosition + m_model.betaPosition * position;
  if (m_mean.size() > 0) return {onDrift, m_mean, m_variance};
  const BinContent& own = m_content.bins[bin];
  return {onDrift, own.mean, own.variance};
}

}  // namespace plastiscope
