#include "core/analysis/pair_models.h"

#include <cmath>

#include "core/analysis/binned_queries.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

// From so many pairs a key on it pays to work out every key's part beforehand.
constexpr std::int64_t kPairsPerKey = 8;

// Zeros behind the columns, up to the length that the kernels need.
Matrix padded(const Matrix& values) {
  Matrix result = Matrix::Zero(values.rows(), paddedLength(values.cols()));
  result.leftCols(values.cols()) = values;
  return result;
}

Vector padded(const Vector& values) {
  Vector result = Vector::Zero(paddedLength(values.size()));
  result.head(values.size()) = values;
  return result;
}

// A pair with v <= 1e-24 |delta|^2 q2 has no spread that rounding would not explain.
class DegenerateTest {
 public:
  DegenerateTest(const KeySides& keys, double meanSquare)
      : m_keys(keys), m_meanSquare(meanSquare), m_safe(1e-24 * 4 * keys.largestSquare * meanSquare) {}
  bool operator()(const KeyPair& pair, double variance) const {
    if (variance > m_safe && std::isfinite(variance)) return false;  // |delta|^2 <= 4 max |k|^2
    return !std::isfinite(variance) || !(variance > 1e-24 * squaredDistance(pair) * m_meanSquare);
  }
  bool sameKeys(const KeyPair& pair) const { return squaredDistance(pair) == 0; }

 private:
  double squaredDistance(const KeyPair& pair) const {
    // A reflection changes no distance, and equal keys stay equal.
    return (m_keys.reflected.row(pair.first) - m_keys.reflected.row(pair.second)).squaredNorm();
  }
  const KeySides& m_keys;
  double m_meanSquare, m_safe;
};

// Used keys as consecutive rows.
class LocalKeys {
 public:
  LocalKeys(const UsedKeys& used, std::int64_t keys)
      : m_used(used.rows), m_localOf(static_cast<std::size_t>(keys)) {
    for (std::size_t i = 0; i < m_used.size(); ++i) {
      m_localOf[static_cast<std::size_t>(m_used[i])] = static_cast<std::int32_t>(i);
    }
  }
  Matrix reflected(const KeySides& keys, Eigen::Index dim) const {
    Matrix block(static_cast<Eigen::Index>(m_used.size()), dim);
    for (std::size_t i = 0; i < m_used.size(); ++i) {
      block.row(static_cast<Eigen::Index>(i)) = keys.reflected.row(m_used[i]).head(dim);
    }
    return block;
  }
  Matrix asCaptured(const KeySides& keys) const {
    std::vector<std::int64_t> rows;
    for (const std::int32_t key : m_used) rows.push_back((*keys.order)[static_cast<std::size_t>(key)]);
    return gatheredRows(*keys.stored, rows);
  }
  std::span<const KeyPair> localPairs(std::span<const KeyPair> pairs) {
    m_local.clear();
    for (const KeyPair& pair : pairs) {
      m_local.push_back({m_localOf[static_cast<std::size_t>(pair.first)],
                         m_localOf[static_cast<std::size_t>(pair.second)]});
    }
    return m_local;
  }

 private:
  std::vector<std::int32_t> m_used, m_localOf;
  std::vector<KeyPair> m_local;
};

// Turns means and variances of q.(k_i - k_j) into PP.
class GaussianPairs {
 public:
  GaussianPairs(const KeySides& keys, double meanSquare) : m_degenerate(keys, meanSquare) {}
  template <typename Fill>
  void evaluate(std::span<const KeyPair> pairs, double* pp, const Fill& fill) {
    m_variance.resize(pairs.size());
    m_mean.resize(pairs.size());
    fill(m_variance.data(), m_mean.data());
    plasticityOfPairs(m_mean.data(), m_variance.data(), pp, pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (m_degenerate(pairs[p], m_variance[p])) pp[p] = kMissing;
    }
  }

 private:
  DegenerateTest m_degenerate;
  std::vector<double> m_variance, m_mean;
};

// Diagonal variance, pair by pair.
class DiagonalModel : public PairModel {
 public:
  DiagonalModel(const KeySides& keys, double meanSquare, const Vector& spread, const Vector& weight)
      : m_keys(keys.reflected),
        m_spread(padded(spread)),
        m_weight(padded(weight)),
        m_pairs(keys, meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    m_pairs.evaluate(pairs, pp, [&](double* variance, double* mean) {
      weightedDifferences(m_keys.data(), m_keys.cols(), pairs, m_spread.data(), m_weight.data(), variance,
                          mean);
    });
  }

 private:
  const Matrix& m_keys;
  Vector m_spread, m_weight;
  GaussianPairs m_pairs;
};

