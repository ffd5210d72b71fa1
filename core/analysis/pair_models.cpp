#include "core/analysis/pair_models.h"

#include <cmath>

#include "core/analysis/binned_queries.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

// Rows of `used` as a dense block, [used, padded columns], zeros behind the columns.
Matrix paddedRows(const Matrix& values) {
  Matrix padded = Matrix::Zero(values.rows(), paddedLength(values.cols()));
  padded.leftCols(values.cols()) = values;
  return padded;
}

// A pair with v <= 1e-24 |delta|^2 q2 has no spread that rounding would not explain.
class DegenerateTest {
 public:
  DegenerateTest(const Matrix& plain, std::span<const std::int64_t> used, double meanSquare)
      : m_plain(plain), m_used(used), m_meanSquare(meanSquare) {
    double largest = 0;
    for (const std::int64_t key : used) largest = std::max(largest, plain.row(key).squaredNorm());
    m_safe = 1e-24 * 4 * largest * meanSquare;  // |delta|^2 <= 4 max |k|^2
  }
  bool operator()(const LocalPair& pair, double variance) const {
    if (variance > m_safe && std::isfinite(variance)) return false;
    return !std::isfinite(variance) || !(variance > 1e-24 * squaredDistance(pair) * m_meanSquare);
  }
  bool sameKeys(const LocalPair& pair) const { return squaredDistance(pair) == 0; }

 private:
  double squaredDistance(const LocalPair& pair) const {
    return (m_plain.row(m_used[static_cast<std::size_t>(pair.first)]) -
            m_plain.row(m_used[static_cast<std::size_t>(pair.second)]))
        .squaredNorm();
  }
  const Matrix& m_plain;
  std::span<const std::int64_t> m_used;
  double m_meanSquare, m_safe;
};

// thesis and full: every key has a score (its expected q.k) and whitened coordinates in which the squared
// distance of two keys is the variance of q.(k_i - k_j).
class GaussianModel : public PairModel {
 public:
  GaussianModel(const Matrix& whitened, Vector score, DegenerateTest degenerate)
      : m_whitened(paddedRows(whitened)), m_score(std::move(score)), m_degenerate(degenerate) {}

  void evaluate(std::span<const LocalPair> pairs, double* pp) override {
    m_variance.resize(pairs.size());
    m_mean.resize(pairs.size());
    squaredDistances(m_whitened.data(), m_whitened.cols(), pairs, m_variance.data());
    for (std::size_t p = 0; p < pairs.size(); ++p)
      m_mean[p] = m_score[pairs[p].first] - m_score[pairs[p].second];
    plasticityOfPairs(m_mean.data(), m_variance.data(), pp, pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (m_degenerate(pairs[p], m_variance[p])) pp[p] = kMissing;
    }
  }

 private:
  Matrix m_whitened;
  Vector m_score;
  DegenerateTest m_degenerate;
  std::vector<double> m_variance, m_mean;
};

// empirical: counts the queries that prefer the first key.
class CountingModel : public PairModel {
 public:
  CountingModel(const Matrix& scores, DegenerateTest degenerate)
      : m_queries(scores.cols()), m_scores(paddedRows(scores)), m_degenerate(degenerate) {}

  void evaluate(std::span<const LocalPair> pairs, double* pp) override {
    countPreferences(m_scores.data(), m_scores.cols(), m_queries, pairs, pp);
    const auto n = static_cast<double>(m_queries);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double share = pp[p] / n;
      const bool same = 2 * pp[p] == n && m_degenerate.sameKeys(pairs[p]);
      pp[p] = same ? kMissing : 4 * share * (1 - share) * n / (n - 1);
    }
  }

 private:
  std::ptrdiff_t m_queries;
  Matrix m_scores;  // [used, queries]: q_n . k
  DegenerateTest m_degenerate;
};

using Used = std::span<const std::int64_t>;

std::unique_ptr<PairModel> makeThesis(const BinQueries& queries, const KeySides& keys, Used used) {
  Vector weight = queries.drift.mean, spread = queries.drift.variance;
  weight[0] = queries.drift.onDrift;
  spread[0] = queries.driftVariance;
  const Matrix block = gatheredRows(*keys.reflected, used);
  return std::make_unique<GaussianModel>(block * spread.cwiseSqrt().asDiagonal(), block * weight,
                                         DegenerateTest(*keys.plain, used, queries.meanSquare));
}

std::unique_ptr<PairModel> makeFull(const BinQueries& queries, const KeySides& keys, Used used) {
  const Matrix block = gatheredRows(*keys.plain, used);
  const Vector mean = queries.rows.colwise().mean().transpose();
  const Matrix centred = queries.rows.rowwise() - mean.transpose();
  const double scale = 1 / std::sqrt(static_cast<double>(queries.rows.rows() - 1));
  return std::make_unique<GaussianModel>(block * centred.transpose() * scale, block * mean,
                                         DegenerateTest(*keys.plain, used, queries.meanSquare));
}

std::unique_ptr<PairModel> makeEmpirical(const BinQueries& queries, const KeySides& keys, Used used) {
  const Matrix block = gatheredRows(*keys.plain, used);
  return std::make_unique<CountingModel>(block * queries.rows.transpose(),
                                         DegenerateTest(*keys.plain, used, queries.meanSquare));
}

struct PairModelEntry {
  const char* variance;
  std::unique_ptr<PairModel> (*make)(const BinQueries&, const KeySides&, Used);
};
constexpr PairModelEntry kPairModels[] = {
    {"thesis", makeThesis},
    {"full", makeFull},
    {"empirical", makeEmpirical},
};

}  // namespace

std::unique_ptr<PairModel> makePairModel(const std::string& variance, const BinQueries& queries,
                                         const KeySides& keys, std::span<const std::int64_t> used) {
  for (const PairModelEntry& entry : kPairModels) {
    if (variance == entry.variance) return entry.make(queries, keys, used);
  }
  throw UsageError("variance \"" + variance + "\" is not known: expected thesis, full or empirical");
}

}  // namespace plastiscope
