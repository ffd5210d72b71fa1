#include "core/analysis/plasticity.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/pair_models.h"
#include "core/analysis/pair_selection.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kValuedPairs = 2048;  // pairs valued at a time; also one block of the sum

ExactPosition meanPosition(const KindRows& query, std::span<const std::int64_t> rows) {
  ExactPosition mean{0, static_cast<std::int64_t>(rows.size())};
  for (const std::int64_t row : rows) mean.numerator += query.position[static_cast<std::size_t>(row)];
  return mean;
}

class HeadPlasticity {
 public:
  HeadPlasticity(const PlasticityInput& input, const ReflectedHead& reflected,
                 const AnalysisSettings& settings, const Progress& progress)
      : m_input(input),
        m_reflected(reflected),
        m_settings(settings),
        m_progress(progress),
        m_readsRows(needsQueryRows(settings.variance)),
        m_selection(input.keyOrder, input.place, input.frame, input.grid, settings),
        m_map(input.frame.window, mapCellOf(input.frame, settings)) {}

  Plasticity run(DriftChange change);

 private:
  ExactPosition tauOf(std::int64_t bin) const;
  std::vector<bool> validBins() const;
  BinResult frameOf(std::int64_t bin, const BinSpace& space) const;
  BinQueries queriesOf(std::int64_t bin, BinDrift drift) const;
  void valueBin(std::int64_t bin, const BinSpace& space, BinDrift drift, BinResult& result);
  // Mean of the kept values; missing when there is none.
  double valuePart(std::int64_t bin, PairModel& model, const ChosenPart& part, BinResult& result);
  // Sum of the kept values of a chunk.
  double valueChunk(std::int64_t bin, PairModel& model, std::span<const KeyPair> pairs, BinResult& result);

  const PlasticityInput& m_input;
  const ReflectedHead& m_reflected;
  const AnalysisSettings& m_settings;
  const Progress& m_progress;
  bool m_readsRows;
  PairSelection m_selection;
  PairMap m_map;
  std::vector<double> m_pp;
  std::vector<KeyPair> m_chunk;
};

ExactPosition HeadPlasticity::tauOf(std::int64_t bin) const {
  return binPosition(m_input, m_reflected.queries.rowsOf(bin), bin, m_settings);
}

BinResult HeadPlasticity::frameOf(std::int64_t bin, const BinSpace& space) const {
  const BinGrid& grid = m_input.grid;
  const auto rows = m_reflected.queries.rowsOf(bin);
  BinResult result;
  result.start = grid.start(bin);
  result.end = grid.end(bin);
  result.queries = static_cast<std::int64_t>(rows.size());
  result.tau = tauOf(bin);
  if (!rows.empty()) result.tauMean = meanPosition(m_input.query, rows).value();
  result.keys = space.keys;
  result.pairs = space.pairs;
  result.pairsUsed = space.wanted;
  result.valid = m_input.model.present && result.queries >= m_settings.minQueries && result.pairs > 0 &&
                 result.pairs >= m_settings.minPairs;
  return result;
}

BinQueries HeadPlasticity::queriesOf(std::int64_t bin, BinDrift drift) const {
  BinQueries queries;
  if (m_readsRows) queries.rows = gatheredRows(m_input.query.vectors, m_reflected.queries.rowsOf(bin));
  queries.drift = std::move(drift);
  queries.driftVariance = m_input.model.sigmaPosition2;
  queries.meanSquare = m_reflected.content.bins[static_cast<std::size_t>(bin)].meanSquare;
  return queries;
}

double HeadPlasticity::valueChunk(std::int64_t bin, PairModel& model, std::span<const KeyPair> pairs,
                                  BinResult& result) {
  m_progress.throwIfStopped();
  const auto& position = m_input.keyOrder.position;
  m_pp.resize(pairs.size());
  model.evaluate(pairs, m_pp.data());
  if (m_input.onPairs) m_input.onPairs(bin, pairs, model.values(m_pp.data()));
  double sum = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(m_pp[p])) {
      ++result.pairsDropped;
      continue;
    }
    sum += m_pp[p];
    const auto [early, late] = std::minmax(position[static_cast<std::size_t>(pairs[p].first)],
                                           position[static_cast<std::size_t>(pairs[p].second)]);
    m_map.add(early, late, m_pp[p]);
  }
  return sum;
}

double HeadPlasticity::valuePart(std::int64_t bin, PairModel& model, const ChosenPart& part,
                                 BinResult& result) {
  const std::int64_t dropped = result.pairsDropped;
  std::vector<double> sums;
  for (std::int64_t next = 0; next < part.count; next += kValuedPairs) {
    const auto pairs = part.slice(next, std::min(kValuedPairs, part.count - next), m_chunk);
    sums.push_back(valueChunk(bin, model, pairs, result));
  }
  const std::int64_t kept = part.count - (result.pairsDropped - dropped);
  result.pairsUsed += kept;
  return kept > 0 ? sumOf(sums) / static_cast<double>(kept) : kMissing;
}

void HeadPlasticity::valueBin(std::int64_t bin, const BinSpace& space, BinDrift drift, BinResult& result) {
  const ChosenPairs chosen = m_selection.choose(space, bin, result.tau);
  const auto model =
      makePairModel(m_settings.variance, queriesOf(bin, std::move(drift)), m_reflected.keys, chosen.used);
  m_map.startBin(result.tau);
  result.pairsUsed = 0;
  std::vector<double> means;
  for (const ChosenPart& part : chosen.parts) means.push_back(valuePart(bin, *model, part, result));
  result.ap = meanOfPresent(means, &result.cells);
}

std::vector<bool> HeadPlasticity::validBins() const {
  std::vector<bool> valid;
  for (std::int64_t bin = 0; bin < m_input.grid.bins(); ++bin)
    valid.push_back(frameOf(bin, m_selection.spaceOf(bin, tauOf(bin))).valid);
  return valid;
}

Plasticity HeadPlasticity::run(DriftChange change) {
  Plasticity plasticity;
  const bool modelled = m_input.model.present;
  std::optional<BinDrifts> drifts;
  if (modelled) drifts.emplace(m_reflected.content, m_input.model, DriftRule(m_settings, change));
  if (modelled && change == DriftChange::ContentFrozen) drifts->freezeOver(validBins());
  for (std::int64_t bin = 0; bin < m_input.grid.bins(); ++bin) {
    const BinSpace space = m_selection.spaceOf(bin, tauOf(bin));
    BinResult& result = plasticity.bins.emplace_back(frameOf(bin, space));
    if (result.valid) valueBin(bin, space, drifts->of(bin, result.tau), result);
  }
  if (modelled) plasticity.cells = m_map.cells();
  return plasticity;
}

}  // namespace

ExactPosition binPosition(const PlasticityInput& input, std::span<const std::int64_t> rows, std::int64_t bin,
                          const AnalysisSettings& settings) {
  return settings.tau == "mean" && !rows.empty() ? meanPosition(input.query, rows) : input.grid.midpoint(bin);
}

std::int64_t mapCellOf(const CaptureFrame& frame, const AnalysisSettings& settings) {
  return settings.mapCell > 0 ? settings.mapCell : frame.bucketSize;
}

Plasticity plasticityOf(const PlasticityInput& input, const ReflectedHead& reflected,
                        const AnalysisSettings& settings, const Progress& progress, DriftChange change) {
  return HeadPlasticity(input, reflected, settings, progress).run(change);
}

}  // namespace plastiscope
