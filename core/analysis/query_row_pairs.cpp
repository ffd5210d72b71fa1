#include "core/analysis/query_row_pairs.h"

#include "core/analysis/binned_queries.h"
#include "core/analysis/gaussian_pairs.h"
#include "core/analysis/padded.h"

namespace plastiscope {

namespace {

// Used keys as consecutive rows.
class LocalKeys {
 public:
  LocalKeys(const UsedKeys& used, std::int64_t keys)
      : m_used(used.rows), m_localOf(static_cast<std::size_t>(keys)) {
    for (std::size_t i = 0; i < m_used.size(); ++i) {
      m_localOf[static_cast<std::size_t>(m_used[i])] = static_cast<std::int32_t>(i);
    }
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
    m_variance.resize(pairs.size());
    m_mean.resize(pairs.size());
    squaredDistances(m_whitened.data(), m_whitened.cols(), local, m_variance.data());
    for (std::size_t p = 0; p < local.size(); ++p)
      m_mean[p] = m_score[local[p].first] - m_score[local[p].second];
    m_pairs.evaluate(pairs, m_mean.data(), m_variance.data(), pp);
  }
  PairValues values(const double* pp) const override { return {pp, m_mean.data(), m_variance.data()}; }

 private:
  LocalKeys m_local;
  Matrix m_whitened;
  Vector m_score;
  GaussianPairs m_pairs;
  std::vector<double> m_variance, m_mean;
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

}  // namespace

std::unique_ptr<PairModel> makeFullPairs(const BinQueries& queries, const KeySides& keys,
                                         const UsedKeys& used) {
  const LocalKeys local(used, keys.reflected.rows());
  const Matrix block = local.asCaptured(keys);
  const Vector mean = queries.rows.colwise().mean().transpose();
  const Matrix centred = queries.rows.rowwise() - mean.transpose();
  const double scale = 1 / std::sqrt(static_cast<double>(queries.rows.rows() - 1));
  return std::make_unique<WhitenedModel>(keys, queries.meanSquare, local, block * centred.transpose() * scale,
                                         block * mean);
}

std::unique_ptr<PairModel> makeEmpiricalPairs(const BinQueries& queries, const KeySides& keys,
                                              const UsedKeys& used) {
  const LocalKeys local(used, keys.reflected.rows());
  const Matrix block = local.asCaptured(keys);
  return std::make_unique<CountingModel>(keys, local, block * queries.rows.transpose());
}

}  // namespace plastiscope
