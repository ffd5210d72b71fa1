#pragma once
// Middles and percentiles of values of which some may be missing, and Student's quantile.
#include <span>
#include <vector>

namespace plastiscope {

// The values that are not missing, ascending.
std::vector<double> sortedPresent(std::span<const double> values);

// Linear interpolation between order statistics at (n - 1) share (method.md section 6); missing for none.
// `sorted`: ascending, none missing.
double percentileOf(std::span<const double> sorted, double share);

// The middle of the values that are not missing, or the mean of the two middle ones; missing when there is
// none.
double medianOfPresent(std::span<const double> values);

// The t with P(|T| <= t) = `coverage` for Student's distribution; `freedom` from 1.
double studentQuantile(int freedom, double coverage);

}  // namespace plastiscope
