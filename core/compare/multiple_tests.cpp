#include "core/compare/multiple_tests.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/base/table.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxExhaustiveGroups = 12, kRandomFlips = 10000;
constexpr std::uint64_t kFlipPurpose = 0x666C6970;  // "flip"
constexpr double kTie = 1e-9;                       // relative tolerance for rounding

// |t| of every test with these signs of the groups.
std::vector<double> flippedStatistics(const std::vector<GroupValues>& sets, std::size_t tests,
                                      const std::vector<double>& signs) {
  std::vector<double> statistic(tests), variance(tests);
  auto sign = signs.begin();
  for (const GroupValues& set : sets) {
    std::vector<double> sum(tests), squares(tests);
    for (auto value = set.values.begin(); value != set.values.end(); ++sign) {
      for (std::size_t test = 0; test < tests; ++test, ++value) {
        sum[test] += *sign * *value;
        squares[test] += *value * *value;
      }
    }
    const auto n = static_cast<double>(set.groups);
    for (std::size_t test = 0; test < tests; ++test) {
      const double mean = sum[test] / n;
      statistic[test] += mean;
      variance[test] += std::max(0.0, squares[test] / n - mean * mean) / (n - 1);
    }
  }
  for (std::size_t test = 0; test < tests; ++test) {
    const double size = std::fabs(statistic[test]);
    statistic[test] = size > 0 ? size / std::sqrt(variance[test]) : 0;
  }
  return statistic;
}

void centre(GroupValues& set, std::size_t tests) {
  std::vector<double> mean(tests);
  for (std::size_t i = 0; i < set.values.size(); ++i)
    mean[i % tests] += set.values[i] / static_cast<double>(set.groups);
  for (std::size_t i = 0; i < set.values.size(); ++i) set.values[i] -= mean[i % tests];
}

}  // namespace

std::vector<double> holmAdjusted(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!std::isnan(p[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [p](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size(), kMissing);
  double least = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    least = std::max(least, std::min(1.0, static_cast<double>(order.size() - k) * p[order[k]]));
    adjusted[order[k]] = least;
  }
  return adjusted;
}

std::vector<double> maxTAdjusted(std::vector<GroupValues> sets, std::size_t tests, std::uint64_t seed) {
  std::size_t groups = 0;
  for (const GroupValues& set : sets) groups += set.groups;
  if (tests == 0 || std::ranges::any_of(sets, [](const GroupValues& set) { return set.groups < 2; }))
    return std::vector<double>(tests, kMissing);
  std::vector<double> signs(groups, 1.0);
  const std::vector<double> observed = flippedStatistics(sets, tests, signs);
  for (GroupValues& set : sets) {
    if (sets.size() > 1) centre(set, tests);
  }
  const bool all = groups <= kMaxExhaustiveGroups;
  const std::size_t flips = all ? std::size_t{1} << (groups - 1) : kRandomFlips;
  PairGenerator generator(combine(combine(kSeedStart, mix64(seed)), mix64(kFlipPurpose)));
  std::vector<double> reached(tests, all ? 0.0 : 1.0);
  for (std::size_t flip = 0; flip < flips; ++flip) {
    std::uint64_t bits = flip;
    for (std::size_t group = 0; group < groups; ++group) {
      if (!all && group % 64 == 0) bits = generator.next();
      signs[group] = (bits >> (group % 64) & 1U) != 0 ? -1 : 1;
    }
    const double largest = std::ranges::max(flippedStatistics(sets, tests, signs));
    for (std::size_t test = 0; test < tests; ++test)
      if (largest >= observed[test] * (1 - kTie)) ++reached[test];
  }
  for (double& count : reached) count /= static_cast<double>(all ? flips : flips + 1);
  return reached;
}

}  // namespace plastiscope
