#include "core/analysis/softmax_positions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/attention_weights.h"
#include "core/analysis/reach.h"
#include "core/analysis/statistics.h"
#include "core/base/orders.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kPurpose = 0x736F6674;  // 'soft'
constexpr std::int64_t kTopKeys = 32, kKeyPairs = 32, kLeastBins = 3;

class Sums : public BySoftmaxValue<RunningMean> {
 public:
  RunningMean& of(SoftmaxValue which) { return (*this)[static_cast<std::size_t>(which)]; }
};

double sumBetween(std::span<const double> weights, std::int64_t from, std::int64_t to) {
  double sum = 0;
  for (std::int64_t i = std::max<std::int64_t>(from, 0); i < std::min(to, std::ssize(weights)); ++i)
    sum += weights[i];
  return sum;
}

double largestSum(std::vector<double> weights) {
  const auto end = weights.begin() + std::min(kTopKeys, std::ssize(weights));
  std::nth_element(weights.begin(), end == weights.end() ? end : end - 1, weights.end(), std::greater<>());
  return std::accumulate(weights.begin(), end, 0.0);
}

// `weights`: scores of a query with its keys from `first` to itself, which become its weights.
void addQuery(std::vector<double>& weights, std::int64_t first, Sums& sums) {
  const std::int64_t keys = std::ssize(weights);
  const double entropy = -softmax(weights);
  sums.of(SoftmaxValue::Entropy).add(entropy);
  sums.of(SoftmaxValue::EffectiveKeys).add(std::exp(entropy) / static_cast<double>(keys));
  for (const auto& [value, tokens] :
       {std::pair(SoftmaxValue::Sink1, 1), {SoftmaxValue::Sink4, 4}, {SoftmaxValue::Sink16, 16}})
    sums.of(value).add(sumBetween(weights, 0, tokens - first));
  for (const auto& [value, tokens] : {std::pair(SoftmaxValue::Recent16, 16), {SoftmaxValue::Recent256, 256}})
    sums.of(value).add(sumBetween(weights, keys - tokens, keys));
  sums.of(SoftmaxValue::Top32).add(largestSum(weights));
  double distance = 0;
  for (std::int64_t i = 0; i < keys; ++i) distance += weights[i] * static_cast<double>(keys - 1 - i);
  sums.of(SoftmaxValue::Distance).add(distance);
}

double overlapOf(std::span<const double> first, std::span<const double> second) {
  double overlap = 0;
  for (std::size_t i = 0; i < first.size(); ++i) overlap += std::min(first[i], second[i]);
  return overlap;
}

std::int64_t asIndex(std::size_t value) {
  return static_cast<std::int64_t>(value);
}

// Draws two different keys with a probability in proportion to the product of their weights.
class KeyPairDraw {
 public:
  explicit KeyPairDraw(std::span<const double> weights) : m_weights(weights) {
    double firsts = 0, all = 0;
    for (const double weight : weights) {
      m_firsts.push_back(firsts += weight * (1 - weight));
      m_all.push_back(all += weight);
    }
  }
  bool possible() const { return m_weights.size() > 1 && m_firsts.back() > 0; }
  std::pair<std::int64_t, std::int64_t> draw(PairGenerator& generator) const {
    const std::int64_t first = placeIn(m_firsts, generator.uniform() * m_firsts.back());
    const double own = m_weights[first], before = first > 0 ? m_all[first - 1] : 0;
    const double at = generator.uniform() * (m_all.back() - own);
    std::int64_t second = placeIn(m_all, at < before ? at : at + own);
    if (second == first) second += first > 0 ? -1 : 1;  // by rounding
    return {first, second};
  }

 private:
  static std::int64_t placeIn(const std::vector<double>& ends, double at) {
    const std::int64_t place = std::ranges::upper_bound(ends, at) - ends.begin();
    return std::min(place, std::ssize(ends) - 1);
  }
  std::span<const double> m_weights;
  std::vector<double> m_firsts, m_all;  // cumulative: weight (1 - weight), and weights
};

class SoftmaxHead {
 public:
  SoftmaxHead(const SoftmaxInput& input, const Progress& progress)
      : m_input(input),
        m_resamples(input.resamples),
        m_progress(progress),
        m_bins(static_cast<std::size_t>(input.grid.bins())) {}

