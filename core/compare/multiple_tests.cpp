#include "core/compare/multiple_tests.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"
#include "core/base/table.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxExhaustiveGroups = 12;
constexpr std::size_t kRandomFlips = 10000;
constexpr std::uint64_t kFlipPurpose = 0x666C6970;  // "flip"
constexpr double kTie = 1e-9;                       // relative: statistics that only rounding tells apart

// Sums of the flipped values over the groups of a set: [tests].
void addFlipped(const GroupValues& set, const std::vector<double>& signs, std::size_t first,
                std::vector<double>& sums) {
  const std::size_t tests = sums.size();
  std::ranges::fill(sums, 0.0);
  for (std::size_t group = 0; group < set.groups; ++group) {
    const double sign = signs[first + group];
    const double* values = set.values.data() + group * tests;
    for (std::size_t test = 0; test < tests; ++test) sums[test] += sign * values[test];
  }
}

// |t| of every test.
class FlippedStatistics {
 public:
  FlippedStatistics(const std::vector<GroupValues>& sets, std::size_t tests) : m_sets(sets), m_sums(tests) {
    for (const GroupValues& set : sets) {
      std::vector<double>& squares = m_squares.emplace_back(tests, 0.0);
      for (std::size_t i = 0; i < set.values.size(); ++i)
        squares[i % tests] += set.values[i] * set.values[i] / static_cast<double>(set.groups);
    }
  }

  const std::vector<double>& of(const std::vector<double>& signs) {
    m_statistic.assign(m_sums.size(), 0.0);
    m_variance.assign(m_sums.size(), 0.0);
    std::size_t first = 0;
    for (std::size_t s = 0; s < m_sets.size(); ++s) {
      addFlipped(m_sets[s], signs, first, m_sums);
      const auto n = static_cast<double>(m_sets[s].groups);
      for (std::size_t test = 0; test < m_sums.size(); ++test) {
        const double mean = m_sums[test] / n;
        m_statistic[test] += mean;
        m_variance[test] += std::max(0.0, m_squares[s][test] - mean * mean) / (n - 1);
      }
      first += m_sets[s].groups;
    }
    for (std::size_t test = 0; test < m_sums.size(); ++test) {
      const double size = std::fabs(m_statistic[test]);
      m_statistic[test] = size > 0 ? size / std::sqrt(m_variance[test]) : 0;
    }
    return m_statistic;
  }

 private:
  const std::vector<GroupValues>& m_sets;
  std::vector<std::vector<double>> m_squares;  // [sets][tests]
  std::vector<double> m_sums, m_statistic, m_variance;
};

std::vector<GroupValues> centred(std::vector<GroupValues> sets, std::size_t tests) {
  for (GroupValues& set : sets) {
    std::vector<double> mean(tests, 0.0);
    for (std::size_t i = 0; i < set.values.size(); ++i)
      mean[i % tests] += set.values[i] / static_cast<double>(set.groups);
    for (std::size_t i = 0; i < set.values.size(); ++i) set.values[i] -= mean[i % tests];
  }
  return sets;
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

std::vector<double> maxTAdjusted(const std::vector<GroupValues>& sets, std::size_t tests,
                                 std::uint64_t seed) {
  std::size_t groups = 0;
  for (const GroupValues& set : sets) {
    if (set.groups < 2) return std::vector<double>(tests, kMissing);
    groups += set.groups;
  }
  if (groups == 0 || tests == 0) return std::vector<double>(tests, kMissing);
  std::vector<double> signs(groups, 1.0);
  const std::vector<double> observed = FlippedStatistics(sets, tests).of(signs);
  const std::vector<GroupValues> flipped = sets.size() > 1 ? centred(sets, tests) : sets;
  FlippedStatistics statistics(flipped, tests);
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
    const double largest = std::ranges::max(statistics.of(signs));
    for (std::size_t test = 0; test < tests; ++test)
      if (largest >= observed[test] * (1 - kTie)) ++reached[test];
  }
  for (double& count : reached) count /= static_cast<double>(all ? flips : flips + 1);
  return reached;
}

}  // namespace plastiscope
