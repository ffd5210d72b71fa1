#include "core/analysis/discriminant.h"

#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

Matrix scatterOf(const Matrix& rows, const Vector& mean) {
  const Matrix centred = rows.rowwise() - mean.transpose();
  return centred.transpose() * centred;
}

// S^-1 gap; directions without spread are held at a tiny one, so that they decide.
Vector normalOf(const Matrix& scatter, const Vector& gap, double total) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(scatter);
  const Vector spread = solver.eigenvalues().cwiseMax(1e-12 * total);
  return solver.eigenvectors() * (solver.eigenvectors().transpose() * gap).cwiseQuotient(spread);
}

// Rows with (x - middle).normal > 0, those on the line half.
double countAbove(const Matrix& rows, const Vector& middle, const Vector& normal) {
  const Vector score = (rows.rowwise() - middle.transpose()) * normal;
  double count = 0;
  for (const double value : score) count += value > 0 ? 1 : value == 0 ? 0.5 : 0;
  return count;
}

}  // namespace

double discriminantAccuracy(const Matrix& query, const Matrix& key) {
  if (query.rows() < 2 || key.rows() < 2 || query.cols() == 0) return kMissing;
  const Vector queryMean = query.colwise().mean().transpose(), keyMean = key.colwise().mean().transpose();
  const Vector gap = queryMean - keyMean, middle = (queryMean + keyMean) / 2;
  const Matrix scatter = scatterOf(query, queryMean) + scatterOf(key, keyMean);
  const auto rows = static_cast<double>(query.rows() + key.rows());
  const double total = scatter.trace() + rows * gap.squaredNorm();
  if (!(rows * gap.squaredNorm() > 1e-24 * total)) return kMissing;
  const Vector normal = normalOf(scatter, gap, total);
  const double right = countAbove(query, middle, normal) + countAbove(key, middle, -normal);
  return right / rows;
}

}  // namespace plastiscope
