#include "core/analysis/discriminant.h"

#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

// S^-1 gap; directions without spread are held at a tiny one, so that they decide.
Vector normalOf(const Matrix& scatter, const Vector& gap, double total) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(scatter);
  const Vector spread = solver.eigenvalues().cwiseMax(1e-12 * total);
  return solver.eigenvectors() * (solver.eigenvectors().transpose() * gap).cwiseQuotient(spread);
}

// Rows with (x - mean + offset).normal > 0, those on the line half.
double countAbove(const KindRows& rows, const Vector& mean, const Vector& normal, double offset) {
  const Vector along = centredAlong(rows, mean, normal);
  double count = 0;
  for (const double value : along) count += value + offset > 0 ? 1 : value + offset == 0 ? 0.5 : 0;
  return count;
}

}  // namespace

double discriminantAccuracy(const KindRows& query, const KindRows& key, const Moments& queryMoments,
                            const Moments& keyMoments, const Matrix& directions) {
  const auto queries = static_cast<double>(queryMoments.n), keys = static_cast<double>(keyMoments.n);
  if (queries < 2 || keys < 2 || directions.cols() == 0) return kMissing;
  const Vector gap = directions.transpose() * (queryMoments.mean - keyMoments.mean);
  const Matrix scatter = directions.transpose() *
                         (queries * queryMoments.covariance + keys * keyMoments.covariance) * directions;
  const double total = scatter.trace() + (queries + keys) * gap.squaredNorm();
  if (!((queries + keys) * gap.squaredNorm() > 1e-24 * total)) return kMissing;
  const Vector normal = normalOf(scatter, gap, total);
  const Vector direction = directions * normal;
  const double half = gap.dot(normal) / 2;  // from the middle of the means to either
  const double right = countAbove(query, queryMoments.mean, direction, half) +
                       countAbove(key, keyMoments.mean, -direction, half);
  return right / (queries + keys);
}

}  // namespace plastiscope
