#include "core/analysis/bin_plasticity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/bins.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

class DisagreementEstimator : public BinEstimator {
 public:
  DisagreementEstimator(const Matrix& queries, std::vector<TextQueries> texts, const Resamples& resamples)
      : m_model(queries, std::move(texts)),
        m_resamples(resamples),
        m_jackknife(!resamples.leftOut.empty()),
        m_leftOut(resamples.times.size()) {
    for (std::size_t e = 0; m_jackknife && e < m_model.texts().size(); ++e)
      m_leftOut[m_resamples.leavingOut(m_model.texts()[e].text)].push_back(e);
  }
  void setKeys(const Matrix& keys, std::int64_t pairs, Disagreement::EqualKeys equal) override {
    m_model.setKeys(keys, pairs, equal);
  }
  void evaluate(std::span<const KeyPair> pairs, double* pp) override { m_model.evaluate(pairs, pp); }
  void evaluateOther(const Matrix& queries, double* pp) override { m_model.evaluateOther(queries, pp); }
  void resample(std::size_t r, double* pp) override {
    if (m_jackknife) {
      m_model.leaveOut(m_leftOut[r], pp);
      return;
    }
    m_weights.clear();
    for (const TextQueries& text : m_model.texts()) m_weights.push_back(m_resamples.times[r][text.text]);
    m_model.reweigh(m_weights, pp);
  }
  bool hasQueriesOf(std::size_t r) const override { return !m_leftOut[r].empty(); }

 private:
  Disagreement m_model;
  const Resamples& m_resamples;
  bool m_jackknife;
  std::vector<std::vector<std::size_t>> m_leftOut;  // [resample] places of texts that a jackknife leaves out
  std::vector<double> m_weights;
};

// Mean and full covariance of the scores (ddof 1), PP = 4 Phi(z) Phi(-z).
class GaussianEstimator : public BinEstimator {
 public:
  GaussianEstimator(const Matrix& queries, const std::vector<TextQueries>& texts,
                    const Resamples& resamples) {
    m_queries.push_back(queries);
    for (const std::vector<std::int32_t>& times : resamples.times)
      m_queries.push_back(repeatedRows(queries, texts, times));
  }
  void setKeys(const Matrix& keys, std::int64_t, Disagreement::EqualKeys equal) override {
    m_equal = equal;
    m_order.resize(keys.rows());
    m_used = {};
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      m_order[i] = static_cast<std::int64_t>(i);
      m_used.rows.push_back(static_cast<std::int32_t>(i));
    }
    m_keys = householderKeys(keys, m_order, QueryModel());
    m_models.clear();
    for (const Matrix& rows : m_queries) m_models.push_back(modelOf(rows));
  }
  void evaluate(std::span<const KeyPair> pairs, double* pp) override {
    m_pairs.assign(pairs.begin(), pairs.end());
    value(0, pp);
  }
  void evaluateOther(const Matrix& queries, double* pp) override {
    const auto model = modelOf(queries);
    if (model != nullptr)
      model->evaluate(m_pairs, pp);
    else
      std::fill_n(pp, m_pairs.size(), kMissing);
  }
  void resample(std::size_t r, double* pp) override { value(r + 1, pp); }
  bool hasQueriesOf(std::size_t r) const override { return m_queries[r + 1].rows() != m_queries[0].rows(); }

 private:
  std::unique_ptr<PairModel> modelOf(const Matrix& rows) const {
    if (rows.rows() < 2) return nullptr;
    BinQueries queries;
    queries.rows = rows;
    queries.meanSquare = rows.rowwise().squaredNorm().mean();
    return makePairModel("full", queries, m_keys, m_used);
  }
  static Matrix repeatedRows(const Matrix& rows, const std::vector<TextQueries>& texts,
                             const std::vector<std::int32_t>& times) {
    std::vector<std::int64_t> which;
    std::int64_t first = 0;
    for (const TextQueries& text : texts) {
      for (std::int32_t k = 0; k < times[text.text]; ++k)
        for (std::int64_t q = 0; q < text.queries; ++q) which.push_back(first + q);
      first += text.queries;
    }
    return gatheredRows(rows, which);
  }
  void value(std::size_t model, double* pp) {
    if (m_models[model] != nullptr)
      m_models[model]->evaluate(m_pairs, pp);
    else
      std::fill_n(pp, m_pairs.size(), kMissing);
    for (std::size_t p = 0; m_equal == Disagreement::EqualKeys::Tie && p < m_pairs.size(); ++p) {
      if (m_keys.stored->row(m_pairs[p].first) == m_keys.stored->row(m_pairs[p].second)) pp[p] = 1;
    }
  }

  std::vector<Matrix> m_queries;  // [1 + resamples]
  std::vector<std::int64_t> m_order;
  HouseholderKeys m_keys;
  UsedKeys m_used;
  Disagreement::EqualKeys m_equal = Disagreement::EqualKeys::Missing;
  std::vector<std::unique_ptr<PairModel>> m_models;  // [1 + resamples]; null: fewer than two queries
  std::vector<KeyPair> m_pairs;
};

