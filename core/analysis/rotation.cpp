#include "core/analysis/rotation.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "core/analysis/pca.h"
#include "core/analysis/planes.h"

namespace plastiscope {

namespace {

// Statistics from which the axes are computed.
struct Pool {
  double queryWeight, keyWeight;
  Moments moments;
  Vector gap;          // mu_Q - mu_K
  Matrix differences;  // C = Sigma_Q + Sigma_K + gap gap^T: the mean of (q - k)(q - k)^T over all pairs
};

// Weights of the two kinds, sum 1.
std::pair<double, double> poolWeights(const Moments& query, const Moments& key,
                                      const AnalysisSettings& settings) {
  if (settings.poolWeights == "equal") return {0.5, 0.5};
  const auto total = static_cast<double>(query.n + key.n);
  return {static_cast<double>(query.n) / total, static_cast<double>(key.n) / total};
}

Pool poolOf(const Moments& query, const Moments& key, const AnalysisSettings& settings) {
  const auto [queryWeight, keyWeight] = poolWeights(query, key, settings);
  const Vector gap = query.mean - key.mean;
  return {queryWeight, keyWeight, rotationPool(query, key, settings), gap,
          query.covariance + key.covariance + gap * gap.transpose()};
}

// c / |c|, or size 0 if c is 0.
Vector positionAxis(const Moments& pool) {
  const double length = pool.covarianceT.norm();
  if (!(length > 1e-12 * std::sqrt(pool.varianceT * pool.trace()))) return {};
  return pool.covarianceT / length;
}

// The part of the gap between the centroids that is perpendicular to a, or size 0.
Vector centroidAxis(const Pool& pool, const Vector& a) {
  const double gap = pool.gap.norm();
  if (a.size() < 2 || !(gap * gap > 1e-24 * pool.moments.meanSquare())) return {};
  Vector w = pool.gap - pool.gap.dot(a) * a;
  if (!(w.norm() > 1e-12 * gap)) return {};
  w.normalize();
  w -= w.dot(a) * a;  // again: the first subtraction leaves a rounding error relative to the gap
  return w.normalized();
}

// Top eigenvector of P C P with P = I - a a^T, or size 0 when d = 1.
Vector eigenvectorAxis(const Pool& pool, const Vector& a) {
  if (a.size() < 2) return {};
  const Vector image = pool.differences * a;
  const Matrix projected =
      pool.differences - a * image.transpose() - image * a.transpose() + a.dot(image) * a * a.transpose();
  Vector b = leadingEigenpair(projected).vector;
  b -= b.dot(a) * a;
  if (b.norm() < 0.5) b = perpendicularBasis(a).col(0);  // nothing varies outside a: any direction
  b.normalize();
  const double along = b.dot(pool.gap);
  const bool decided = std::abs(along) > 1e-12 * pool.gap.norm();
  return b * (decided ? (along < 0 ? -1.0 : 1.0) : largestCoordinateSign(b));
}

// (b^T C b) / tr C
double separationOf(const Vector& b, const Pool& pool) {
  if (b.size() == 0 || !(pool.differences.trace() > 1e-24 * pool.moments.meanSquare())) return kMissing;
  return b.dot(pool.differences * b) / pool.differences.trace();
}

// Largest |Pearson(u.x, t)| on the pool over orthonormal directions u outside the plane.
double residualCorrelation(const Moments& pool, const Vector& a, const Vector& b) {
  if (a.size() <= 2) return kMissing;
  Matrix axes(a.size(), 2);
  axes << a, b;
  const Matrix basis = perpendicularBasis(axes);
  const Vector covarianceT = basis.transpose() * pool.covarianceT;
  const Vector variances = basis.cwiseProduct(pool.covariance * basis).colwise().sum().transpose();
  double largest = kMissing;
  for (Eigen::Index i = 0; i < covarianceT.size(); ++i) {
    if (variances[i] <= 1e-12 * pool.trace()) continue;
    const double r = std::abs(covarianceT[i]) / std::sqrt(variances[i] * pool.varianceT);
    if (!(r <= largest)) largest = r;
  }
  return largest;
}

// Statistics of both kinds along a direction.
struct AxisStats {
  LineStats query, key, pool;
};

AxisStats statsAlong(const Vector& axis, const MeasuredRows& query, const MeasuredRows& key,
                     const Pool& pool) {
  AxisStats stats{
      lineStatsAlong(query.rows, query.moments, axis), lineStatsAlong(key.rows, key.moments, axis), {}};
  stats.pool = pooled(stats.query, stats.key, pool.queryWeight, pool.keyWeight);
  return stats;
}

void fillPosition(RotationResult& result, const AxisStats& stats, double poolTrace, const CaptureFrame& frame,
                  const AnalysisSettings& settings) {
  result.muQueryA = stats.query.mean;
  result.muKeyA = stats.key.mean;
  result.alphaQuery = stats.query.slope();
  result.alphaKey = stats.key.slope();
  result.biasStrength = result.muQueryA * result.alphaKey;
  result.biasWindow = result.biasStrength * static_cast<double>(frame.window);
  const double scale =
      frame.scoreScale > 0 ? frame.scoreScale : 1 / std::sqrt(static_cast<double>(result.a.size()));
  result.biasLogit = result.biasWindow * scale;
  result.rQueryA = correlationOf(stats.query, settings);
  result.rKeyA = correlationOf(stats.key, settings);
  result.positionR = std::abs(stats.pool.pearson());
  if (result.alphaQuery != 0) result.slopeRatio = std::abs(result.alphaKey) / std::abs(result.alphaQuery);
  result.interceptQuery = result.muQueryA - result.alphaQuery * stats.query.meanT;
  result.slopeAtStart = result.interceptQuery * result.alphaKey;
  const double end = result.interceptQuery + result.alphaQuery * static_cast<double>(frame.window - 1);
  result.slopeAtEnd = end * result.alphaKey;
  result.varFracA = stats.pool.variance / poolTrace;
}

void fillSeparation(RotationResult& result, const AxisStats& stats, double poolTrace) {
  result.muQueryB = stats.query.mean;
  result.muKeyB = stats.key.mean;
  result.varFracB = stats.pool.variance / poolTrace;
  result.planeVarFraction = result.varFracA + result.varFracB;
  result.contentVarB = (stats.query.variance + stats.key.variance) / 2;
}

}  // namespace

Moments rotationPool(const Moments& query, const Moments& key, const AnalysisSettings& settings) {
  const auto [queryWeight, keyWeight] = poolWeights(query, key, settings);
  return pooled(query, key, queryWeight, keyWeight);
}

RotationResult rotationOf(const MeasuredRows& query, const MeasuredRows& key, const CaptureFrame& frame,
                          const AnalysisSettings& settings) {
  RotationResult result;
  if (query.moments.n < 2 || key.moments.n < 2) return result;
  const Pool pool = poolOf(query.moments, key.moments, settings);
  result.a = positionAxis(pool.moments);
  if (result.a.size() == 0) return result;
  const double trace = pool.moments.trace();
  fillPosition(result, statsAlong(result.a, query, key, pool), trace, frame, settings);

  const Vector centroid = centroidAxis(pool, result.a), eigenvector = eigenvectorAxis(pool, result.a);
  result.separationCentroid = separationOf(centroid, pool);
  result.separationEigenvector = separationOf(eigenvector, pool);
  if (centroid.size() > 0 && eigenvector.size() > 0) {
    result.axisBAngle =
        std::acos(std::min(1.0, std::abs(centroid.dot(eigenvector)))) * 180 / std::numbers::pi;
  }
  const bool byEigenvector = settings.bAxis == "eigenvector";
  result.b = byEigenvector ? eigenvector : centroid;
  result.separation = byEigenvector ? result.separationEigenvector : result.separationCentroid;
  if (result.b.size() == 0) return result;
  fillSeparation(result, statsAlong(result.b, query, key, pool), trace);
  if (query.rows.rows() > 0) result.residualPositionR = residualCorrelation(pool.moments, result.a, result.b);
  return result;
}

}  // namespace plastiscope