  SoftmaxPositions run() {
    collectQueries();
    for (std::int64_t text = 0; text < m_input.dense.texts; ++text) {
      m_progress.throwIfStopped();
      const std::vector<float> keys = m_input.dense.keys(text);
      for (std::size_t bin = 0; bin < m_bins.size(); ++bin) addBin(text, bin, keys);
    }
    return result();
  }

 private:
  struct Bin {
    VectorRows rows;                    // evaluated queries, by text
    Matrix unrotated;                   // of `rows`; empty if the rotation is not known
    std::vector<TextQueries> texts;     // texts with rows
    std::vector<std::int64_t> firstOf;  // [texts, all] first row of each text, then their number
    std::vector<Sums> sums;             // [resample]
    std::int64_t queryPairs = 0;
  };

  std::int64_t firstKeyOf(std::int64_t query) const {
    return firstVisibleKey(query, m_input.rule.window, m_input.rule.chunked);
  }

  void collectQueries() {
    const DenseTexts& dense = m_input.dense;
    const std::int64_t perBin = softmaxQueriesPerBin(dense.texts, m_input.grid.bins());
    std::vector<std::vector<double>> vectors(m_bins.size());
    for (std::int64_t text = 0; text < dense.texts; ++text) {
      m_progress.throwIfStopped();
      const std::vector<float> queries = dense.queries(text);
      const std::int64_t tokens = std::ssize(queries) / dense.headDim;
      std::function<bool(std::int64_t)> chosen;
      if (dense.chosen) chosen = [&](std::int64_t query) { return dense.chosen(text, query); };
      for (std::size_t b = 0; b < m_bins.size(); ++b) {
        Bin& bin = m_bins[b];
        const std::int64_t from = m_input.grid.firstPosition(asIndex(b)),
                           to = m_input.grid.firstPosition(asIndex(b) + 1);
        const auto positions =
            spacedQueries(std::max<std::int64_t>(1, from), std::min(tokens, to), chosen, perBin);
        bin.firstOf.push_back(std::ssize(bin.rows.position));
        if (!positions.empty()) bin.texts.push_back({text, std::ssize(positions)});
        for (const std::int64_t position : positions) {
          const float* row = queries.data() + position * dense.headDim;
          vectors[b].insert(vectors[b].end(), row, row + dense.headDim);
          bin.rows.position.push_back(position);
          bin.rows.example.push_back(text);
        }
      }
    }
    for (std::size_t b = 0; b < m_bins.size(); ++b) {
      Bin& bin = m_bins[b];
      bin.firstOf.push_back(std::ssize(bin.rows.position));
      bin.rows.vectors = Eigen::Map<const Matrix>(vectors[b].data(), bin.firstOf.back(), dense.headDim);
      if (m_input.place.rotation != nullptr)
        bin.unrotated = unrotatedRows(bin.rows, RotationSteps(*m_input.place.rotation, bin.rows));
      bin.sums.resize(m_resamples.times.size());
    }
  }

  // Rows of the bin as they would stand at a position.
  Matrix movedTo(const Bin& bin, std::span<const std::int64_t> rows, std::int64_t position) const {
    return alignedQueries(bin.rows, bin.unrotated, *m_input.place.rotation, rows,
                          static_cast<double>(position));
  }

  void addBin(std::int64_t text, std::size_t number, const std::vector<float>& keys) {
    Bin& bin = m_bins[number];
    const std::int64_t first = bin.firstOf[text], count = bin.firstOf[text + 1] - first;
    if (count == 0) return;
    const HeadId& place = m_input.place;
    const std::uint64_t ofBin = pairGeneratorState(m_input.seed, place.layer, place.head, asIndex(number));
    const auto textKey = static_cast<std::uint64_t>(text);
    PairGenerator generator(combine(combine(ofBin, mix64(kPurpose)), mix64(textKey)));
    const auto pairs = queryPairs(first, count, generator);
    Matrix queries(count + std::ssize(pairs), m_input.dense.headDim);
    queries.topRows(count) = bin.rows.vectors.middleRows(first, count);
    const bool turns = place.rotation != nullptr;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto& [early, late] = pairs[p];
      queries.row(count + p) = turns ? Matrix(movedTo(bin, std::span(&late, 1), bin.rows.position[early]))
                                     : Matrix(bin.rows.vectors.row(late));
    }
    m_from = firstKeyOf(bin.rows.position[first]);
    scoreKeys(queries, keys, m_from, bin.rows.position[first + count - 1] + 1, m_input.rule, m_scores);

