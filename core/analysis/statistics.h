#pragma once
// One-dimensional statistics with divisor n, two-pass; missing = NaN (method.md, Notation and Degenerate
// cases). Medians, percentiles and Student's quantile.
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct Interval {
  double low = kMissing, high = kMissing;
  bool known() const { return low == low && high == high; }
};

// The least and the greatest of finite numbers.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool known() const { return low <= high; }
  void add(double value);  // nothing where it is not finite
  void add(std::span<const double> values);
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

// The same of their absolute values.
double meanSizeOfPresent(std::span<const double> values);

// Sum of (value - mean)^2 over the values that are not missing.
double squaredDeviations(std::span<const double> values, double mean);
// Standard deviation with divisor n - 1 of the values that are not missing; missing below two.
double sampleDeviation(std::span<const double> values);

std::vector<double> asDoubles(std::span<const std::int64_t> values);

// The values that are not missing, ascending.
std::vector<double> sortedPresent(std::span<const double> values);

// Linear interpolation between order statistics at (n - 1) share; missing for an empty list.
// `sorted`: ascending, none missing.
double percentileOf(std::span<const double> sorted, double share);

// The middle 95 % of the values that are not missing.
Interval percentileInterval(std::span<const double> values);

// The middle of the values that are not missing, or the mean of the two middle ones; missing when there is
// none.
double medianOfPresent(std::span<const double> values);

// The t with P(|T| <= t) = `coverage` for Student's distribution; `freedom` above 0, whole or not.
double studentQuantile(double freedom, double coverage);
// P(T > t) of it.
double studentTail(double t, double freedom);

}  // namespace plastiscope
