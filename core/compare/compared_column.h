#pragma once
// One number of every head of every model, by the names that figures take: a metric of the comparison, such
// as ap_drop or abs_r_k_a.
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct ComparedColumn {
  MetricInfo metric;
  bool median = false;                      // its middle is the median: a heavy tail
  std::vector<std::vector<double>> values;  // [models][heads], NaN = missing
};
// UsageError names the nearest metric.
ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name);

bool usesMedian(const std::string& column);  // method.md 6: slope_ratio

}  // namespace plastiscope
