#pragma once
// The largest eigenvalue of a symmetric matrix with its vector, much faster than all of them.
#include "core/analysis/matrix.h"

namespace plastiscope {

struct Eigenpair {
  double value = 0;
  Vector vector;  // unit
};

// Lanczos' method with full orthogonalisation from a fixed start, until |A v - value v| <= 1e-14 value; small
// matrices and those on which it is slow are decomposed as a whole. The matrix must not have a negative
// eigenvalue that is larger in size.
Eigenpair leadingEigenpair(const Matrix& symmetric);

}  // namespace plastiscope
