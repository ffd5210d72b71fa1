#include "core/analysis/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace plastiscope {

namespace {

constexpr std::size_t kPairwiseBlock = 128;

// Sum of value(i), i in [begin, end), by halving down to blocks: the rounding error grows with log n.
template <typename Value>
double pairwiseSum(std::size_t begin, std::size_t end, const Value& value) {
  if (end - begin > kPairwiseBlock) {
    const std::size_t middle = begin + (end - begin) / 2;
    return pairwiseSum(begin, middle, value) + pairwiseSum(middle, end, value);
  }
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += value(i);
  return sum;
}

template <typename Value>
double pairwiseSum(std::size_t n, const Value& value) {
  return pairwiseSum(0, n, value);
}

}  // namespace

double sumOf(std::span<const double> values) {
  return pairwiseSum(values.size(), [&](std::size_t i) { return values[i]; });
}

void Extent::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void Extent::add(std::span<const double> values) {
  for (const double value : values) add(value);
}

bool isConstant(double variance, double mean) {
  return !(variance > 1e-24 * (variance + mean * mean));
}

LineStats lineStats(std::span<const double> x, std::span<const double> t, double origin) {
  LineStats stats;
  stats.n = std::ssize(x);
  if (x.empty()) return stats;
  const auto n = static_cast<double>(x.size());
  const double meanX = sumOf(x) / n;
  stats.meanT = sumOf(t) / n;
  const double meanT = stats.meanT;
  stats.mean = meanX + origin;
  stats.variance = pairwiseSum(x.size(), [&](std::size_t i) { return (x[i] - meanX) * (x[i] - meanX); }) / n;
  stats.varianceT = pairwiseSum(x.size(), [&](std::size_t i) { return (t[i] - meanT) * (t[i] - meanT); }) / n;
  stats.covariance =
      pairwiseSum(x.size(), [&](std::size_t i) { return (x[i] - meanX) * (t[i] - meanT); }) / n;
  stats.constantX = isConstant(stats.variance, stats.mean);
  stats.constantT = isConstant(stats.varianceT, stats.meanT);
  return stats;
}

double LineStats::pearson() const {
  if (n < 2 || constantX || constantT) return kMissing;
  return std::clamp(covariance / std::sqrt(variance * varianceT), -1.0, 1.0);
}

double LineStats::slope() const {
  return n < 2 || constantT ? kMissing : covariance / varianceT;
}

LineStats pooled(const LineStats& first, const LineStats& second, double firstWeight, double secondWeight) {
  LineStats pool;
  pool.n = first.n + second.n;
  if (first.n == 0 || second.n == 0) return pool;
  const double between = firstWeight * secondWeight;
  const double gap = first.mean - second.mean, gapT = first.meanT - second.meanT;
  pool.mean = firstWeight * first.mean + secondWeight * second.mean;
  pool.meanT = firstWeight * first.meanT + secondWeight * second.meanT;
  pool.variance = firstWeight * first.variance + secondWeight * second.variance + between * gap * gap;
  pool.varianceT = firstWeight * first.varianceT + secondWeight * second.varianceT + between * gapT * gapT;
  pool.covariance = firstWeight * first.covariance + secondWeight * second.covariance + between * gap * gapT;
  pool.constantX = isConstant(pool.variance, pool.mean);
  pool.constantT = isConstant(pool.varianceT, pool.meanT);
  return pool;
}

double meanOfPresent(std::span<const double> values, std::int64_t* count) {
  const auto missing = [](double value) { return std::isnan(value); };
  std::vector<double> present;
  if (std::ranges::any_of(values, missing)) {
    std::ranges::remove_copy_if(values, std::back_inserter(present), missing);
    values = present;
  }
  if (count != nullptr) *count = std::ssize(values);
  return values.empty() ? kMissing : sumOf(values) / static_cast<double>(values.size());
}

double meanSizeOfPresent(std::span<const double> values) {
  std::vector<double> sizes;
  for (const double value : values) sizes.push_back(std::abs(value));
  return meanOfPresent(sizes);
}

double squaredDeviations(std::span<const double> values, double mean) {
  std::vector<double> squares;
  for (const double value : values) {
    if (!std::isnan(value)) squares.push_back((value - mean) * (value - mean));
  }
  return sumOf(squares);
}

double sampleDeviation(std::span<const double> values) {
  std::int64_t count = 0;
  const double mean = meanOfPresent(values, &count);
  return count < 2 ? kMissing : std::sqrt(squaredDeviations(values, mean) / static_cast<double>(count - 1));
}

std::vector<double> asDoubles(std::span<const std::int64_t> values) {
  return {values.begin(), values.end()};
}

std::vector<double> sortedPresent(std::span<const double> values) {
  std::vector<double> present(values.begin(), values.end());
  std::erase_if(present, [](double value) { return std::isnan(value); });
  std::sort(present.begin(), present.end());
  return present;
}

namespace {

// From 1; ties have their average rank.
std::vector<double> averageRanks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    const double rank = static_cast<double>(first + last) / 2 + 1;
    for (; first <= last; ++first) ranks[order[first]] = rank;
  }
  return ranks;
}

}  // namespace

double spearmanOf(std::span<const double> x, std::span<const double> y) {
  return lineStats(averageRanks(x), averageRanks(y)).pearson();
}

double percentileOf(std::span<const double> sorted, double share) {
  if (sorted.empty()) return kMissing;
  const double place = static_cast<double>(sorted.size() - 1) * share;
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

Interval percentileInterval(std::span<const double> values) {
  const std::vector<double> sorted = sortedPresent(values);
  return {percentileOf(sorted, 0.025), percentileOf(sorted, 0.975)};
}

Interval wilsonInterval(double successes, double cases) {
  constexpr double kNormal = 1.959963984540054;  // 97.5 % quantile
  if (!(cases > 0)) return {};
  const double share = successes / cases, square = kNormal * kNormal / cases;
  const double half = kNormal * std::sqrt((share * (1 - share) + square / 4) / cases);
  return {std::max(0.0, (share + square / 2 - half) / (1 + square)),
          std::min(1.0, (share + square / 2 + half) / (1 + square))};
}

std::vector<double> falseDiscoveryRates(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!std::isnan(p[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  std::vector<double> rates(p.size(), kMissing);
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto rank = static_cast<double>(order.size() - i);
    least = std::min(least, p[order[i]] * static_cast<double>(order.size()) / rank);
    rates[order[i]] = least;
  }
  return rates;
}

double medianOfPresent(std::span<const double> values) {
  const std::vector<double> present = sortedPresent(values);
  if (present.empty()) return kMissing;
  const std::size_t half = present.size() / 2;
  return present.size() % 2 == 1 ? present[half] : (present[half - 1] + present[half]) / 2;
}

double studentQuantile(double freedom, double coverage) {
  return boost::math::quantile(boost::math::students_t(freedom), (1 + coverage) / 2);
}

double studentTail(double t, double freedom) {
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  return boost::math::cdf(boost::math::complement(boost::math::students_t(freedom), t));
}

}  // namespace plastiscope
