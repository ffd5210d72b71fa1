#pragma once
// A sample of values of which some may be missing, in a few numbers; and the few numbers that one reads first
// of several models.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/compare/comparison.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct Spread {
  std::int64_t count = 0;                 // values that are not missing
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
  double value = 0;  // NaN when no head has one
  std::int64_t heads = 0;
};
// Over the given heads of a model (indices into ComparedModel::heads).
Measured measure(const ComparedModel& model, const Measure& what, const std::vector<std::size_t>& heads);

std::vector<std::size_t> allHeads(const ComparedModel& model);

// What the thesis prints of a published model, over its heads; NaN where it prints nothing.
double publishedMiddle(const ComparedModel& model, const std::string& metric);

MetricInfo describeMeasure(const std::string& column);

struct ComparedColumn {
  MetricInfo metric;
  bool median = false;                      // its middle is the median: a heavy tail
  std::vector<std::vector<double>> values;  // [models][heads], NaN = missing
  IntervalOver over = IntervalOver::None;
  std::vector<Interval> intervals;  // [models] of the middle
  std::vector<double> published;    // [models] the middle of a published model, which has no heads; else NaN
  double middle(std::size_t model) const;  // over heads, or published
};
// UsageError names the nearest metric.
ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name);

// One kind of interval for all models: over examples where every analysis has them. `intervalsOf`: what an
// analysis has, modelIntervals or layerIntervals.
IntervalOver commonIntervals(const Comparison& comparison, const std::string& column,
                             IntervalOver (*intervalsOf)(const AnalysisFile&, const std::string&));

struct KeyNumber {
  MetricInfo metric;
  std::vector<double> mean, sd;     // [models] over the heads that have a value; NaN = missing
  std::vector<std::int64_t> heads;  // [models] how many
  // Against the first model, over the heads that both have; missing for the first itself.
  std::vector<double> difference, low, high;  // [models] mean and its 95 % interval
  std::vector<std::string> over, verdict;     // [models] as in paired.csv
  std::vector<std::int64_t> paired;           // [models] how many heads
};

// The chosen metric and the usual ones, as far as they are compared.
std::vector<std::string> shownMetrics(const Comparison& comparison, const std::string& chosen);
// Those of the usual metrics that are compared, and `chosen` in front of them.
std::vector<KeyNumber> keyNumbers(const Comparison& comparison, const std::string& chosen);

}  // namespace plastiscope
