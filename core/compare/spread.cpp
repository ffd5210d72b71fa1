#include "core/compare/spread.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/analysis/order_statistics.h"

namespace plastiscope {

Spread spreadOf(std::span<const double> values) {
  std::vector<double> present;
  for (const double value : values) {
    if (std::isfinite(value)) present.push_back(value);
  }
  Spread spread;
  spread.count = static_cast<std::int64_t>(present.size());
  if (present.empty()) return spread;
  const auto n = static_cast<double>(present.size());
  spread.mean = sumOf(present) / n;
  std::vector<double> squares;
  for (const double value : present) squares.push_back((value - spread.mean) * (value - spread.mean));
  spread.sd = std::sqrt(sumOf(squares) / n);
  std::sort(present.begin(), present.end());
  spread.p25 = percentileOf(present, 0.25);
  spread.median = percentileOf(present, 0.5);
  spread.p75 = percentileOf(present, 0.75);
  return spread;
}

}  // namespace plastiscope
