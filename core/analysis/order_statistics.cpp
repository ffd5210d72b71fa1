#include "core/analysis/order_statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

// P(|T| <= sqrt(freedom) tan(angle)): finite sums for whole degrees of freedom (Abramowitz and Stegun 26.7.3,
// 26.7.4).
double coverageOf(int freedom, double angle) {
  const double square = std::cos(angle) * std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? std::cos(angle) : 1, sum = 0;
  for (int k = odd ? 3 : 2; k <= freedom; k += 2) {
    sum += term;
    term *= square * (k - 1) / k;
  }
  const double sine = std::sin(angle);
  return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

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

double studentQuantile(int freedom, double coverage) {
  double low = 0, high = std::numbers::pi / 2;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (coverageOf(freedom, middle) < coverage ? low : high) = middle;
  }
  return std::sqrt(freedom) * std::tan((low + high) / 2);
}

}  // namespace plastiscope
