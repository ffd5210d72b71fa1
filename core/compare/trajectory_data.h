#pragma once
// How models follow each other: checkpoints of one run, sizes of a family, windows.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"

namespace plastiscope {

// One metric over the models, in their order: the middle of the heads and how they spread around it.
struct TrajectorySeries {
  MetricInfo metric;
  bool median = false;              // slope_ratio, without a spread; else the middle is the mean
  std::vector<double> middle, sd;   // [models], NaN = missing; sd has divisor n
  std::vector<Interval> intervals;  // [models] of the middle, 95 %; empty where it is not known
  IntervalOver over = IntervalOver::None;
  std::vector<std::int64_t> heads;  // [models] that have a value; empty where it is not known
  std::vector<ReferenceCurve>
      published;  // [models] at x = the model's place; empty unless asked for and known

  ReferenceCurve publishedCurve() const;  // all of them, NaN where a model has none; empty without any
};

struct TrajectoryData {
  std::vector<ComparedName> models;
  std::vector<std::int64_t> windows;  // [models] tokens
  std::vector<std::int64_t> examples =
      {};  // [models] of the analyses, 0 = not known; empty for published ones
  std::vector<TrajectorySeries> series;
  std::string published;  // how the series were read where they are published ones; empty for own ones
  bool run = true;        // checkpoints of one model: a line may lead from one to the next
};

// `published`: with the thesis' values of the models and metrics that it knows. UsageError names the nearest
// metric.
TrajectoryData makeTrajectory(const Comparison& comparison, const std::vector<std::string>& metrics,
                              bool published = false);
// What the thesis follows over checkpoints: AP_first20 and AP_last20, bias_strength.
std::vector<std::string> checkpointMetrics();
std::vector<std::string> signalMetrics();  // r_q and r_k
// Models of one architecture and shape may be checkpoints of one; others have nothing between them.
bool isRun(const Comparison& comparison);
// Where a run of one family changes its window: the models before which a new phase begins.
std::vector<std::size_t> phaseStarts(const std::vector<ComparedName>& models,
                                     const std::vector<std::int64_t>& windows);

// index, model, metric, mean, sd, heads, mean_low, mean_high, interval_over; published values have the mean
// alone
Table tableOf(const TrajectoryData& data);

}  // namespace plastiscope
