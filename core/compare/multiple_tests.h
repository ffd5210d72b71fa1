#pragma once
// Adjusts p values of several tests to control the family-wise error rate.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plastiscope {

// Holm 1979: the k-th smallest of m p values times m - k + 1, at least the previous adjusted value, at most
// 1. Missing p values stay missing and are not counted.
std::vector<double> holmAdjusted(std::span<const double> p);

// Contributions of groups of texts to tests, whose statistics are sums over sets of texts of their means.
struct GroupValues {
  std::size_t groups = 0;
  std::vector<double> values;  // [groups * tests]
};

// Single-step max-T (Westfall and Young 1993): the share of sign flips whose largest |t| over all tests is at
// least the |t| of a test, t = sum of means / sqrt(sum of (mean of squares - mean^2) / (groups - 1)). With
// one set of texts its values are flipped, with several their distances from the mean of their set (a wild
// bootstrap with Rademacher weights). Uses every flip up to 12 groups, else 10,000 random ones keyed by
// `seed`, and the observed values as one more. Missing with fewer than two groups.
std::vector<double> maxTAdjusted(std::vector<GroupValues> sets, std::size_t tests, std::uint64_t seed);

}  // namespace plastiscope
