#pragma once
// One-dimensional statistics with divisor n, two-pass; missing = NaN (method.md sections 0 and 8).
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct Interval {
  double low = kMissing, high = kMissing;
};

// Pairwise summation.
double sumOf(std::span<const double> values);

// A coordinate x beside positions t: what correlations, slopes and shares are made of.
struct LineStats {
  std::int64_t n = 0;
  double mean = kMissing, variance = kMissing;    // of x
  double meanT = kMissing, varianceT = kMissing;  // of t
  double covariance = kMissing;                   // of x and t
  bool constantX = true, constantT = true;

  double pearson() const;  // missing when a side is constant or n < 2
  double slope() const;    // missing when t is constant or n < 2
};

// `origin` is added to every x (x may be stored centred); it matters for the mean and the test for
// "constant".
LineStats lineStats(std::span<const double> x, std::span<const double> t, double origin = 0);

// Two classes as one pool with weights that sum to 1.
LineStats pooled(const LineStats& first, const LineStats& second, double firstWeight, double secondWeight);

// Var <= 1e-24 * mean of squares.
bool isConstant(double variance, double mean);

// Mean of the values that are not missing; missing when there is none. `count` receives how many.
double meanOfPresent(std::span<const double> values, std::int64_t* count = nullptr);

std::vector<double> asDoubles(std::span<const std::int64_t> values);

}  // namespace plastiscope
