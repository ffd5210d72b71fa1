#include "core/analysis/pair_models.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/bins.h"
#include "core/analysis/row_kernels.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

// Detects pairs with v <= 1e-24 |delta|^2 q2, whose variance is within rounding.
class DegenerateTest {
 public:
  DegenerateTest(const HouseholderKeys& keys, double meanSquare)
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
  const HouseholderKeys& m_keys;
  double m_meanSquare, m_safe;
};

// Turns means and variances of q.(k_i - k_j) into PP.
class GaussianPairs {
 public:
  GaussianPairs(const HouseholderKeys& keys, double meanSquare) : m_degenerate(keys, meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, const double* mean, const double* variance,
                double* pp) const {
    plasticityOfPairs(mean, variance, pp, pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (m_degenerate(pairs[p], variance[p])) pp[p] = kMissing;
    }
  }

 private:
  DegenerateTest m_degenerate;
};

constexpr Eigen::Index kCentreKeys = 256;

// A point near the keys; the exact choice does not matter.
Vector middleOf(const Matrix& keys) {
  if (keys.rows() == 0) return Vector::Zero(keys.cols());
  return keys.topRows(std::min(keys.rows(), kCentreKeys)).colwise().mean().transpose();
}

// From this number of pairs per key on, the terms of every key are computed beforehand.
constexpr std::int64_t kPairsPerKey = 2;
// A variance computed from products that is below this share of its terms has lost too many digits.
constexpr double kLeastOfTerms = 1e-3;

// The queries of a bin as a drift along coordinate 1 and independent other coordinates.
struct DriftLine {
  double mean, variance;  // of coordinate 1
  bool contentOfBin;      // coordinates 2..d are of this bin only
  double meanSquare;      // of the queries
  Vector spread, weight;  // [padded head_dim]: variances and means of coordinates 2..d; zero for coordinate 1
  CoordinateWeights coordinates() const { return {spread.data(), weight.data()}; }
};

// Evaluates diagonal variance pair by pair.
class DiagonalModel : public PairModel {
 public:
  DiagonalModel(const HouseholderKeys& keys, DriftLine line)
      : m_keys(keys.reflected), m_line(std::move(line)), m_pairs(keys, m_line.meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    for (std::vector<double>* values : {&m_content, &m_variance, &m_mean}) values->resize(pairs.size());
    weightedDifferences(blockOf(m_keys), pairs, m_line.coordinates(), {m_content.data(), m_mean.data()});
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
  GaussianPairs m_pairs;
  std::vector<double> m_content, m_variance, m_mean;
};

// Evaluates squared distances from products, |x - y|^2 = |x|^2 + |y|^2 - 2 x.y: one matrix product for a
// block of keys if most of its pairs are needed, else one product per key with its partners.
class ProductModel : public PairModel {
 public:
  ProductModel(const HouseholderKeys& keys, DriftLine line)
      : m_keys(keys.reflected),
        m_line(std::move(line)),
        m_weighted(kBlockKeys, m_keys.cols()),
        m_norm(Vector::Constant(m_keys.rows(), kMissing)),
        m_score(m_keys.rows()),
        m_pairs(keys, m_line.meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    for (std::vector<double>* values : {&m_content, &m_variance, &m_mean}) values->resize(pairs.size());
    for (std::size_t p = 0; p < pairs.size();) {
      const Block block = blockFrom(pairs, p);
      block.isDense() ? multiplyBlock(pairs, block) : multiplyRun(pairs, block);
      p = block.to;
    }
    for (std::size_t p = 0; p < pairs.size(); ++p) finish(pairs[p], p);
    m_pairs.evaluate(pairs, m_mean.data(), m_variance.data(), pp);
  }
  PairValues values(const double* pp) const override {
    return {pp, m_mean.data(), m_variance.data(), m_line.contentOfBin ? m_content.data() : nullptr};
  }

 private:
  static constexpr std::int32_t kBlockKeys = 8;  // first keys of a block

  // Pairs [from, to) and the half-open ranges of their keys.
  struct Block {
    std::size_t from, to;
    std::int32_t first, firstEnd, second, secondEnd;
    std::int32_t firsts() const { return firstEnd - first; }
    std::int32_t seconds() const { return secondEnd - second; }
    bool isDense() const {
      return 2 * static_cast<std::int64_t>(to - from) >= std::int64_t{firsts()} * seconds();
    }
  };

  // The pairs from p on with the same first key.
  static Block runFrom(std::span<const KeyPair> pairs, std::size_t p) {
    Block run{p, p, pairs[p].first, pairs[p].first + 1, pairs[p].second, pairs[p].second + 1};
    for (; run.to < pairs.size() && pairs[run.to].first == run.first; ++run.to) {
      run.second = std::min(run.second, pairs[run.to].second);
      run.secondEnd = std::max(run.secondEnd, pairs[run.to].second + 1);
    }
    return run;
  }

