#include "core/analysis/plasticity.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/pair_models.h"
#include "core/analysis/reach.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxDenseCells = 1 << 20;

// Exact floor(value / divisor) for value >= 0 by the divisor's reciprocal and a correction, without a
// division.
std::int64_t floorDivide(std::int64_t value, std::int64_t divisor, double inverse) {
  auto quotient = static_cast<std::int64_t>(static_cast<double>(value) * inverse);
  const std::int64_t rest = value - quotient * divisor;
  if (rest < 0) return quotient - 1;
  return rest >= divisor ? quotient + 1 : quotient;
}

}  // namespace

void PairMap::Sum::add(std::int64_t count, double value) {
  pairs += count;
  const double total = sum + value;
  carried += std::abs(sum) >= std::abs(value) ? (sum - total) + value : (value - total) + sum;
  sum = total;
}

PairMap::PairMap(std::int64_t window, std::int64_t cell) : m_cellsOfPairs(cell), m_side(window / cell + 1) {
  m_dense = m_side <= 1 << 15 && m_side * m_side <= kMaxDenseCells;
  if (m_dense) m_grid.resize(m_side * m_side);
}

void MapGrid::startBin(const Rational& tau) {
  m_tauNumerator = 2 * tau.numerator;
  m_scale = tau.denominator;
  m_inverseRow = 1 / static_cast<double>(2 * m_scale * m_cell);
}

std::pair<std::int64_t, std::int64_t> MapGrid::cellOf(std::int64_t first, std::int64_t second) const {
  // y / cell = (2 tau - (t_i + t_j)) / (2 cell)
  const std::int64_t doubled = m_tauNumerator - m_scale * (first + second);
  return {floorDivide(second - first, m_cell, m_inverseCell),
          floorDivide(doubled, 2 * m_scale * m_cell, m_inverseRow)};
}

void PairMap::startBin(const Rational& tau) {
  flush();
  m_cellsOfPairs.startBin(tau);
}

PairMap::Sum& PairMap::at(std::int64_t index) {
  return m_dense ? m_grid[index] : m_sparse[index];
}

void PairMap::flush() {
  if (m_openPairs > 0) at(m_openIndex).add(m_openPairs, m_openSum);
  m_openPairs = 0;
  m_openSum = 0;
}

void PairMap::add(std::int64_t first, std::int64_t second, double pp) {
  const auto [column, row] = m_cellsOfPairs.cellOf(first, second);
  const std::int64_t index = column * m_side + row;
  if (index != m_openIndex) {
    flush();
    m_openIndex = index;
  }
  ++m_openPairs;
  m_openSum += pp;
}

std::vector<MapCellSum> PairMap::cells() {
  flush();
  std::vector<MapCellSum> cells;
  const auto append = [&](std::int64_t index, const Sum& sum) {
    if (sum.pairs > 0) cells.push_back({index / m_side, index % m_side, sum.pairs, sum.sum + sum.carried});
  };
  for (std::size_t i = 0; i < m_grid.size(); ++i) append(static_cast<std::int64_t>(i), m_grid[i]);
  for (const auto& [index, sum] : m_sparse) append(index, sum);
  std::sort(cells.begin(), cells.end(), [](const MapCellSum& a, const MapCellSum& b) {
    return a.distanceCell != b.distanceCell ? a.distanceCell < b.distanceCell
                                            : a.midpointCell < b.midpointCell;
  });
  return cells;
}

