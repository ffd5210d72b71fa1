#pragma once
// The two dense types of the analysis, both float64 (method.md, Notation).
#include <Eigen/Core>

#include "core/analysis/row_kernels.h"

namespace plastiscope {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

inline RowBlock blockOf(const Matrix& rows) {
  return {rows.data(), rows.cols(), rows.rows()};
}
// Rows [from, from + count).
inline RowBlock blockOf(const Matrix& rows, Eigen::Index from, Eigen::Index count) {
  return {rows.data() + from * rows.cols(), rows.cols(), count};
}

// The values followed by zeros up to the row length that the kernels need.
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
