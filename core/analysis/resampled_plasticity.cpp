#include "core/analysis/resampled_plasticity.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/orientation.h"
#include "core/analysis/resampled_pairs.h"
#include "core/analysis/resampled_scores.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kResampledPairs = 2048;  // pairs valued at a time; also one block of the sum
constexpr std::int64_t kLeastQueries = 2;       // that have a variance

std::vector<std::int32_t> timesOfRows(const KindRows& rows, const std::vector<std::int32_t>& times) {
  std::vector<std::int32_t> each;
  for (const std::int64_t example : rows.example) each.push_back(times[static_cast<std::size_t>(example)]);
  return each;
}

// The bins of a resample before anything is valued. `whole`: of a jackknife, whose bins stay valid while
// anything can be valued; else null.
std::vector<BinResult> framesOf(const PlasticityInput& input, const AnalysisSettings& settings,
                                const ResampledPairs& pairs, const std::vector<std::int32_t>& times,
                                const BinnedQueries& queries, bool modelled,
                                const std::vector<BinResult>* whole) {
  std::vector<BinResult> bins;
  for (std::int64_t b = 0; b < input.grid.bins(); ++b) {
    BinResult bin;
    const auto rows = queries.rowsOf(b);
    bin.start = input.grid.start(b);
    bin.end = input.grid.end(b);
    bin.queries = static_cast<std::int64_t>(rows.size());
    bin.tau = binPosition(input, rows, b, settings);
    bin.pairs = pairs.eligiblePairs(b, times);
    const bool enough = whole == nullptr
                            ? bin.queries >= settings.minQueries && bin.pairs >= settings.minPairs
                            : (*whole)[static_cast<std::size_t>(b)].valid && bin.queries >= kLeastQueries;
    bin.valid = modelled && bin.pairs > 0 && enough;
    bins.push_back(bin);
  }
  return bins;
}

// One resample of the variance modes that see the queries through a drift model.
class ModelledResample {
 public:
  ModelledResample(const PlasticityInput& input, const AnalysisSettings& settings,
                   const ResampledPairs& pairs, const std::vector<std::int32_t>& times)
      : m_input(input), m_settings(settings), m_pairs(pairs), m_times(times) {}

  void value(std::vector<BinResult>& bins, const BinnedQueries& queries, const QueryModel& model,
             const Progress& progress);

 private:
  double valuePart(PairModel& model, const ChosenPart& part);

  const PlasticityInput& m_input;
  const AnalysisSettings& m_settings;
  const ResampledPairs& m_pairs;
  const std::vector<std::int32_t>& m_times;
  std::vector<KeyPair> m_buffer, m_weighing;
  std::vector<double> m_weight, m_pp;
};

// Weighted mean of the kept values; missing when there is none.
double ModelledResample::valuePart(PairModel& model, const ChosenPart& part) {
  std::vector<double> sums, weights;
  for (std::int64_t next = 0; next < part.count; next += kResampledPairs) {
    m_weighing.clear();
    m_weight.clear();
    for (const KeyPair& pair : part.slice(next, std::min(kResampledPairs, part.count - next), m_buffer)) {
      const std::int64_t weight = m_pairs.weightOf(pair, m_times);
      if (weight == 0) continue;
      m_weighing.push_back(pair);
      m_weight.push_back(static_cast<double>(weight));
    }
    m_pp.resize(m_weighing.size());
    model.evaluate(m_weighing, m_pp.data());
    double sum = 0, total = 0;
    for (std::size_t p = 0; p < m_pp.size(); ++p) {
      if (std::isnan(m_pp[p])) continue;
      sum += m_weight[p] * m_pp[p];
      total += m_weight[p];
    }
    sums.push_back(sum);
    weights.push_back(total);
  }
  const double total = sumOf(weights);
  return total > 0 ? sumOf(sums) / total : kMissing;
}

