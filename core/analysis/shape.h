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

// Missing where the values are constant; `origin` is added to every value for that test alone (values may be
// stored centred).
Shape shapeOf(std::span<const double> values, double origin = 0);

// Of every column of [rows, columns], read once along the rows.
std::vector<Shape> columnShapes(const Matrix& rows);

}  // namespace plastiscope
