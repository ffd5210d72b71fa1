#pragma once
// Skewness and excess kurtosis, corrected for small samples, as SciPy's skew and kurtosis with bias=False
// (method.md 7.4).
#include <span>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

struct Shape {
  double skewness = kMissing;        // from 3 values on
  double excessKurtosis = kMissing;  // from 4 values on
};

// Sums of powers of many columns around a centre: of the second, third and fourth power in rows 0, 1, 2.
struct ColumnPowers {
  double rows = 0;
  Matrix sums;  // [3, columns]
};

// Missing where the values are constant; `origin` is added to every value for that test alone (values may be
// stored centred).
Shape shapeOf(std::span<const double> values, double origin = 0);

// Of column c, whose powers were taken around its mean.
Shape shapeOf(const ColumnPowers& powers, Eigen::Index c, double mean);

}  // namespace plastiscope