// Sums of weight * PP and of weights, for all texts and every resample.
class WeightedMeans {
 public:
  WeightedMeans(const BinPairs& pairs, const Resamples& resamples)
      : m_pairs(pairs), m_resamples(resamples), m_sums(resamples.times.size() + 1, 0), m_weights(m_sums) {}

  void add(BinEstimator& estimator, std::span<const KeyPair> local, const double* pp, BinMean& mean) {
    m_kept.clear();
    for (std::size_t p = 0; p < local.size(); ++p)
      if (!std::isnan(pp[p])) m_kept.push_back(p);
    const double sum = sumOver(pp), kept = static_cast<double>(m_kept.size());
    m_sums[0] += sum;
    m_weights[0] += kept;
    mean.kept += std::ssize(m_kept);
    mean.dropped += std::ssize(local) - std::ssize(m_kept);
    m_other.resize(local.size());
    if (!m_resamples.leftOut.empty()) listGroups(local);
    for (std::size_t r = 0; r < m_resamples.times.size(); ++r) {
      if (m_resamples.leftOut.empty())
        addDrawn(estimator, local, r);
      else
        addLeftOut(estimator, r, pp, sum);
    }
  }
  void addOther(const double* pp) {
    m_otherSum += sumOver(pp);
    m_otherCount += static_cast<double>(m_kept.size());
  }
  double of(std::size_t i) const { return m_weights[i] > 0 ? m_sums[i] / m_weights[i] : kMissing; }
  double other() const { return m_otherCount > 0 ? m_otherSum / m_otherCount : kMissing; }

 private:
  double sumOver(const double* pp) const {
    double sum = 0;
    for (const std::size_t p : m_kept) sum += pp[p];
    return sum;
  }
  std::int64_t exampleOf(std::int32_t key) const { return m_pairs.examples()[key]; }
  // Lists kept pairs with a key of a text in each left-out group.
  void listGroups(std::span<const KeyPair> local) {
    const auto forEach = [&](const auto& tell) {
      for (const std::size_t p : m_kept) {
        const std::size_t first = m_resamples.leavingOut(exampleOf(local[p].first)),
                          second = m_resamples.leavingOut(exampleOf(local[p].second));
        tell(first, p);
        if (second != first) tell(second, p);
      }
    };
    m_groupEnd.assign(m_resamples.times.size() + 1, 0);
    forEach([this](std::size_t group, std::size_t) { ++m_groupEnd[group + 1]; });
    std::partial_sum(m_groupEnd.begin(), m_groupEnd.end(), m_groupEnd.begin());
    m_pairsOfGroup.resize(m_groupEnd.back());
    forEach([this](std::size_t group, std::size_t p) { m_pairsOfGroup[m_groupEnd[group]++] = p; });
  }
  std::span<const std::size_t> pairsOfGroup(std::size_t r) const {
    const std::size_t from = r == 0 ? 0 : m_groupEnd[r - 1];
    return std::span(m_pairsOfGroup).subspan(from, m_groupEnd[r] - from);
  }
  // Leaves out a group's queries and the pairs of its keys.
  void addLeftOut(BinEstimator& estimator, std::size_t r, const double* pp, double sum) {
    const double* values = pp;
    if (r > 0 && estimator.hasQueriesOf(r)) {
      estimator.resample(r, m_other.data());
      values = m_other.data();
      sum = sumOver(values);
    }
    for (const std::size_t p : pairsOfGroup(r)) sum -= values[p];
    m_sums[r + 1] += sum;
    m_weights[r + 1] += static_cast<double>(m_kept.size() - pairsOfGroup(r).size());
  }
  // Counts texts as often as they were drawn; queries and keys pair within a copy of a text, not between
  // copies.
  void addDrawn(BinEstimator& estimator, std::span<const KeyPair> local, std::size_t r) {
    estimator.resample(r, m_other.data());
    const std::vector<std::int32_t>& times = m_resamples.times[r];
    for (std::size_t p = 0; p < local.size(); ++p) {
      const auto first = static_cast<std::size_t>(exampleOf(local[p].first)),
                 second = static_cast<std::size_t>(exampleOf(local[p].second));
      const double weight =
          first == second ? times[first] : static_cast<double>(times[first]) * times[second];
      if (weight == 0 || std::isnan(m_other[p])) continue;
      m_sums[r + 1] += weight * m_other[p];
      m_weights[r + 1] += weight;
    }
  }

  const BinPairs& m_pairs;
  const Resamples& m_resamples;
  std::vector<double> m_sums, m_weights, m_other;
  double m_otherSum = 0, m_otherCount = 0;
  std::vector<std::size_t> m_kept;                      // pairs of the block with a value
  std::vector<std::size_t> m_pairsOfGroup, m_groupEnd;  // grouped; [resample] end of each group
};

