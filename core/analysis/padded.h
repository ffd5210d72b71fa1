#pragma once
// Zeros behind the numbers, up to the row length that the kernels need.
#include "core/analysis/matrix.h"
#include "core/analysis/pair_kernels.h"

namespace plastiscope {

inline Vector padded(const Vector& values) {
  Vector result = Vector::Zero(paddedLength(values.size()));
  result.head(values.size()) = values;
  return result;
}

inline Matrix padded(const Matrix& values) {
  Matrix result = Matrix::Zero(values.rows(), paddedLength(values.cols()));
  result.leftCols(values.cols()) = values;
  return result;
}

}  // namespace plastiscope