  // As many runs from p on as form a dense block, or one if none do.
  static Block blockFrom(std::span<const KeyPair> pairs, std::size_t p) {
    Block block = runFrom(pairs, p);
    while (block.to < pairs.size() && block.isDense()) {
      const Block run = runFrom(pairs, block.to);
      const Block both{block.from,
                       run.to,
                       block.first,
                       run.firstEnd,
                       std::min(block.second, run.second),
                       std::max(block.secondEnd, run.secondEnd)};
      if (run.first < block.firstEnd || both.firsts() > kBlockKeys || !both.isDense()) break;
      block = both;
    }
    return block;
  }

  void multiplyBlock(std::span<const KeyPair> pairs, const Block& block) {
    for (std::int32_t key = block.first; key < block.firstEnd; ++key) addTerms(key);
    for (std::int32_t key = block.second; key < block.secondEnd; ++key) addTerms(key);
    m_weighted.topRows(block.firsts()) =
        m_keys.middleRows(block.first, block.firsts()) * m_line.spread.asDiagonal();
    m_products.resize(block.firsts(), block.seconds());
    blockProducts(blockOf(m_weighted, 0, block.firsts()), blockOf(m_keys, block.second, block.seconds()),
                  m_products.data());
    for (std::size_t p = block.from; p < block.to; ++p)
      m_content[p] = m_products(pairs[p].first - block.first, pairs[p].second - block.second);
  }

  void multiplyRun(std::span<const KeyPair> pairs, const Block& run) {
    addTerms(run.first);
    for (std::size_t p = run.from; p < run.to; ++p) addTerms(pairs[p].second);
    m_weighted.row(0) = m_keys.row(run.first) * m_line.spread.asDiagonal();
    gatheredProducts(m_weighted.data(), blockOf(m_keys), pairs.subspan(run.from, run.to - run.from),
                     m_content.data() + run.from);
  }

  // Computes the terms of a key once.
  void addTerms(std::int32_t key) {
    if (!std::isnan(m_norm[key])) return;
    keyTerms(blockOf(m_keys), {&key, 1}, m_line.coordinates(), {&m_norm[key], &m_score[key]});
    m_score[key] += m_line.mean * m_keys(key, 0);
  }

  // Computes mean and variance from the product of the pair.
  void finish(const KeyPair& pair, std::size_t p) {
    const auto [first, second] = pair;
    const double norms = m_norm[first] + m_norm[second], along = m_keys(first, 0) - m_keys(second, 0);
    m_content[p] = norms - 2 * m_content[p];
    if (!(m_content[p] > kLeastOfTerms * norms)) m_content[p] = contentOf(pair);
    m_variance[p] = m_content[p] + m_line.variance * along * along;
    m_mean[p] = m_score[first] - m_score[second];
  }

  double contentOf(const KeyPair& pair) const {
    double content = 0, mean = 0;
    weightedDifferences(blockOf(m_keys), {&pair, 1}, m_line.coordinates(), {&content, &mean});
    return content;
  }

  const Matrix& m_keys;
  DriftLine m_line;
  Matrix m_weighted;       // [kBlockKeys, padded head_dim]: first keys times the spread
  Vector m_norm, m_score;  // [keys]; the norm is missing if not computed yet
  GaussianPairs m_pairs;
  Matrix m_products;
  std::vector<double> m_content, m_variance, m_mean;
};

std::unique_ptr<PairModel> makeDrifting(const BinQueries& queries, const HouseholderKeys& keys,
                                        const UsedKeys& used, bool contentOfBin) {
  DriftLine line{queries.drift.onDrift, queries.driftVariance,          contentOfBin,
                 queries.meanSquare,    padded(queries.drift.variance), padded(queries.drift.mean)};
  line.spread[0] = line.weight[0] = 0;
  if (used.pairs < kPairsPerKey * std::ssize(used.rows))
    return std::make_unique<DiagonalModel>(keys, std::move(line));
  return std::make_unique<ProductModel>(keys, std::move(line));
}

// Used keys as consecutive rows.
class LocalKeys {
 public:
  LocalKeys(const UsedKeys& used, std::int64_t keys)
      : m_used(used.rows), m_localOf(static_cast<std::size_t>(keys)) {
    for (std::size_t i = 0; i < m_used.size(); ++i) {
      m_localOf[m_used[i]] = static_cast<std::int32_t>(i);
    }
  }
  Matrix asCaptured(const HouseholderKeys& keys) const {
    std::vector<std::int64_t> rows;
    for (const std::int32_t key : m_used) rows.push_back((*keys.order)[key]);
    return gatheredRows(*keys.stored, rows);
  }
  std::span<const KeyPair> localPairs(std::span<const KeyPair> pairs) {
    m_local.clear();
    for (const KeyPair& pair : pairs) {
      m_local.push_back({m_localOf[pair.first], m_localOf[pair.second]});
    }
    return m_local;
  }