// Every key has a score (its expected q.k) and whitened coordinates, in which the squared distance of two
// keys is the variance of q.(k_i - k_j).
class WhitenedModel : public PairModel {
 public:
  WhitenedModel(const KeySides& keys, double meanSquare, LocalKeys local, const Matrix& whitened,
                Vector score)
      : m_local(std::move(local)),
        m_whitened(padded(whitened)),
        m_score(std::move(score)),
        m_pairs(keys, meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    const auto local = m_local.localPairs(pairs);
    m_pairs.evaluate(pairs, pp, [&](double* variance, double* mean) {
      squaredDistances(m_whitened.data(), m_whitened.cols(), local, variance);
      for (std::size_t p = 0; p < local.size(); ++p)
        mean[p] = m_score[local[p].first] - m_score[local[p].second];
    });
  }

 private:
  LocalKeys m_local;
  Matrix m_whitened;
  Vector m_score;
  GaussianPairs m_pairs;
};

// empirical: counts the queries that prefer the first key.
class CountingModel : public PairModel {
 public:
  CountingModel(const KeySides& keys, LocalKeys local, const Matrix& scores)
      : m_local(std::move(local)),
        m_queries(scores.cols()),
        m_scores(padded(scores)),
        m_degenerate(keys, 0) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    countPreferences(m_scores.data(), m_scores.cols(), m_queries, m_local.localPairs(pairs), pp);
    const auto n = static_cast<double>(m_queries);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double share = pp[p] / n;
      const bool same = 2 * pp[p] == n && m_degenerate.sameKeys(pairs[p]);
      pp[p] = same ? kMissing : 4 * share * (1 - share) * n / (n - 1);
    }
  }

 private:
  LocalKeys m_local;
  std::ptrdiff_t m_queries;
  Matrix m_scores;  // [used, queries]: q_n . k
  DegenerateTest m_degenerate;
};

using Model = std::unique_ptr<PairModel>;

Model makeThesis(const BinQueries& queries, const KeySides& keys, const UsedKeys& used) {
  Vector weight = queries.drift.mean, spread = queries.drift.variance;
  weight[0] = queries.drift.onDrift;
  spread[0] = queries.driftVariance;
  if (used.pairs < kPairsPerKey * static_cast<std::int64_t>(used.rows.size())) {
    return std::make_unique<DiagonalModel>(keys, queries.meanSquare, spread, weight);
  }
  const LocalKeys local(used, keys.reflected.rows());
  const Matrix block = local.reflected(keys, weight.size());
  return std::make_unique<WhitenedModel>(keys, queries.meanSquare, local,
                                         block * spread.cwiseSqrt().asDiagonal(), block * weight);
}

Model makeFull(const BinQueries& queries, const KeySides& keys, const UsedKeys& used) {
  const LocalKeys local(used, keys.reflected.rows());
  const Matrix block = local.asCaptured(keys);
  const Vector mean = queries.rows.colwise().mean().transpose();
  const Matrix centred = queries.rows.rowwise() - mean.transpose();
  const double scale = 1 / std::sqrt(static_cast<double>(queries.rows.rows() - 1));
  return std::make_unique<WhitenedModel>(keys, queries.meanSquare, local, block * centred.transpose() * scale,
                                         block * mean);
}

Model makeEmpirical(const BinQueries& queries, const KeySides& keys, const UsedKeys& used) {
  const LocalKeys local(used, keys.reflected.rows());
  const Matrix block = local.asCaptured(keys);
  return std::make_unique<CountingModel>(keys, local, block * queries.rows.transpose());
}

struct PairModelEntry {
  const char* variance;
  Model (*make)(const BinQueries&, const KeySides&, const UsedKeys&);
};
constexpr PairModelEntry kPairModels[] = {
    {"thesis", makeThesis},
    {"full", makeFull},
    {"empirical", makeEmpirical},
    {"global", makeThesis},  // the same formula; the drift says what is global
};

}  // namespace

KeySides makeKeySides(const Matrix& stored, const std::vector<std::int64_t>& order, const QueryModel& model) {
  KeySides keys{&stored, &order, {}, 0};
  const auto count = static_cast<Eigen::Index>(order.size());
  keys.reflected = Matrix::Zero(count, paddedLength(stored.cols()));
  for (Eigen::Index i = 0; i < count; ++i) {
    auto row = keys.reflected.row(i).head(stored.cols());
    row = stored.row(order[static_cast<std::size_t>(i)]);
    keys.largestSquare = std::max(keys.largestSquare, row.squaredNorm());
    model.reflectRow(row);
  }
  return keys;
}

Model makePairModel(const std::string& variance, const BinQueries& queries, const KeySides& keys,
                    const UsedKeys& used) {
  for (const PairModelEntry& entry : kPairModels) {
    if (variance == entry.variance) return entry.make(queries, keys, used);
  }
  throw UsageError("variance \"" + variance + "\" is not known: expected thesis, full, empirical or global");
}

}  // namespace plastiscope
