#include "core/analysis/bootstrap.h"

#include <cmath>

#include "core/analysis/columns.h"
#include "core/analysis/order_statistics.h"
#include "core/analysis/resampled_moments.h"
#include "core/analysis/resampled_plasticity.h"
#include "core/analysis/tables.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr double kCoverage = 0.95, kLowPercentile = 0.025, kHighPercentile = 0.975;

void requireExamples(const KindRows& rows, const Resamples& resamples) {
  for (const std::int64_t example : rows.example) {
    if (example >= 0 && example < resamples.examples) continue;
    throw InputError("a row of example " + std::to_string(example) + ": expected fewer than " +
                     std::to_string(resamples.examples) + " examples");
  }
}

std::vector<std::int32_t> timesOf(const KindRows& rows, const std::vector<std::int32_t>& times) {
  std::vector<std::int32_t> each;
  for (const std::int64_t example : rows.example) each.push_back(times[static_cast<std::size_t>(example)]);
  return each;
}

// All heads' bins in all resamples are too many to keep, what they say is not.
std::vector<Estimate> profileEstimates(const std::vector<std::vector<BinResult>>& resampled,
                                       const Estimator& estimator) {
  std::vector<Estimate> estimates;
  for (std::size_t bin = 0; !resampled.empty() && bin < resampled.front().size(); ++bin) {
    std::vector<double> values;
    for (const auto& bins : resampled) values.push_back(bins[bin].ap);
    estimates.push_back(estimator.of(values));
  }
  return estimates;
}

Interval percentilesOf(std::span<const double> values) {
  const std::vector<double> sorted = sortedPresent(values);
  return {percentileOf(sorted, kLowPercentile), percentileOf(sorted, kHighPercentile)};
}

}  // namespace

Resamples resamplesOf(const AnalysisSettings& settings, std::int64_t examples) {
  return settings.leavesOut() ? leaveOut(examples, settings.jackknifeGroups)
                              : drawResamples(settings.seed, settings.bootstrap, examples);
}

Estimator::Estimator(const Resamples& resamples) : m_jackknife(!resamples.leftOut.empty()) {
  const auto groups = static_cast<int>(resamples.leftOut.size()) - 1;
  if (groups < 2) return;
  for (const std::int64_t leftOut : resamples.leftOut) {
    const double share = static_cast<double>(leftOut) / static_cast<double>(resamples.examples);
    m_bias.push_back(1 - share);
    m_variance.push_back(leftOut > 0 ? (1 / share - 1) / groups : 0);
  }
  m_student = studentQuantile(groups - 1, kCoverage);
}

Estimate Estimator::of(std::span<const double> values) const {
  if (!m_jackknife) return {kMissing, percentilesOf(values)};
  if (m_bias.size() != values.size()) return {};  // fewer than two groups
  double bias = 0, variance = 0;
  for (std::size_t group = 1; group < values.size(); ++group) {
    const double apart = values[0] - values[group];
    bias += m_bias[group] * apart;
    variance += m_variance[group] * apart * apart;
  }
  const double corrected = values[0] + bias, half = m_student * std::sqrt(variance);
  return {corrected, {corrected - half, corrected + half}};
}

HeadSamples bootstrapHead(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                          const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                          const Resamples& resamples, const Progress& progress) {
  requireExamples(query, resamples);
  requireExamples(key.rows, resamples);
  const ResampledMoments queryMoments(query, resamples), keyMoments(key.rows, resamples);
  std::vector<HeadResult> results(static_cast<std::size_t>(resamples.count()));
  std::vector<QueryModel> models;
  for (std::size_t r = 0; r < results.size(); ++r) {
    progress.throwIfStopped();
    const auto resample = static_cast<std::int64_t>(r);
    const Moments queries = queryMoments.of(resample), keys = keyMoments.of(resample);
    results[r].pca = leadingComponentOf(queries, keys, settings);
    results[r].rotation = rotationOf({}, {}, queries, keys, frame, settings);
    results[r].model = queryModelOf(query, queries, timesOf(query, resamples.times[r]));
    models.push_back(results[r].model);
  }
  const QueryModel none;  // every resample has its own
  const PlasticityInput input{place, frame, query, key.rows, key.order, none, grid};
  const auto bins = resampledBins(input, settings, resamples, models, progress);
  for (std::size_t r = 0; r < results.size(); ++r)
    results[r].summary = summarise(bins[r], frame.window, settings);
  const Table table = headsTable(results);
  HeadSamples samples{{}, profileEstimates(bins, Estimator(resamples))};
  for (const std::string& name : sampledColumns()) samples.values.push_back(table.numbers(name));
  return samples;
}

}  // namespace plastiscope
