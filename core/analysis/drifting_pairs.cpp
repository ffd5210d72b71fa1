#include "core/analysis/drifting_pairs.h"

#include "core/analysis/gaussian_pairs.h"
#include "core/analysis/padded.h"

namespace plastiscope {

namespace {

// From so many pairs a key on it pays to work out every key's part beforehand.
constexpr std::int64_t kPairsPerKey = 2;
// A variance made of products that is less than this share of its terms has lost too many digits.
constexpr double kLeastOfTerms = 1e-3;

// The queries of a bin as a drift along coordinate 1 and independent coordinates besides.
struct DriftLine {
  double mean, variance;  // of coordinate 1
  bool contentOfBin;      // coordinates 2..d are those of the bin alone
};

// Diagonal variance, pair by pair.
class DiagonalModel : public PairModel {
 public:
  DiagonalModel(const KeySides& keys, double meanSquare, const DriftLine& line, const Vector& spread,
                const Vector& weight)
      : m_keys(keys.reflected),
        m_line(line),
        m_spread(padded(spread)),
        m_weight(padded(weight)),
        m_pairs(keys, meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    for (std::vector<double>* values : {&m_content, &m_variance, &m_mean}) values->resize(pairs.size());
    weightedDifferences(m_keys.data(), m_keys.cols(), pairs, m_spread.data(), m_weight.data(),
                        m_content.data(), m_mean.data());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double along = m_keys(pairs[p].first, 0) - m_keys(pairs[p].second, 0);
      m_variance[p] = m_content[p] + m_line.variance * along * along;
      m_mean[p] += m_line.mean * along;
    }
    m_pairs.evaluate(pairs, m_mean.data(), m_variance.data(), pp);
  }
  PairValues values(const double* pp) const override {
    return {pp, m_mean.data(), m_variance.data(), m_line.contentOfBin ? m_content.data() : nullptr};
  }

 private:
  const Matrix& m_keys;
  DriftLine m_line;
  Vector m_spread, m_weight;  // zero for coordinate 1
  GaussianPairs m_pairs;
  std::vector<double> m_content, m_variance, m_mean;
};

// The same from products: |x - y|^2 = |x|^2 + |y|^2 - 2 x.y, for many pairs with one first key in a row.
class ProductModel : public PairModel {
 public:
  ProductModel(const KeySides& keys, double meanSquare, const DriftLine& line, const Vector& spread,
               const Vector& weight, const UsedKeys& used)
      : m_keys(keys.reflected),
        m_line(line),
        m_spread(padded(spread)),
        m_weight(padded(weight)),
        m_scratch(m_keys.cols()),
        m_norm(m_keys.rows()),
        m_score(m_keys.rows()),
        m_pairs(keys, meanSquare) {
    std::vector<double> norm(used.rows.size()), score(used.rows.size());
    keyTerms(m_keys.data(), m_keys.cols(), used.rows, m_spread.data(), m_weight.data(), norm.data(),
             score.data());
    for (std::size_t i = 0; i < used.rows.size(); ++i) {
      m_norm[used.rows[i]] = norm[i];
      m_score[used.rows[i]] = score[i] + line.mean * m_keys(used.rows[i], 0);
    }
  }
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    for (std::vector<double>* values : {&m_content, &m_variance, &m_mean}) values->resize(pairs.size());
    for (std::size_t p = 0; p < pairs.size();) p = multiplyRun(pairs, p);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto [first, second] = pairs[p];
      const double norms = m_norm[first] + m_norm[second], along = m_keys(first, 0) - m_keys(second, 0);
      m_content[p] = norms - 2 * m_content[p];
      if (!(m_content[p] > kLeastOfTerms * norms)) m_content[p] = contentOf(pairs[p]);
      m_variance[p] = m_content[p] + m_line.variance * along * along;
      m_mean[p] = m_score[first] - m_score[second];
    }
    m_pairs.evaluate(pairs, m_mean.data(), m_variance.data(), pp);
  }
  PairValues values(const double* pp) const override {
    return {pp, m_mean.data(), m_variance.data(), m_line.contentOfBin ? m_content.data() : nullptr};
  }

 private:
  // Products of the pairs from p on that share a first key and have consecutive second ones; returns the pair
  // after them.
  std::size_t multiplyRun(std::span<const KeyPair> pairs, std::size_t p) {
    std::size_t end = p + 1;
    while (end < pairs.size() && pairs[end].first == pairs[p].first &&
           pairs[end].second == pairs[end - 1].second + 1)
      ++end;
    weightedProducts(m_keys.data(), m_keys.cols(), pairs[p].first, pairs[p].second,
                     static_cast<std::ptrdiff_t>(end - p), m_spread.data(), m_scratch.data(),
                     m_content.data() + p);
    return end;
  }
  double contentOf(const KeyPair& pair) const {
    double content = 0, mean = 0;
    weightedDifferences(m_keys.data(), m_keys.cols(), {&pair, 1}, m_spread.data(), m_weight.data(), &content,
                        &mean);
    return content;
  }

  const Matrix& m_keys;
  DriftLine m_line;
  Vector m_spread, m_weight;  // zero for coordinate 1
  Vector m_scratch, m_norm, m_score;
  GaussianPairs m_pairs;
  std::vector<double> m_content, m_variance, m_mean;
};

std::unique_ptr<PairModel> makeDrifting(const BinQueries& queries, const KeySides& keys, const UsedKeys& used,
                                        bool contentOfBin) {
  const DriftLine line{queries.drift.onDrift, queries.driftVariance, contentOfBin};
  Vector weight = queries.drift.mean, spread = queries.drift.variance;
  weight[0] = spread[0] = 0;
  if (used.pairs < kPairsPerKey * static_cast<std::int64_t>(used.rows.size()))
    return std::make_unique<DiagonalModel>(keys, queries.meanSquare, line, spread, weight);
  return std::make_unique<ProductModel>(keys, queries.meanSquare, line, spread, weight, used);
}

}  // namespace

std::unique_ptr<PairModel> makeThesisPairs(const BinQueries& queries, const KeySides& keys,
                                           const UsedKeys& used) {
  return makeDrifting(queries, keys, used, true);
}

std::unique_ptr<PairModel> makeGlobalPairs(const BinQueries& queries, const KeySides& keys,
                                           const UsedKeys& used) {
  return makeDrifting(queries, keys, used, false);
}

}  // namespace plastiscope
