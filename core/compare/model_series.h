#pragma once
// Chart data of metrics by model: bars (also of r by principal component), and sequences of models:
// checkpoints of one run, sizes of a family, windows.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/components_data.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct BarSeries {
  std::string name;                      // in the table: "r_q"
  std::string title;                     // rich text
  std::vector<double> value;             // [places]
  std::vector<double> low, high;         // [places] whiskers; empty = none
  std::vector<std::int64_t> heads;       // [places]; empty if not known
  std::vector<Interval> intervals = {};  // [places] of the value, 95 %; empty if not known
};

// Meaning of the bars' colours: query and key, the model's family, or none.
enum class BarColours { Kinds, Families, Plain };

struct BarData {
  std::string place;  // label below the bars: "model", "component"
  MetricInfo metric;  // of the axis
  BarColours colours = BarColours::Plain;
  std::vector<ComparedName> places;
  std::vector<std::int64_t> windows;  // [places] tokens; empty for components
  std::vector<BarSeries> series;
  IntervalOver over = IntervalOver::None;
  std::vector<double> levels;  // drawn dashed
  bool percent = false;        // shares, with their value above the bar
  std::string published;       // source of published numbers; "" for own ones
};

// Mean over heads with the interquartile range (p25, p75); slope_ratio: median, and a level at 1.
BarData makeModelBars(const Comparison& comparison, const std::string& metric);
// Mean |r_q_a| and |r_k_a| of every model, with the classes' thresholds as levels.
BarData makeSignalBars(const Comparison& comparison);
MetricInfo signalMetric();  // of makeSignalBars()
// Mean r of queries and keys, or the explained variance, by principal component.
BarData componentSignalBars(const ComponentsData& data);
BarData componentVarianceBars(const ComponentsData& data);

// Columns: PLACE, series, value, low, high, heads, value_low, value_high, interval_over
Table tableOf(const BarData& data);

// One metric over the models in order: mean (or median) and spread over heads.
struct TrajectorySeries {
  MetricInfo metric;
  bool median = false;              // median for slope_ratio, without a spread; else mean
  std::vector<double> middle, sd;   // [models], NaN = missing; sd has divisor n
  std::vector<Interval> intervals;  // [models] of the middle, 95 %; empty if not known
  IntervalOver over = IntervalOver::None;
  std::vector<std::int64_t> heads;  // [models] with a value; empty if not known
  std::vector<ReferenceCurve>
      published;  // [models] at x = index of the model; empty unless asked for and known

  ReferenceCurve publishedCurve() const;  // all values, NaN if a model has none; empty without any
};

struct TrajectoryData {
  std::vector<ComparedName> models;
  std::vector<std::int64_t> windows;  // [models] tokens
  std::vector<std::int64_t> examples =
      {};  // [models] of the analyses, 0 = not known; empty for published ones
  std::vector<TrajectorySeries> series;
  std::string published;  // source of published series; "" for own ones
  bool run = true;        // checkpoints of one model, which may be joined by lines
};

// `published`: adds the thesis' values of known models and metrics. UsageError names the nearest metric.
TrajectoryData makeTrajectory(const Comparison& comparison, const std::vector<std::string>& metrics,
                              bool published = false);
// Metrics that the thesis shows over checkpoints: AP_first20 and AP_last20, bias_strength.
std::vector<std::string> checkpointMetrics();
std::vector<std::string> signalMetrics();  // r_q and r_k
// Whether the models have the same architecture and shape, so that they may be checkpoints of one.
bool isRun(const Comparison& comparison);
// Indices of models at which a run of one family changes its window and a new phase begins.
std::vector<std::size_t> phaseStarts(const std::vector<ComparedName>& models,
                                     const std::vector<std::int64_t>& windows);

// Columns: index, model, metric, mean, sd, heads, mean_low, mean_high, interval_over; published values have
// only the mean
Table tableOf(const TrajectoryData& data);

}  // namespace plastiscope
