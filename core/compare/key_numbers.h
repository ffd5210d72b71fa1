#pragma once
// The few numbers that one reads first of several models, and how they differ from the first.
#include <cstdint>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct KeyNumber {
  MetricInfo metric;
  std::vector<double> mean, sd;     // [models] over the heads that have a value; NaN = missing
  std::vector<std::int64_t> heads;  // [models] how many
  // Against the first model, over the heads that both have; missing for the first itself.
  std::vector<double> difference, low, high;  // [models] mean and its 95 % interval (bootstrap over heads)
  std::vector<std::int64_t> paired;           // [models] how many heads
};

// Those of the usual metrics that are compared, and `chosen` in front of them.
std::vector<KeyNumber> keyNumbers(const Comparison& comparison, const std::string& chosen);

}  // namespace plastiscope
