#pragma once
// Percentiles of a number over many heads, for bands instead of thousands of lines.
#include <cstdint>
#include <vector>

namespace plastiscope {

struct HeadSpread {
  double low5 = 0, low25 = 0, median = 0, high75 = 0, high95 = 0;  // NaN without any head
  std::int64_t heads = 0;                                          // heads with a value
};
// Ignores missing values.
HeadSpread headSpread(std::vector<double> values);

}  // namespace plastiscope
