#pragma once
// Numbers of compared models: summaries over heads with their intervals, and tests of differences.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/compare/comparison.h"
#include "core/compare/text_inference.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct Spread {
  std::int64_t count = 0;                 // present values
  double mean = kMissing, sd = kMissing;  // divisor n
  double p25 = kMissing, median = kMissing, p75 = kMissing;
};
Spread spreadOf(std::span<const double> values);

struct Measure {
  std::size_t metric = 0;  // index into Comparison::metrics
  std::string column;      // "slope_ratio", "slope_ratio_median"
  bool median = false;
};
std::vector<Measure> measuresOf(const Comparison& comparison);

struct Measured {
  double value = 0;  // NaN if no head has a value
  std::int64_t heads = 0;
};
// Summarises a metric over the given heads (indices into ComparedModel::heads).
Measured measure(const ComparedModel& model, const Measure& what, const std::vector<std::size_t>& heads);

std::vector<std::size_t> allHeads(const ComparedModel& model);
std::map<HeadName, std::size_t> headPlaces(const ComparedModel& model);  // indices of its heads
// [deciles of the depth] indices of the heads.
std::map<std::int64_t, std::vector<std::size_t>> headsByDecile(const ComparedModel& model);

// Printed value of a published model over its heads; NaN if there is none.
double publishedMiddle(const ComparedModel& model, const std::string& metric);
// The value as shown, with the digits of its source: two for a published bias over the window, which comes
// from a bias per token given to 0.0001.
std::string comparedText(double value, const MetricInfo& metric, bool published);

MetricInfo describeMeasure(const std::string& column);

struct ComparedColumn {
  MetricInfo metric;
  bool median = false;                      // summarised by the median: heavy-tailed
  std::vector<std::vector<double>> values;  // [models][heads], NaN = missing
  IntervalOver over = IntervalOver::None;
  std::vector<Interval> intervals;  // [models] of the middle
  std::vector<Spread> spread;       // [models]
  std::vector<double> middle;       // [models] over heads, or as published
};
// UsageError names the nearest metric.
ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name);

// The kind of interval that all models have: over examples if every analysis has them. `intervalsOf`:
// modelIntervals or layerIntervals.
IntervalOver commonIntervals(const Comparison& comparison, const std::string& column,
                             IntervalOver (*intervalsOf)(const AnalysisFile&, const std::string&));

struct KeyNumber {
  MetricInfo metric;
  std::vector<double> mean, sd;     // [models] over heads with a value; NaN = missing
  std::vector<std::int64_t> heads;  // [models] how many
  // Difference from the first model over the heads that both have; missing for the first itself.
  std::vector<double> difference, low, high;  // [models] mean with 95 % interval
  std::vector<std::string> over, verdict;     // [models] as in paired.csv
  std::vector<std::int64_t> paired;           // [models] number of paired heads
};

// The chosen metric and the default ones that are compared.
std::vector<std::string> shownMetrics(const Comparison& comparison, const std::string& chosen);
// Key numbers of the default metrics that are compared, with `chosen` first.
std::vector<KeyNumber> keyNumbers(const Comparison& comparison, const std::string& chosen);

// ---- Tests of differences over the texts of both models (text_inference.h)

// Equivalence margin: 0.02 for AP; nothing for metrics without one.
std::optional<double> marginOf(const std::string& metric, const ComparisonOptions& options);

// Values of these heads of a model, in order; NaN for heads it does not have.
std::vector<TextValue> textValues(const ComparedModel& model, const std::string& metric,
                                  const std::vector<HeadName>& heads);

// Whether a binned metric of plasticity has different bins in the two models; its values depend on bin width.
bool hasOtherBins(const ComparedModel& first, const ComparedModel& other, const std::string& metric);
inline constexpr const char* kOtherBins = "not comparable: bins";
// Advice for models with different bins and metrics without an interval over texts; "" if there is none.
std::string otherBinsText(const Comparison& comparison);
std::string untestedText(const Comparison& comparison);

}  // namespace plastiscope
