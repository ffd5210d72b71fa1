#include "core/analysis/aligned_plasticity.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/bin_plasticity.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kAlignedBins = 32, kLeastAlignedBins = 4;
constexpr std::int64_t kLeastTexts = 2;  // needed for queries to disagree

// Summary with equal weights of bins.
ApSummary equalSummary(const std::vector<BinResult>& bins, std::int64_t window, AnalysisSettings settings) {
  settings.weights = "equal";
  return summarise(bins, window, settings);
}

class AlignedHead {
 public:
  AlignedHead(const PlasticityInput& input, const AnalysisSettings& settings, const Resamples& resamples,
              const Progress& progress)
      : m_input(input),
        m_settings(settings),
        m_resamples(resamples),
        m_progress(progress),
        m_rotation(*input.place.rotation),
        m_steps(m_rotation, input.query),
        m_unrotated(unrotatedRows(input.query, m_steps)),
        m_mean(m_unrotated.colwise().mean()),
        m_queries(input.query, input.grid),
        m_selection(input.keyOrder, input.place, input.frame, input.grid, settings),
        m_map(input.frame.window, mapCellOf(input.frame, settings)) {}
  AlignedPlasticity run() {
    AlignedPlasticity result;
    result.resampled.resize(m_resamples.times.size());
    for (std::int64_t bin = 0; bin < m_input.grid.bins(); ++bin) valueBin(bin, result);
    result.cells = m_map.cells();
    result.summary = equalSummary(result.bins, m_input.frame.window, m_settings);
    result.positionAloneMean = meanOfPresent(result.positionAlone);
    const auto valued =
        std::ranges::count_if(result.bins, [](const BinResult& bin) { return !std::isnan(bin.ap); });
    result.coverage = static_cast<double>(valued) / static_cast<double>(result.bins.size());
    return result;
  }

 private:
  void valueBin(std::int64_t bin, AlignedPlasticity& result) {
    m_progress.throwIfStopped();
    BinResult& frame = result.bins.emplace_back(binFrame(m_input, m_queries.rowsOf(bin), bin, m_settings));
    frame.tau = m_input.grid.midpoint(bin);
    const BinSpace space = m_selection.spaceOf(bin, frame.tau);
    frame.keys = space.keys;
    frame.pairs = space.pairs;
    frame.pairsUsed = space.wanted;
    frame.valid = frame.queries >= m_settings.minQueries && frame.texts >= kLeastTexts && frame.pairs > 0 &&
                  frame.pairs >= m_settings.minPairs;
    result.positionAlone.push_back(kMissing);
    for (std::vector<double>& bins : result.resampled) bins.push_back(kMissing);
    if (!frame.valid) return;

    std::vector<TextQueries> texts;
    const std::vector<std::int64_t> rows = gatheredByText(m_input.query, m_queries.rowsOf(bin), texts);
    const ChosenPairs chosen = m_selection.choose(space, bin, frame.tau);
    const BinPairs pairs(m_input.key, m_input.keyOrder, chosen);
    const std::string& name = m_settings.alignedEstimator;
    const Matrix queries = alignedQueries(m_input.query, m_unrotated, m_rotation, rows, frame.tau.value());
    const auto aligned = makeBinEstimator(name, queries, texts, m_resamples);
    m_map.startBin(frame.tau);
    const Matrix alone = queriesOfMean(rows);
    const BinMean mean =
        binMean(*aligned, pairs, pairs.keys(), m_resamples, &alone,
                [&](std::span<const KeyPair> local, const double* pp) {
                  for (std::size_t p = 0; p < local.size(); ++p) {
                    if (std::isnan(pp[p])) continue;
                    const auto [early, late] =
                        std::minmax(pairs.positions()[local[p].first], pairs.positions()[local[p].second]);
                    m_map.add(early, late, pp[p]);
                  }
                });
    frame.ap = mean.ap;
    frame.cells = mean.parts;
    frame.pairsUsed = mean.kept;
    frame.pairsDropped = mean.dropped;
    for (std::size_t r = 0; r < mean.resampled.size(); ++r) result.resampled[r].back() = mean.resampled[r];
    result.positionAlone.back() = mean.other;
  }

