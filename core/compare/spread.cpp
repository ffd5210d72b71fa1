#include "core/compare/spread.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace plastiscope {

double percentileOf(std::span<const double> sorted, double q) {
  if (sorted.empty()) return kMissing;
  const double place = static_cast<double>(sorted.size() - 1) * q;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

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