void ModelledResample::value(std::vector<BinResult>& bins, const BinnedQueries& queries,
                             const QueryModel& model, const Progress& progress) {
  const QueryContent content = queryContentOf(m_input.query, model, queries);
  const BinDrifts drifts(content, model, DriftRule(m_settings, DriftChange::None));
  const KeySides keys = makeKeySides(m_input.key.vectors, m_input.keyOrder.row, model);
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (!bins[b].valid) continue;
    progress.throwIfStopped();
    const auto bin = static_cast<std::int64_t>(b);
    const ChosenPairs& chosen = m_pairs.chosen(bin);
    const BinQueries side{{}, drifts.of(bin, bins[b].tau), model.sigmaPosition2, content.bins[b].meanSquare};
    const auto pairModel = makePairModel(m_settings.variance, side, keys, chosen.used);
    std::vector<double> means;
    for (const ChosenPart& part : chosen.parts) means.push_back(valuePart(*pairModel, part));
    bins[b].ap = meanOfPresent(means, &bins[b].cells);
  }
}

// The same in the turned basis of orientation = legacy, whose signs depend on the keys of the resample.
void valueTurned(const PlasticityInput& input, const AnalysisSettings& settings, const ResampledPairs& pairs,
                 const std::vector<std::int32_t>& times, std::vector<BinResult>& bins,
                 const BinnedQueries& queries, const Progress& progress) {
  const Vector signs = legacySigns(input.key, captureBuckets(input.frame), timesOfRows(input.key, times));
  const KindRows query = turned(input.query, signs), key = turned(input.key, signs);
  KindRows repeated;
  repeated.vectors = gatheredRows(query.vectors, queries.allRows());
  for (const std::int64_t row : queries.allRows())
    repeated.position.push_back(query.position[static_cast<std::size_t>(row)]);
  const QueryModel model = queryModelOf(repeated, momentsOf(repeated));
  const PlasticityInput side{input.place, input.frame, query, key, input.keyOrder, model, input.grid};
  ModelledResample(side, settings, pairs, times).value(bins, queries, model, progress);
}

// What is left out of a jackknife is no reason to leave a bin out of a mean over bins, nor to count it to
// another range of the window.
void keepBins(const std::vector<BinResult>& whole, std::vector<BinResult>& bins) {
  for (std::size_t b = 0; b < bins.size(); ++b) {
    bins[b].tau = whole[b].tau;
    if (!std::isnan(bins[b].ap)) continue;
    bins[b].ap = whole[b].ap;
    bins[b].cells = whole[b].cells;
  }
}

}  // namespace

std::vector<std::vector<BinResult>> resampledBins(const PlasticityInput& input,
                                                  const AnalysisSettings& settings,
                                                  const Resamples& resamples,
                                                  const std::vector<QueryModel>& models,
                                                  const Progress& progress) {
  const ResampledPairs pairs(input, settings);
  const bool byScores = settings.variance == "full" || settings.variance == "empirical";
  const bool jackknife = !resamples.leftOut.empty();
  std::vector<std::vector<BinResult>> all;
  all.reserve(models.size());
  for (std::size_t r = 0; r < models.size(); ++r) {
    progress.throwIfStopped();
    const auto& times = resamples.times[r];
    const BinnedQueries queries(input.query, input.grid, timesOfRows(input.query, times));
    std::vector<BinResult>& bins =
        all.emplace_back(framesOf(input, settings, pairs, times, queries, models[r].present,
                                  jackknife && r > 0 ? &all.front() : nullptr));
    if (byScores || !models[r].present) continue;
    if (settings.orientation == "legacy") {
      valueTurned(input, settings, pairs, times, bins, queries, progress);
    } else {
      ModelledResample(input, settings, pairs, times).value(bins, queries, models[r], progress);
    }
  }
  if (byScores) valueByScores(input, settings.variance, pairs, resamples, all, progress);
  for (std::size_t r = 1; jackknife && r < all.size(); ++r) keepBins(all.front(), all[r]);
  return all;
}

}  // namespace plastiscope