// `evaluate` fills the PP of a block of local pairs and may remove pairs.
template <typename Evaluate>
BinMean meanOfBlocks(BinEstimator& estimator, const BinPairs& pairs, const Resamples& resamples,
                     const Matrix* other, const Evaluate& evaluate) {
  constexpr std::int64_t kBlock = Disagreement::kMaxPairs;
  BinMean mean;
  const std::vector<ChosenPart>& parts = pairs.chosen().parts;
  std::vector<double> means((resamples.times.size() + 1) * parts.size());  // [1 + resamples, parts]
  std::vector<double> pp, others;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const ChosenPart& part = parts[p];
    WeightedMeans ofPart(pairs, resamples);
    for (std::int64_t next = 0; next < part.count; next += kBlock) {
      std::vector<KeyPair> local = pairs.local(part, next, std::min(kBlock, part.count - next));
      pp.resize(local.size());
      evaluate(local, pp.data());
      ofPart.add(estimator, local, pp.data(), mean);
      if (other == nullptr) continue;
      estimator.evaluateOther(*other, pp.data());
      ofPart.addOther(pp.data());
    }
    others.push_back(ofPart.other());
    for (std::size_t i = 0; i <= resamples.times.size(); ++i) means[i * parts.size() + p] = ofPart.of(i);
  }
  const auto meanAt = [&](std::size_t i, std::int64_t* count = nullptr) {
    return meanOfPresent(std::span(means).subspan(i * parts.size(), parts.size()), count);
  };
  mean.ap = meanAt(0, &mean.parts);
  mean.other = meanOfPresent(others);
  for (std::size_t i = 1; i <= resamples.times.size(); ++i) {
    const double value = meanAt(i);
    // A bin without a value when a group of texts is left out keeps that of all texts.
    mean.resampled.push_back(!resamples.leftOut.empty() && std::isnan(value) ? mean.ap : value);
  }
  return mean;
}

}  // namespace

BinPairs::BinPairs(const VectorRows& key, const KeyOrder& order, const ChosenPairs& chosen)
    : m_chosen(chosen), m_localOf(order.row.size()) {
  std::vector<std::int64_t> stored;
  for (std::size_t i = 0; i < chosen.used.rows.size(); ++i) {
    const auto place = static_cast<std::size_t>(chosen.used.rows[i]);
    m_localOf[place] = static_cast<std::int32_t>(i);
    stored.push_back(order.row[place]);
    m_position.push_back(order.position[place]);
    m_example.push_back(key.example[stored.back()]);
  }
  m_keys = gatheredRows(key.vectors, stored);
}

std::vector<KeyPair> BinPairs::local(const ChosenPart& part, std::int64_t from, std::int64_t count) const {
  std::vector<KeyPair> pairs;
  for (const KeyPair& pair : part.slice(from, count, m_buffer))
    pairs.push_back({m_localOf[pair.first], m_localOf[pair.second]});
  return pairs;
}

std::unique_ptr<BinEstimator> makeBinEstimator(const std::string& name, const Matrix& queries,
                                               std::vector<TextQueries> texts, const Resamples& resamples) {
  if (name == "gaussian") return std::make_unique<GaussianEstimator>(queries, texts, resamples);
  if (name == "disagreement")
    return std::make_unique<DisagreementEstimator>(queries, std::move(texts), resamples);
  throw UsageError("aligned_estimator \"" + name + "\" is not known: expected disagreement or gaussian");
}

BinMean binMean(BinEstimator& estimator, const BinPairs& pairs, const Matrix& keys,
                const Resamples& resamples, const Matrix* other, const BlockWatcher& watch) {
  estimator.setKeys(keys, pairs.chosen().used.pairs);
  return meanOfBlocks(estimator, pairs, resamples, other, [&](std::vector<KeyPair>& local, double* pp) {
    estimator.evaluate(local, pp);
    if (watch) watch(local, pp);
  });
}

BinMean binMeanOfMovedPairs(BinEstimator& estimator, const BinPairs& pairs, const PairKeys& keysOf,
                            const Resamples& resamples) {
  Matrix keys;
  return meanOfBlocks(estimator, pairs, resamples, nullptr, [&](std::vector<KeyPair>& local, double* pp) {
    std::erase_if(local, [&pairs](const KeyPair& pair) {
      return pairs.keys().row(pair.first) == pairs.keys().row(pair.second);
    });
    keys = keysOf(local);
    std::vector<KeyPair> own;
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(local.size()); ++p)
      own.push_back({2 * p, 2 * p + 1});
    estimator.setKeys(keys, std::ssize(own), Disagreement::EqualKeys::Tie);
    estimator.evaluate(own, pp);
  });
}

}  // namespace plastiscope
