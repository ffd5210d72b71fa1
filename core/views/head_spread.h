#pragma once
// How a number is spread over many heads: percentiles, for bands instead of thousands of lines.
#include <cstdint>
#include <vector>

namespace plastiscope {

struct HeadSpread {
  double low5 = 0, low25 = 0, median = 0, high75 = 0, high95 = 0;  // NaN without any head
  std::int64_t heads = 0;                                          // that have a value
};
// Of the values that are not missing.
HeadSpread headSpread(std::vector<double> values);

}  // namespace plastiscope