namespace {

constexpr std::int64_t kValuedPairs = 2048;  // pairs evaluated at a time; also the block size of sums

Rational meanPosition(const VectorRows& query, std::span<const std::int64_t> rows) {
  Rational mean{0, std::ssize(rows)};
  for (const std::int64_t row : rows) mean.numerator += query.position[row];
  return mean;
}

// Number of different texts among the rows.
std::int64_t countTexts(const VectorRows& query, std::span<const std::int64_t> rows) {
  std::vector<std::int64_t> texts;
  for (const std::int64_t row : rows) texts.push_back(query.example[row]);
  std::ranges::sort(texts);
  return std::ranges::distance(texts.begin(), std::ranges::unique(texts).begin());
}

class HeadPlasticity {
 public:
  HeadPlasticity(const PlasticityInput& input, const HouseholderHead& reflected,
                 const AnalysisSettings& settings, const Progress& progress)
      : m_input(input),
        m_reflected(reflected),
        m_settings(settings),
        m_selection(input.keyOrder, input.place, input.frame, input.grid, settings),
        m_map(input.frame.window, mapCellOf(input.frame, settings)),
        m_valuation(input, reflected, settings, progress, {.map = &m_map}) {}

  Plasticity run(DriftChange change) {
    Plasticity plasticity;
    const bool modelled = m_input.model.present;
    std::optional<BinDrifts> drifts;
    if (modelled) drifts.emplace(m_reflected.content, m_input.model, DriftRule(m_settings, change));
    if (modelled && change == DriftChange::ContentFrozen) drifts->freezeOver(validBins());
    for (std::int64_t bin = 0; bin < m_input.grid.bins(); ++bin) {
      BinResult& result = plasticity.bins.emplace_back(frameOf(bin));
      const BinSpace space = spaceOf(bin, result);
      if (!result.valid || m_settings.queries == "aligned") continue;
      m_map.startBin(result.tau);
      m_valuation.value(bin, m_selection.choose(space, bin, result.tau), drifts->of(bin, result.tau), result);
    }
    if (modelled) plasticity.cells = m_map.cells();
    return plasticity;
  }

 private:
  std::vector<bool> validBins() const {
    std::vector<bool> valid;
    for (std::int64_t bin = 0; bin < m_input.grid.bins(); ++bin) {
      BinResult frame = frameOf(bin);
      spaceOf(bin, frame);
      valid.push_back(frame.valid);
    }
    return valid;
  }

  BinResult frameOf(std::int64_t bin) const {
    return binFrame(m_input, m_reflected.queries.rowsOf(bin), bin, m_settings);
  }

  // Sources of the bin's pairs; sets their counts in `frame`.
  BinSpace spaceOf(std::int64_t bin, BinResult& frame) const {
    BinSpace space = m_selection.spaceOf(bin, frame.tau);
    frame.keys = space.keys;
    frame.pairs = space.pairs;
    frame.pairsUsed = space.wanted;
    frame.valid = m_input.model.present && frame.queries >= m_settings.minQueries && frame.pairs > 0 &&
                  frame.pairs >= m_settings.minPairs;
    return space;
  }

  const PlasticityInput& m_input;
  const HouseholderHead& m_reflected;
  const AnalysisSettings& m_settings;
  PairSelection m_selection;
  PairMap m_map;
  BinValuation m_valuation;
};

}  // namespace

BinResult binFrame(const PlasticityInput& input, std::span<const std::int64_t> rows, std::int64_t bin,
                   const AnalysisSettings& settings) {
  BinResult frame;
  frame.start = input.grid.start(bin);
  frame.end = input.grid.end(bin);
  frame.queries = std::ssize(rows);
  frame.tau = binPosition(input, rows, bin, settings);
  if (!rows.empty()) frame.tauMean = meanPosition(input.query, rows).value();
  frame.texts = countTexts(input.query, rows);
  frame.textsDiffer = std::ranges::any_of(input.frame.textTokens, [&frame](std::int64_t tokens) {
    return static_cast<double>(tokens) <= frame.start;
  });
  frame.reach = meanReach(input.place, input.grid.firstPosition(bin), input.grid.firstPosition(bin + 1));
  return frame;
}

Rational binPosition(const PlasticityInput& input, std::span<const std::int64_t> rows, std::int64_t bin,
                     const AnalysisSettings& settings) {
  return settings.tau == "mean" && !rows.empty() ? meanPosition(input.query, rows) : input.grid.midpoint(bin);
}

