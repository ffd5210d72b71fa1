#pragma once
// A sample of values of which some may be missing, in a few numbers.
#include <cstdint>
#include <span>

#include "core/analysis/statistics.h"

namespace plastiscope {

struct Spread {
  std::int64_t count = 0;                 // values that are not missing
  double mean = kMissing, sd = kMissing;  // divisor n
  double p25 = kMissing, median = kMissing, p75 = kMissing;
};
Spread spreadOf(std::span<const double> values);

}  // namespace plastiscope
