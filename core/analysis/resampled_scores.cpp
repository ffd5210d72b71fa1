#include "core/analysis/resampled_plasticity.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/matrix_kernels.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostScores = 1 << 20;   // doubles of a block of scores, and of its products
constexpr std::int64_t kMostBlockPairs = 1024;  // of a block

// What is scored of a bin.
struct BinToScore {
  std::span<const std::int64_t> rows;  // of queries
  const UsedKeys& used;
  std::vector<std::size_t> valid;  // resamples in which it is valid
};

// One bin: its queries once each, with their weights in the resamples in which it is valid.
class ScoredBin {
 public:
  ScoredBin(const PlasticityInput& input, const Resamples& resamples, BinToScore bin, bool counts);
  // Sums of weight * PP and of weights over a block of pairs, one entry a valid resample.
  void addBlock(std::span<const KeyPair> block, const ResampledPairs& pairs, Vector& sums, Vector& weights);
  std::int64_t blockLength() const;
  const std::vector<std::size_t>& valid() const { return m_valid; }

 private:
  void fillScores(std::span<const KeyPair> block);
  double varianceAgain(Eigen::Index pair, Eigen::Index r) const;
  void fillPlasticity(Eigen::Index r, Eigen::Index pairs);

  const Resamples& m_resamples;
  std::vector<std::size_t> m_valid;
  bool m_counts;  // empirical
  Matrix m_keys;  // [used keys, head_dim]
  std::vector<std::int32_t> m_localOf;
  Matrix m_keyScores;        // [used keys, queries]
  Matrix m_weights;          // [queries, padded resamples]
  Vector m_n, m_meanSquare;  // [resamples] queries with repeats; mean of |q|^2
  Matrix m_scores, m_squares, m_first, m_second;
  Vector m_centre, m_spread, m_distance;  // [pairs] of the block, over the queries once each
  Vector m_mean, m_variance, m_pp;
};

ScoredBin::ScoredBin(const PlasticityInput& input, const Resamples& resamples, BinToScore bin, bool counts)
    : m_resamples(resamples),
      m_valid(std::move(bin.valid)),
      m_counts(counts),
      m_localOf(input.keyOrder.row.size()) {
  std::vector<std::int64_t> stored;
  for (std::size_t i = 0; i < bin.used.rows.size(); ++i) {
    const auto key = static_cast<std::size_t>(bin.used.rows[i]);
    m_localOf[key] = static_cast<std::int32_t>(i);
    stored.push_back(input.keyOrder.row[key]);
  }
  m_keys = gatheredRows(input.key.vectors, stored);
  const Matrix queries = gatheredRows(input.query.vectors, bin.rows);
  m_keyScores = m_keys * queries.transpose();
  const auto count = static_cast<Eigen::Index>(m_valid.size());
  m_weights = Matrix::Zero(queries.rows(), productRows(count));
  m_n = m_meanSquare = Vector::Zero(count);
  for (Eigen::Index q = 0; q < queries.rows(); ++q) {
    const auto example = static_cast<std::size_t>(
        input.query.example[static_cast<std::size_t>(bin.rows[static_cast<std::size_t>(q)])]);
    const double square = queries.row(q).squaredNorm();
    for (Eigen::Index r = 0; r < count; ++r) {
      const double weight = resamples.times[m_valid[static_cast<std::size_t>(r)]][example];
      m_weights(q, r) = weight;
      m_n[r] += weight;
      m_meanSquare[r] += weight * square;
    }
  }
  m_meanSquare = m_meanSquare.cwiseQuotient(m_n);
}

std::int64_t ScoredBin::blockLength() const {
  const std::int64_t widest = std::max(m_weights.rows(), m_weights.cols());
  return std::clamp(kMostScores / widest, std::int64_t{kProductColumns}, kMostBlockPairs);
}

// Scores of every query (rows) for every pair (columns), around their mean, or who prefers the first key.
void ScoredBin::fillScores(std::span<const KeyPair> block) {
  const auto pairs = static_cast<Eigen::Index>(block.size());
  m_scores = Matrix::Zero(m_weights.rows(), productColumns(pairs));
  m_distance.resize(pairs);
  for (Eigen::Index p = 0; p < pairs; ++p) {
    const KeyPair& pair = block[static_cast<std::size_t>(p)];
    const auto first = m_localOf[static_cast<std::size_t>(pair.first)];
    const auto second = m_localOf[static_cast<std::size_t>(pair.second)];
    m_scores.col(p) = m_keyScores.row(first) - m_keyScores.row(second);
    m_distance[p] = (m_keys.row(first) - m_keys.row(second)).squaredNorm();
  }
  if (m_counts) {
    m_scores.leftCols(pairs) = m_scores.leftCols(pairs).unaryExpr([](double score) {
      return score > 0 ? 1.0 : score == 0 ? 0.5 : 0.0;
    });
    return;
  }
  m_centre = m_scores.colwise().mean().transpose();
  m_scores.rowwise() -= m_centre.transpose();
  m_squares = m_scores.cwiseAbs2();
  m_spread = m_squares.colwise().mean().transpose();
}

