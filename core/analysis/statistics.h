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

// Minimum and maximum of finite numbers.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool known() const { return low <= high; }
  void add(double value);  // ignores values that are not finite
  void add(std::span<const double> values);
};

// Mean of present values that come one by one, or as means of parts; missing without any.
struct RunningMean {
  double sum = 0, count = 0;
  void add(double value) {
    if (value != value) return;
    sum += value;
    count += 1;
  }
  void add(const RunningMean& other) {
    sum += other.sum;
    count += other.count;
  }
  double value() const { return count > 0 ? sum / count : kMissing; }
};

// Pairwise summation.
double sumOf(std::span<const double> values);

// Statistics of a coordinate x and positions t, the basis of correlations, slopes and shares.
struct LineStats {
  std::int64_t n = 0;
  double mean = kMissing, variance = kMissing;    // of x
  double meanT = kMissing, varianceT = kMissing;  // of t
  double covariance = kMissing;                   // of x and t
  bool constantX = true, constantT = true;

  double pearson() const;  // missing if a side is constant or n < 2
  double slope() const;    // missing if t is constant or n < 2
};

// `origin` is added to every x (x may be stored centred); it affects the mean and the test for "constant".
LineStats lineStats(std::span<const double> x, std::span<const double> t, double origin = 0);

// Pools two classes with weights that sum to 1.
LineStats pooled(const LineStats& first, const LineStats& second, double firstWeight, double secondWeight);

// Var <= 1e-24 * mean of squares.
bool isConstant(double variance, double mean);

// Mean of the present values; missing if there is none. `count` receives their number.
double meanOfPresent(std::span<const double> values, std::int64_t* count = nullptr);

// Mean of the absolute present values.
double meanSizeOfPresent(std::span<const double> values);

// Sum of (value - mean)^2 over the present values.
double squaredDeviations(std::span<const double> values, double mean);
// Standard deviation of the present values with divisor n - 1; missing below two.
double sampleDeviation(std::span<const double> values);

std::vector<double> asDoubles(std::span<const std::int64_t> values);

// The present values, ascending.
std::vector<double> sortedPresent(std::span<const double> values);

// Spearman's rank correlation of values that are present, ties with average ranks; missing if a side is
// constant.
double spearmanOf(std::span<const double> x, std::span<const double> y);

// Linear interpolation between order statistics at (n - 1) share; missing for an empty list.
// `sorted`: ascending, none missing.
double percentileOf(std::span<const double> sorted, double share);

// Percentiles 2.5 and 97.5 of the present values.
Interval percentileInterval(std::span<const double> values);

// Wilson's 95 % interval of a share; missing without cases.
Interval wilsonInterval(double successes, double cases);

// Benjamini and Hochberg's q of each present p: the false discovery rate at which it is found. Missing stays
// missing.
std::vector<double> falseDiscoveryRates(std::span<const double> p);

// Median of the present values; missing if there is none.
double medianOfPresent(std::span<const double> values);

// The t with P(|T| <= t) = `coverage` for Student's distribution; `freedom` above 0, whole or not.
double studentQuantile(double freedom, double coverage);
// P(T > t) for Student's distribution.
double studentTail(double t, double freedom);

}  // namespace plastiscope
