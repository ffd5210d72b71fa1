#pragma once
// One number of every head of every model, by the names that figures take: a metric of the comparison, such
// as ap_drop or abs_r_k_a.
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct ComparedColumn {
  MetricInfo metric;
  bool median = false;                      // its middle is the median: a heavy tail
  std::vector<std::vector<double>> values;  // [models][heads], NaN = missing
  IntervalOver over = IntervalOver::None;
  std::vector<HeadInterval> intervals;  // [models] of the middle
};
// UsageError names the nearest metric.
ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name);

// One kind of interval for all models: over examples where every analysis has them.
IntervalOver modelIntervals(const Comparison& comparison, const std::string& column);

}  // namespace plastiscope
