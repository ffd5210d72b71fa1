#pragma once
// Computes the largest eigenvalue of a symmetric matrix and its vector, much faster than a full
// decomposition.
#include "core/analysis/matrix.h"

namespace plastiscope {

struct Eigenpair {
  double value = 0;
  Vector vector;  // unit
};

// Lanczos method with full orthogonalisation from a fixed start, until |A v - value v| <= 1e-14 value; small
// matrices and those with slow convergence are decomposed fully. The matrix must not have a negative
// eigenvalue of larger absolute value.
Eigenpair leadingEigenpair(const Matrix& symmetric);

}  // namespace plastiscope
