#include "core/analysis/plasticity.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/pair_models.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kChunk = 2048;  // pairs valued at a time; also one block of the sum

// The pairs of one bin that are to be valued, and the keys they touch.
struct BinPairs {
  bool all = false;
  std::vector<KeyPair> sampled;  // when not all
  UsedKeys used;
};

class HeadPlasticity {
 public:
  HeadPlasticity(const PlasticityInput& input, const AnalysisSettings& settings, const Progress& progress)
      : m_input(input),
        m_settings(settings),
        m_progress(progress),
        m_queries(input.query, input.grid),
        m_map(input.frame.window, settings.mapCell > 0 ? settings.mapCell : input.frame.bucketSize) {}

  Plasticity run(DriftChange change);

 private:
  BinResult frameOf(std::int64_t bin) const;
  PairSpace pairSpaceOf(std::int64_t bin, const ExactPosition& tau) const;
  std::int64_t wantedOf(std::int64_t pairs) const {
    return m_settings.pairs == 0 ? pairs : std::min(pairs, m_settings.pairs);
  }
  BinPairs choosePairs(std::int64_t bin, const PairSpace& space) const;
  BinQueries queriesOf(std::int64_t bin, BinDrift drift) const;
  void valueBin(std::int64_t bin, BinDrift drift, BinResult& result);
  // Sum of the kept values of a chunk.
  double valueChunk(PairModel& model, std::span<const KeyPair> pairs, BinResult& result);

  const PlasticityInput& m_input;
  const AnalysisSettings& m_settings;
  const Progress& m_progress;
  BinnedQueries m_queries;
  PairMap m_map;
  KeySides m_keys;
  std::vector<double> m_pp;
  std::int64_t m_bin = 0;  // being valued
};

BinResult HeadPlasticity::frameOf(std::int64_t bin) const {
  const BinGrid& grid = m_input.grid;
  const auto rows = m_queries.rowsOf(bin);
  BinResult result;
  result.start = grid.start(bin);
  result.end = grid.end(bin);
  result.queries = static_cast<std::int64_t>(rows.size());
  result.tau = grid.midpoint(bin);
  if (!rows.empty()) {
    ExactPosition mean{0, result.queries};
    for (const std::int64_t row : rows)
      mean.numerator += m_input.query.position[static_cast<std::size_t>(row)];
    result.tauMean = mean.value();
    if (m_settings.tau == "mean") result.tau = mean;
  }
  const PairSpace space = pairSpaceOf(bin, result.tau);
  result.keys = space.keys();
  result.pairs = space.pairs();
  result.pairsUsed = wantedOf(space.pairs());
  result.valid = m_input.model.present && result.queries >= m_settings.minQueries && result.pairs > 0 &&
                 result.pairs >= m_settings.minPairs;
  return result;
}

PairSpace HeadPlasticity::pairSpaceOf(std::int64_t bin, const ExactPosition& tau) const {
  std::int64_t from = 0;
  if (const std::int64_t window = m_input.place.attentionWindow; window > 0) {
    // tau - t < window: t > (numerator - window * denominator) / denominator
    const std::int64_t numerator = tau.numerator - window * tau.denominator;
    from = numerator < 0 ? 0 : numerator / tau.denominator + 1;
  }
  return {m_input.keyOrder, from, m_input.grid.firstPosition(bin), m_settings.maxDistance};
}

