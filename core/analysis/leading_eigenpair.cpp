#include "core/analysis/leading_eigenpair.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace plastiscope {

namespace {

constexpr Eigen::Index kSmall = 24;     // decomposed fully up to this size
constexpr Eigen::Index kMaxSteps = 72;  // of the Lanczos method
constexpr Eigen::Index kCheckEvery = 8;

Eigenpair wholeDecomposition(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  const Eigen::Index last = symmetric.rows() - 1;
  return {solver.eigenvalues()[last], solver.eigenvectors().col(last)};
}

Vector startVector(Eigen::Index size) {
  Vector start(size);
  for (Eigen::Index i = 0; i < size; ++i)
    start[i] = static_cast<double>(mix64(static_cast<std::uint64_t>(i) + 1) >> 11) * 0x1p-53 - 0.5;
  return start.normalized();
}

}  // namespace

Eigenpair leadingEigenpair(const Matrix& symmetric) {
  const Eigen::Index size = symmetric.rows();
  if (size <= kSmall) return wholeDecomposition(symmetric);
  const Eigen::Index most = std::min(size, kMaxSteps);
  Eigen::MatrixXd basis(size, most + 1);
  Vector diagonal(most), off(most);
  basis.col(0) = startVector(size);
  for (Eigen::Index k = 0; k < most; ++k) {
    Vector next = symmetric * basis.col(k);
    diagonal[k] = next.dot(basis.col(k));
    for (int pass = 0; pass < 2; ++pass)
      next -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * next);
    off[k] = next.norm();
    const bool ended = !(off[k] > 1e-15 * std::abs(diagonal[0]));
    if (ended || (k + 1) % kCheckEvery == 0 || k + 1 == most) {
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
      solver.computeFromTridiagonal(diagonal.head(k + 1), off.head(k));
      const double value = solver.eigenvalues()[k];
      const Vector weights = solver.eigenvectors().col(k);
      if (std::abs(off[k] * weights[k]) <= 1e-14 * std::abs(value))
        return {value, Vector(basis.leftCols(k + 1) * weights).normalized()};
      if (ended) break;
    }
    basis.col(k + 1) = next / off[k];
  }
  return wholeDecomposition(symmetric);
}

}  // namespace plastiscope