    Sums sums;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t query = bin.rows.position[first + i];
      std::vector<double> weights = scoresOf(i, firstKeyOf(query), query);
      addQuery(weights, firstKeyOf(query), sums);
      if (turns && !pairs.empty() && first + i == pairs.front().first)
        addWeighted(bin, text, query, weights, keys, generator);
    }
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const std::int64_t early = bin.rows.position[pairs[p].first],
                         from = firstKeyOf(bin.rows.position[pairs[p].second]);
      if (from > early) continue;  // no key that both see
      ++bin.queryPairs;
      const auto weightsOf = [&](std::int64_t row) {
        std::vector<double> weights = scoresOf(row, from, early);
        softmax(weights);
        return weights;
      };
      const std::vector<double> ofEarly = weightsOf(pairs[p].first - first);
      sums.of(SoftmaxValue::BinnedPlasticity).add(1 - overlapOf(ofEarly, weightsOf(pairs[p].second - first)));
      if (turns) sums.of(SoftmaxValue::Plasticity).add(1 - overlapOf(ofEarly, weightsOf(count + asIndex(p))));
    }
    for (std::size_t r = 0; r < bin.sums.size(); ++r) {
      if (m_resamples.times[r][text] == 0) continue;
      for (std::size_t v = 0; v < kSoftmaxValues; ++v) bin.sums[r][v].add(sums[v]);
    }
  }

  // Disjoint pairs of the text's rows in random order, the earlier query first.
  static std::vector<std::pair<std::int64_t, std::int64_t>> queryPairs(std::int64_t first, std::int64_t count,
                                                                       PairGenerator& generator) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), first);
    shuffle(order, generator);
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::size_t i = 1; i < order.size(); i += 2) pairs.push_back(std::minmax(order[i - 1], order[i]));
    return pairs;
  }

  // Scores of a row of m_scores with the keys from `from` to `last`.
  std::vector<double> scoresOf(std::int64_t row, std::int64_t from, std::int64_t last) const {
    const double* scores = m_scores.row(row).data() - m_from;
    return {scores + from, scores + last + 1};
  }

  // RunningMean PP of key pairs drawn by this query's weights, by the queries of the other texts at its
  // position.
  void addWeighted(Bin& bin, std::int64_t text, std::int64_t query, std::span<const double> weights,
                   const std::vector<float>& keys, PairGenerator& generator) const {
    std::vector<TextQueries> texts;
    std::ranges::copy_if(bin.texts, std::back_inserter(texts),
                         [text](const TextQueries& other) { return other.text != text; });
    const KeyPairDraw draw(weights);
    if (texts.size() < 2 || !draw.possible()) return;
    std::vector<std::int64_t> rows, places;
    for (std::int64_t row = 0; row < bin.rows.rows(); ++row)
      if (bin.rows.example[row] != text) rows.push_back(row);
    std::vector<KeyPair> pairs;
    for (std::int32_t p = 0; p < kKeyPairs; ++p) {
      const auto [one, other] = draw.draw(generator);
      places.insert(places.end(), {firstKeyOf(query) + one, firstKeyOf(query) + other});
      pairs.push_back({2 * p, 2 * p + 1});
    }
    const Matrix moved = movedTo(bin, rows, query), keyRows = widenedRows(keys, moved.cols(), places);
    Disagreement model(moved, texts);
    model.setKeys(keyRows, kKeyPairs);
    std::vector<double> whole(pairs.size()), without(pairs.size());
    model.evaluate(pairs, whole.data());
    for (std::size_t r = 0; r < bin.sums.size(); ++r) {
      if (m_resamples.times[r][text] == 0) continue;
      std::vector<std::size_t> left;
      for (std::size_t e = 0; e < texts.size(); ++e)
        if (m_resamples.times[r][texts[e].text] == 0) left.push_back(e);
      if (!left.empty()) model.leaveOut(left, without.data());
      bin.sums[r].of(SoftmaxValue::WeightedPlasticity).add(meanOfPresent(left.empty() ? whole : without));
    }
  }

  // [resample] value of a bin; one that is missing without a group is that of all texts.
  std::vector<double> samplesOf(std::size_t bin, std::size_t value) const {
    std::vector<double> samples;
    for (std::size_t r = 0; r < m_resamples.times.size(); ++r) {
      const AlignedPlasticity& aligned = m_input.aligned;
      double sample = m_bins[bin].sums[r][value].value();
      if (value == static_cast<std::size_t>(SoftmaxValue::PairPlasticity))
        sample = r < aligned.resampled.size() ? aligned.resampled[r][bin] : kMissing;
      samples.push_back(std::isnan(sample) && r > 0 ? samples.front() : sample);
    }
    return samples;
  }

  SoftmaxPositions result() const {
    SoftmaxPositions result;
    const BinGrid& grid = m_input.grid;
    SoftmaxRow all{grid.start(0), grid.end(grid.bins() - 1)};
    for (std::size_t b = 0; b < m_bins.size(); ++b) {
      const SoftmaxRow& row = result.rows.emplace_back(
          SoftmaxRow{grid.start(asIndex(b)), grid.end(asIndex(b)), grid.midpoint(asIndex(b)).value(),
                     m_bins[b].rows.rows(), m_bins[b].queryPairs, std::ssize(m_bins[b].texts)});
      all.queries += row.queries;
      all.queryPairs += row.queryPairs;
      all.texts = std::max(all.texts, row.texts);
    }
    result.rows.push_back(all);
    const Estimator estimator(m_resamples);
    BySoftmaxValue<std::vector<std::vector<double>>> samples;  // [value][bin][resample]
    for (std::size_t v = 0; v < kSoftmaxValues; ++v) {
      for (std::size_t b = 0; b < m_bins.size(); ++b) samples[v].push_back(samplesOf(b, v));
      samples[v].push_back(meanOverBins(samples[v]));
      for (std::size_t row = 0; row < result.rows.size(); ++row) {
        result.rows[row].value[v] = samples[v][row].front();
        result.rows[row].interval[v] = estimator.of(samples[v][row], Bias::None).interval;
      }
    }
    const auto& ofKeys = samples[static_cast<std::size_t>(SoftmaxValue::PairPlasticity)];
    const auto& ofWeights = samples[static_cast<std::size_t>(SoftmaxValue::Plasticity)];
    result.plasticity = {ofWeights.back().front(), ofWeights.back()};
    std::vector<double> correlations;
    for (std::size_t r = 0; r < m_resamples.times.size(); ++r)
      correlations.push_back(correlationOf(ofKeys, ofWeights, r));
    result.correlation = {correlations.front(), correlations};
    return result;
  }

  // [resample] means over the bins that have a value.
  std::vector<double> meanOverBins(const std::vector<std::vector<double>>& bins) const {
    std::vector<double> means;
    for (std::size_t r = 0; r < m_resamples.times.size(); ++r) {
      std::vector<double> values;
      for (const std::vector<double>& bin : bins) values.push_back(bin[r]);
      means.push_back(meanOfPresent(values));
    }
    return means;
  }

  double correlationOf(const std::vector<std::vector<double>>& first,
                       const std::vector<std::vector<double>>& second, std::size_t resample) const {
    std::vector<double> x, y;
    for (std::size_t b = 0; b < m_bins.size(); ++b) {
      if (std::isnan(first[b][resample]) || std::isnan(second[b][resample])) continue;
      x.push_back(first[b][resample]);
      y.push_back(second[b][resample]);
    }
    return std::ssize(x) < kLeastBins ? kMissing : spearmanOf(x, y);
  }

  const SoftmaxInput& m_input;
  const Resamples& m_resamples;
  const Progress& m_progress;
  std::vector<Bin> m_bins;
  Matrix m_scores;  // of the bin at hand: [queries, then moved ones; keys from m_from on]
  std::int64_t m_from = 0;
};

}  // namespace

std::int64_t softmaxQueriesPerBin(std::int64_t texts, std::int64_t bins) {
  constexpr std::int64_t kLeast = 2, kMost = 16;
  return std::clamp(attentionQueriesPerText(texts) / bins, kLeast, kMost);
}

SoftmaxPositions softmaxPositionsOf(const SoftmaxInput& input, const Progress& progress) {
  return SoftmaxHead(input, progress).run();
}

}  // namespace plastiscope
