#pragma once
// The numbers that tables hold of each metric: its mean, and for a heavy tail its median too.
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace plastiscope {

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

}  // namespace plastiscope
