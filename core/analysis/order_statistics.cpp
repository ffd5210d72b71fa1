#include "core/analysis/order_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"

namespace plastiscope {

std::vector<double> sortedPresent(std::span<const double> values) {
  std::vector<double> present(values.begin(), values.end());
  std::erase_if(present, [](double value) { return std::isnan(value); });
  std::sort(present.begin(), present.end());
  return present;
}

double percentileOf(std::span<const double> sorted, double share) {
  if (sorted.empty()) return kMissing;
  const double place = static_cast<double>(sorted.size() - 1) * share;
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

double medianOfPresent(std::span<const double> values) {
  const std::vector<double> present = sortedPresent(values);
  if (present.empty()) return kMissing;
  const std::size_t half = present.size() / 2;
  return present.size() % 2 == 1 ? present[half] : (present[half - 1] + present[half]) / 2;
}

}  // namespace plastiscope