BinPairs HeadPlasticity::choosePairs(std::int64_t bin, const PairSpace& space) const {
  BinPairs chosen;
  chosen.used.pairs = wantedOf(space.pairs());
  chosen.all = chosen.used.pairs == space.pairs();
  std::vector<std::int32_t>& used = chosen.used.rows;
  if (chosen.all) {
    const auto& position = m_input.keyOrder.position;
    for (std::size_t key = 0; key < position.size(); ++key) {
      if (space.holds(position[key])) used.push_back(static_cast<std::int32_t>(key));
    }
    return chosen;
  }
  const HeadPlace& place = m_input.place;
  const std::uint64_t state = pairGeneratorState(m_settings.seed, place.layer, place.head, bin);
  for (const std::int64_t rank : sampleRanks(space.pairs(), m_settings.pairs, state)) {
    chosen.sampled.push_back(space.pairOfRank(rank));
    used.push_back(chosen.sampled.back().first);
    used.push_back(chosen.sampled.back().second);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return chosen;
}

BinQueries HeadPlasticity::queriesOf(std::int64_t bin, BinDrift drift) const {
  BinQueries queries;
  queries.rows = gatheredRows(m_input.query.vectors, m_queries.rowsOf(bin));
  queries.drift = std::move(drift);
  queries.driftVariance = m_input.model.sigmaPosition2;
  queries.meanSquare = queries.rows.squaredNorm() / static_cast<double>(queries.rows.rows());
  return queries;
}

double HeadPlasticity::valueChunk(PairModel& model, std::span<const KeyPair> pairs, BinResult& result) {
  m_progress.throwIfStopped();
  const auto& position = m_input.keyOrder.position;
  m_pp.resize(pairs.size());
  model.evaluate(pairs, m_pp.data());
  if (m_input.onPairs) m_input.onPairs(m_bin, pairs, m_pp.data());
  double sum = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(m_pp[p])) {
      ++result.pairsDropped;
      continue;
    }
    sum += m_pp[p];
    m_map.add(position[static_cast<std::size_t>(pairs[p].first)],
              position[static_cast<std::size_t>(pairs[p].second)], m_pp[p]);
  }
  return sum;
}

void HeadPlasticity::valueBin(std::int64_t bin, BinDrift drift, BinResult& result) {
  const PairSpace space = pairSpaceOf(bin, result.tau);
  const BinPairs chosen = choosePairs(bin, space);
  const auto model =
      makePairModel(m_settings.variance, queriesOf(bin, std::move(drift)), m_keys, chosen.used);
  m_map.startBin(result.tau);
  m_bin = bin;
  std::vector<double> sums;
  std::vector<KeyPair> chunk;
  const std::int64_t wanted = wantedOf(space.pairs());
  for (std::int64_t next = 0; next < wanted;) {
    const std::int64_t count = std::min(kChunk, wanted - next);
    if (chosen.all) {
      chunk.clear();
      space.appendPairs(next, count, chunk);
      sums.push_back(valueChunk(*model, chunk, result));
    } else {
      const auto part =
          std::span(chosen.sampled).subspan(static_cast<std::size_t>(next), static_cast<std::size_t>(count));
      sums.push_back(valueChunk(*model, part, result));
    }
    next += count;
  }
  result.pairsUsed = wanted - result.pairsDropped;
  if (result.pairsUsed > 0) result.ap = sumOf(sums) / static_cast<double>(result.pairsUsed);
}

Plasticity HeadPlasticity::run(DriftChange change) {
  Plasticity plasticity;
  std::vector<DriftBin> drifting;
  for (std::int64_t bin = 0; bin < m_input.grid.bins(); ++bin) {
    plasticity.bins.push_back(frameOf(bin));
    drifting.push_back({plasticity.bins.back().tau, plasticity.bins.back().valid});
  }
  if (!m_input.model.present) return plasticity;
  m_keys = makeKeySides(m_input.key.vectors, m_input.keyOrder.row, m_input.model);
  std::vector<BinDrift> drifts = binDrifts(m_input.query, m_input.model, m_queries, drifting, change);
  for (std::size_t b = 0; b < drifts.size(); ++b) {
    if (plasticity.bins[b].valid)
      valueBin(static_cast<std::int64_t>(b), std::move(drifts[b]), plasticity.bins[b]);
  }
  plasticity.cells = m_map.cells();
  return plasticity;
}

}  // namespace

Plasticity plasticityOf(const PlasticityInput& input, const AnalysisSettings& settings,
                        const Progress& progress, DriftChange change) {
  return HeadPlasticity(input, settings, progress).run(change);
}

}  // namespace plastiscope
