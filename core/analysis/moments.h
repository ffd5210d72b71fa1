#pragma once
// Means and covariances of rows and their positions: what PCA, axes, slopes and shares are made of.
#include "core/analysis/head_rows.h"
#include "core/analysis/matrix.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// Divisor n, or the weights of a pool. For n = 0 all is zero.
struct Moments {
  std::int64_t n = 0;
  Vector mean;                      // [head_dim]
  Matrix covariance;                // [head_dim, head_dim]
  double meanT = 0, varianceT = 0;  // tokens, tokens^2
  Vector covarianceT;               // [head_dim], activation * token

  double trace() const { return covariance.trace(); }
  double meanSquare() const { return trace() + mean.squaredNorm(); }  // mean of |x|^2
};

// A variance made from a covariance that is less than this share of the trace has lost too many digits: the
// rows tell it.
inline constexpr double kFaithfulShare = 1e-6;

// Two passes: means, then products of the centred rows.
Moments momentsOf(const KindRows& rows);

// Queries and keys as one pool with weights that sum to 1.
Moments pooled(const Moments& query, const Moments& key, double queryWeight, double keyWeight);

// (row - mean) . direction for every row: [rows]; add mean . direction for raw values.
Vector centredAlong(const KindRows& rows, const Vector& mean, const Vector& direction);

// A direction beside the positions, from the moments of the rows. Where so little varies along it that the
// covariance would tell rounding, from the rows themselves, if there are any.
LineStats lineStatsAlong(const KindRows& rows, const Moments& moments, const Vector& axis);

}  // namespace plastiscope