 private:
  std::vector<std::int32_t> m_used, m_localOf;
  std::vector<KeyPair> m_local;
};

// Gives every key a score (its expected q.k) and whitened coordinates, in which the squared distance of two
// keys is the variance of q.(k_i - k_j).
class WhitenedModel : public PairModel {
 public:
  WhitenedModel(const HouseholderKeys& keys, double meanSquare, LocalKeys local, const Matrix& whitened,
                Vector score)
      : m_local(std::move(local)),
        m_whitened(padded(whitened)),
        m_score(std::move(score)),
        m_pairs(keys, meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    const auto local = m_local.localPairs(pairs);
    m_variance.resize(pairs.size());
    m_mean.resize(pairs.size());
    squaredDistances(blockOf(m_whitened), local, m_variance.data());
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

// variance = empirical: counts the queries that prefer the first key.
class CountingModel : public PairModel {
 public:
  CountingModel(const HouseholderKeys& keys, LocalKeys local, const Matrix& scores)
      : m_local(std::move(local)),
        m_queries(scores.cols()),
        m_scores(padded(scores)),
        m_degenerate(keys, 0) {}
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    countPreferences(blockOf(m_scores), m_queries, m_local.localPairs(pairs), pp);
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

std::unique_ptr<PairModel> makeThesisPairs(const BinQueries& queries, const HouseholderKeys& keys,
                                           const UsedKeys& used) {
  return makeDrifting(queries, keys, used, true);
}

// The same formula; the drift is global.
std::unique_ptr<PairModel> makeGlobalPairs(const BinQueries& queries, const HouseholderKeys& keys,
                                           const UsedKeys& used) {
  return makeDrifting(queries, keys, used, false);
}

std::unique_ptr<PairModel> makeFullPairs(const BinQueries& queries, const HouseholderKeys& keys,
                                         const UsedKeys& used) {
  const LocalKeys local(used, keys.reflected.rows());
  const Matrix block = local.asCaptured(keys);
  const Vector mean = queries.rows.colwise().mean().transpose();
  const Matrix centred = queries.rows.rowwise() - mean.transpose();
  const double scale = 1 / std::sqrt(static_cast<double>(queries.rows.rows() - 1));
  return std::make_unique<WhitenedModel>(keys, queries.meanSquare, local, block * centred.transpose() * scale,
                                         block * mean);
}

std::unique_ptr<PairModel> makeEmpiricalPairs(const BinQueries& queries, const HouseholderKeys& keys,
                                              const UsedKeys& used) {
  const LocalKeys local(used, keys.reflected.rows());
  const Matrix block = local.asCaptured(keys);
  return std::make_unique<CountingModel>(keys, local, block * queries.rows.transpose());
}

struct PairModelEntry {
  const char* variance;
  bool needsRows;
  std::unique_ptr<PairModel> (*make)(const BinQueries&, const HouseholderKeys&, const UsedKeys&);
};
constexpr PairModelEntry kPairModels[] = {
    {"thesis", false, makeThesisPairs},
    {"full", true, makeFullPairs},
    {"empirical", true, makeEmpiricalPairs},
    {"global", false, makeGlobalPairs},
};

const PairModelEntry& entryOf(const std::string& variance) {
  for (const PairModelEntry& entry : kPairModels) {
    if (variance == entry.variance) return entry;
  }
  throw UsageError("variance \"" + variance + "\" is not known: expected thesis, full, empirical or global");
}

}  // namespace

HouseholderKeys householderKeys(const Matrix& stored, const std::vector<std::int64_t>& order,
                                const QueryModel& model) {
  HouseholderKeys keys{&stored, &order, {}, 0};
  keys.reflected.resize(order.size(), paddedLength(stored.cols()));
  std::vector<double> squares(order.size());
  const Vector centre = model.reflected(middleOf(stored));
  reflectRows(blockOf(stored), order,
              {model.reflector.size() > 0 ? model.reflector.data() : nullptr, centre.data()},
              keys.reflected.data(), squares.data());
  for (const double square : squares) keys.largestSquare = std::max(keys.largestSquare, square);
  return keys;
}

bool needsQueryRows(const std::string& variance) {
  return entryOf(variance).needsRows;
}

std::unique_ptr<PairModel> makePairModel(const std::string& variance, const BinQueries& queries,
                                         const HouseholderKeys& keys, const UsedKeys& used) {
  return entryOf(variance).make(queries, keys, used);
}

}  // namespace plastiscope