  // The mean un-rotated query at the position of every row.
  Matrix queriesOfMean(std::span<const std::int64_t> rows) const {
    Matrix moved(static_cast<Eigen::Index>(rows.size()), m_mean.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      m_steps.apply(static_cast<std::size_t>(rows[i]), m_mean, moved.row(at).data());
    }
    return moved;
  }

  const PlasticityInput& m_input;
  const AnalysisSettings& m_settings;
  const Resamples& m_resamples;
  const Progress& m_progress;
  const PositionRotation& m_rotation;
  RotationSteps m_steps;      // [queries] from position 0 to theirs
  Matrix m_unrotated;         // [queries, head_dim]
  Eigen::RowVectorXd m_mean;  // mean of m_unrotated
  BinnedQueries m_queries;
  PairSelection m_selection;
  PairMap m_map;
};

}  // namespace

const BinResult* AlignedPlasticity::binAt(double position) const {
  const auto found = std::ranges::find_if(
      bins, [position](const BinResult& bin) { return bin.start <= position && position < bin.end; });
  return found == bins.end() ? nullptr : &*found;
}

ApSummary resampledSummary(const AlignedPlasticity& aligned, std::size_t resample, std::int64_t window,
                           const AnalysisSettings& settings) {
  std::vector<BinResult> bins = aligned.bins;
  for (std::size_t b = 0; b < bins.size(); ++b) bins[b].ap = aligned.resampled[resample][b];
  return equalSummary(bins, window, settings);
}

std::int64_t alignedBinCount(std::int64_t queryRows, std::int64_t heads, std::int64_t minQueries) {
  if (heads <= 0) return kAlignedBins;
  return std::clamp(queryRows / (heads * 2 * std::max<std::int64_t>(1, minQueries)), kLeastAlignedBins,
                    kAlignedBins);
}

BinGrid alignedGrid(const AnalysisSettings& settings, const CaptureFrame& frame, const BinGrid& binned) {
  if (settings.bins != "density") return binned;
  AnalysisSettings own = settings;
  own.bins = std::to_string(frame.alignedBins);
  return makeBinGrid(own, frame, frame.alignedBins);
}

Matrix alignedQueries(const VectorRows& query, const Matrix& unrotated, const PositionRotation& rotation,
                      std::span<const std::int64_t> which, double tau) {
  Matrix moved(static_cast<Eigen::Index>(which.size()), unrotated.cols());
  RotationSteps steps(rotation);
  for (std::size_t i = 0; i < which.size(); ++i) {
    const auto row = static_cast<std::size_t>(which[i]);
    const auto at = static_cast<Eigen::Index>(i);
    if (i == 0 || rotation.frequencies.size() > 1) {
      steps.clear();
      steps.add(query.example[row], tau);
    }
    steps.apply(0, unrotated.row(which[i]), moved.row(at).data());
    if (rotation.temperatureBeta == 0) continue;
    moved.row(at) *=
        rotation.temperature(tau) / rotation.temperature(static_cast<double>(query.position[row]));
  }
  return moved;
}

std::vector<std::int64_t> gatheredByText(const VectorRows& query, std::span<const std::int64_t> rows,
                                         std::vector<TextQueries>& texts) {
  std::vector<std::int64_t> order(rows.begin(), rows.end());
  const auto textOf = [&query](std::int64_t row) { return query.example[row]; };
  std::ranges::stable_sort(order, {}, textOf);
  for (const std::int64_t row : order) {
    if (texts.empty() || texts.back().text != textOf(row)) texts.push_back({textOf(row), 0});
    ++texts.back().queries;
  }
  return order;
}

AlignedPlasticity alignedPlasticityOf(const PlasticityInput& input, const AnalysisSettings& settings,
                                      const Resamples& resamples, const Progress& progress) {
  AlignedPlasticity none;
  none.missing = settings.queries == "binned"      ? "setting queries = binned"
                 : input.place.rotation == nullptr ? input.place.rotationUnknown
                 : input.query.rows() == 0         ? "no queries"
                                                   : "";
  if (!none.missing.empty()) return none;
  return AlignedHead(input, settings, resamples, progress).run();
}

}  // namespace plastiscope
