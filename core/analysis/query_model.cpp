#include "core/analysis/query_model.h"

#include <cmath>

namespace plastiscope {

namespace {

// u = beta / |beta| - e_1, without cancellation in its first coordinate; size 0 when |u| <= 1e-12.
Vector reflectorOf(const Vector& beta) {
  Vector u = beta / beta.norm();
  const double first = u[0];
  u[0] = first > 0 ? -u.tail(u.size() - 1).squaredNorm() / (1 + first) : first - 1;
  return u.norm() > 1e-12 ? u : Vector();
}

void fillShares(QueryModel& model, const Moments& moments) {
  const Eigen::Index dim = moments.mean.size();
  double total = 0;
  for (Eigen::Index j = 0; j < dim; ++j) {
    const double variance = moments.covariance(j, j), slope = moments.covarianceT[j];
    const bool constant = isConstant(variance, moments.mean[j]);
    model.r2.push_back(constant ? kMissing : std::min(1.0, slope * slope / (variance * moments.varianceT)));
    if (!constant) total += model.r2.back();
  }
  model.r2Position = meanOfPresent(model.r2);
  for (const double r2 : model.r2) {
    model.weights.push_back(total == 0 ? kMissing : std::isnan(r2) ? 0 : r2 / total);
  }
}

// Sum of the squared residuals of coordinate 1 around its line, through n - 2.
double residualVariance(const QueryModel& model, const VectorRows& query, const Moments& moments,
                        std::span<const std::int32_t> times) {
  // Coordinate 1 of a reflected row is row 1 of H times the row.
  const Vector direction = model.reflected(Vector(Vector::Unit(moments.mean.size(), 0)));
  const auto n = static_cast<double>(moments.n);
  const double slope = model.betaPosition;
  const double variance = direction.dot(moments.covariance * direction) -
                          slope * (2 * moments.covarianceT.dot(direction) - slope * moments.varianceT);
  if (variance > kFaithfulShare * moments.trace()) return variance * n / (n - 2);
  const Vector coordinate = centredAlong(query, Vector::Zero(query.headDim()), direction);
  std::vector<double> squares;
  for (std::size_t i = 0; i < query.position.size(); ++i) {
    const double expected = model.alphaPosition + slope * static_cast<double>(query.position[i]);
    const double residual = coordinate[i] - expected;
    squares.push_back((times.empty() ? 1 : times[i]) * residual * residual);
  }
  return sumOf(squares) / (n - 2);
}

}  // namespace

Vector QueryModel::reflected(const Vector& x) const {
  if (reflector.size() == 0) return x;
  return x - (2 * x.dot(reflector) / reflector.squaredNorm()) * reflector;
}

QueryModel queryModelOf(const VectorRows& query, const Moments& moments,
                        std::span<const std::int32_t> times) {
  QueryModel model;
  if (moments.n < 3 || query.headDim() == 0 || isConstant(moments.varianceT, moments.meanT)) return model;
  model.present = true;
  model.meanT = moments.meanT;
  model.beta = moments.covarianceT / moments.varianceT;
  model.alpha = moments.mean - model.beta * moments.meanT;
  model.betaNorm = model.beta.norm();
  fillShares(model, moments);
  const bool drifts = model.betaNorm * std::sqrt(moments.varianceT) > 1e-12 * std::sqrt(moments.trace());
  if (drifts) {
    model.reflector = reflectorOf(model.beta);
    model.betaPosition = model.betaNorm;
    model.alphaPosition = model.reflected(model.alpha)[0];
  } else {
    model.betaPosition = 0;
    model.alphaPosition = moments.mean[0];
  }
  model.sigmaPosition2 = residualVariance(model, query, moments, times);
  return model;
}

}  // namespace plastiscope