// Two passes, where the difference of two sums has lost its digits.
double ScoredBin::varianceAgain(Eigen::Index pair, Eigen::Index r) const {
  const double mean = m_first(r, pair) / m_n[r];
  double sum = 0;
  for (Eigen::Index q = 0; q < m_weights.rows(); ++q) {
    const double apart = m_scores(q, pair) - mean;
    sum += m_weights(q, r) * apart * apart;
  }
  return sum / (m_n[r] - 1);
}

void ScoredBin::fillPlasticity(Eigen::Index r, Eigen::Index pairs) {
  m_pp.resize(pairs);
  const double n = m_n[r];
  if (m_counts) {
    for (Eigen::Index p = 0; p < pairs; ++p) {
      const double share = m_first(r, p) / n;
      m_pp[p] = m_distance[p] == 0 ? kMissing : 4 * share * (1 - share) * n / (n - 1);
    }
    return;
  }
  m_mean.resize(pairs);
  m_variance.resize(pairs);
  for (Eigen::Index p = 0; p < pairs; ++p) {
    m_mean[p] = m_centre[p] + m_first(r, p) / n;
    m_variance[p] = (m_second(r, p) - m_first(r, p) * m_first(r, p) / n) / (n - 1);
    if (!(m_variance[p] > 1e-4 * m_spread[p])) m_variance[p] = varianceAgain(p, r);
  }
  plasticityOfPairs(m_mean.data(), m_variance.data(), m_pp.data(), static_cast<std::size_t>(pairs));
  for (Eigen::Index p = 0; p < pairs; ++p) {
    if (!std::isfinite(m_variance[p]) || !(m_variance[p] > 1e-24 * m_distance[p] * m_meanSquare[r]))
      m_pp[p] = kMissing;
  }
}

void ScoredBin::addBlock(std::span<const KeyPair> block, const ResampledPairs& pairs, Vector& sums,
                         Vector& weights) {
  fillScores(block);
  const Eigen::Index columns = m_scores.cols(), rows = m_weights.cols();
  m_first = Matrix::Zero(rows, columns);
  addProducts(blockOf(m_weights), blockOf(m_scores), m_first.data());
  if (!m_counts) {
    m_second = Matrix::Zero(rows, columns);
    addProducts(blockOf(m_weights), blockOf(m_squares), m_second.data());
  }
  for (std::size_t r = 0; r < m_valid.size(); ++r) {
    const auto row = static_cast<Eigen::Index>(r);
    fillPlasticity(row, static_cast<Eigen::Index>(block.size()));
    double sum = 0, total = 0;
    for (std::size_t p = 0; p < block.size(); ++p) {
      const double pp = m_pp[static_cast<Eigen::Index>(p)];
      if (std::isnan(pp)) continue;
      const auto weight = static_cast<double>(pairs.weightOf(block[p], m_resamples.times[m_valid[r]]));
      sum += weight * pp;
      total += weight;
    }
    sums[row] += sum;
    weights[row] += total;
  }
}

// The resamples in which a bin is valid.
std::vector<std::size_t> validResamples(const std::vector<std::vector<BinResult>>& all, std::size_t bin) {
  std::vector<std::size_t> valid;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r][bin].valid) valid.push_back(r);
  }
  return valid;
}

}  // namespace

void valueByScores(const PlasticityInput& input, const ResampledWork& work, const Resamples& resamples,
                   std::vector<std::vector<BinResult>>& all) {
  const BinnedQueries queries(input.query, input.grid);
  std::vector<KeyPair> buffer;
  for (std::int64_t b = 0; b < input.grid.bins(); ++b) {
    const auto bin = static_cast<std::size_t>(b);
    std::vector<std::size_t> valid = validResamples(all, bin);
    if (valid.empty()) continue;
    const ChosenPairs& chosen = work.pairs.chosen(b);
    ScoredBin scored(input, resamples, {queries.rowsOf(b), chosen.used, std::move(valid)},
                     work.settings.variance == "empirical");
    const auto count = static_cast<Eigen::Index>(scored.valid().size());
    Vector cells = Vector::Zero(count), means = Vector::Zero(count);
    for (const ChosenPart& part : chosen.parts) {
      Vector sums = Vector::Zero(count), weights = Vector::Zero(count);
      const std::int64_t length = scored.blockLength();
      for (std::int64_t next = 0; next < part.count; next += length) {
        work.progress.throwIfStopped();
        scored.addBlock(part.slice(next, std::min(length, part.count - next), buffer), work.pairs, sums,
                        weights);
      }
      for (Eigen::Index r = 0; r < count; ++r) {
        if (!(weights[r] > 0)) continue;
        means[r] += sums[r] / weights[r];
        cells[r] += 1;
      }
    }
    for (Eigen::Index r = 0; r < count; ++r) {
      BinResult& result = all[scored.valid()[static_cast<std::size_t>(r)]][bin];
      result.cells = static_cast<std::int64_t>(cells[r]);
      if (result.cells > 0) result.ap = means[r] / cells[r];
    }
  }
}

}  // namespace plastiscope