std::int64_t mapCellOf(const CaptureFrame& frame, const AnalysisSettings& settings) {
  return settings.mapCell > 0 ? settings.mapCell : frame.bucketSize;
}

BinValuation::BinValuation(const PlasticityInput& input, const HouseholderHead& reflected,
                           const AnalysisSettings& settings, const Progress& progress,
                           ValuationOptions options)
    : m_input(input),
      m_reflected(reflected),
      m_settings(settings),
      m_progress(progress),
      m_options(std::move(options)),
      m_readsRows(needsQueryRows(settings.variance)) {}

BinQueries BinValuation::queriesOf(std::int64_t bin, BinDrift drift) const {
  BinQueries queries;
  if (m_readsRows) queries.rows = gatheredRows(m_input.query.vectors, m_reflected.queries.rowsOf(bin));
  queries.drift = std::move(drift);
  queries.driftVariance = m_input.model.sigmaPosition2;
  queries.meanSquare = m_reflected.content.bins[bin].meanSquare;
  return queries;
}

std::span<const KeyPair> BinValuation::weighed(std::span<const KeyPair> pairs) {
  m_weighed.clear();
  m_weight.clear();
  for (const KeyPair& pair : pairs) {
    const std::int64_t weight = m_options.weight(pair);
    if (weight == 0) continue;
    m_weighed.push_back(pair);
    m_weight.push_back(static_cast<double>(weight));
  }
  return m_weighed;
}

BinValuation::Sum BinValuation::valueChunk(std::int64_t bin, PairModel& model, std::span<const KeyPair> pairs,
                                           BinResult& result) {
  m_progress.throwIfStopped();
  const auto& position = m_input.keyOrder.position;
  const bool weighing = static_cast<bool>(m_options.weight);
  if (weighing) pairs = weighed(pairs);
  m_pp.resize(pairs.size());
  model.evaluate(pairs, m_pp.data());
  if (m_input.onPairs) m_input.onPairs(bin, pairs, model.values(m_pp.data()));
  Sum sum;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(m_pp[p])) {
      ++result.pairsDropped;
      continue;
    }
    const double weight = weighing ? m_weight[p] : 1;
    sum.pp += weight * m_pp[p];
    sum.weight += weight;
    ++result.pairsUsed;
    if (m_options.map == nullptr) continue;
    const auto [early, late] = std::minmax(position[pairs[p].first], position[pairs[p].second]);
    m_options.map->add(early, late, m_pp[p]);
  }
  return sum;
}

// Missing if no pair is kept.
double BinValuation::valuePart(std::int64_t bin, PairModel& model, const ChosenPart& part,
                               BinResult& result) {
  std::vector<double> sums, weights;
  for (std::int64_t next = 0; next < part.count; next += kValuedPairs) {
    const auto pairs = part.slice(next, std::min(kValuedPairs, part.count - next), m_chunk);
    const Sum sum = valueChunk(bin, model, pairs, result);
    sums.push_back(sum.pp);
    weights.push_back(sum.weight);
  }
  const double total = sumOf(weights);  // exact, because the weights are integers
  return total > 0 ? sumOf(sums) / total : kMissing;
}

void BinValuation::value(std::int64_t bin, const ChosenPairs& chosen, BinDrift drift, BinResult& result) {
  const auto model =
      makePairModel(m_settings.variance, queriesOf(bin, std::move(drift)), m_reflected.keys, chosen.used);
  result.pairsUsed = 0;
  std::vector<double> means;
  for (const ChosenPart& part : chosen.parts) means.push_back(valuePart(bin, *model, part, result));
  result.ap = meanOfPresent(means, &result.cells);
}

Plasticity plasticityOf(const PlasticityInput& input, const HouseholderHead& reflected,
                        const AnalysisSettings& settings, const Progress& progress, DriftChange change) {
  return HeadPlasticity(input, reflected, settings, progress).run(change);
}

}  // namespace plastiscope
