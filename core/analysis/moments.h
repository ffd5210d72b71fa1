#pragma once
// Computes means and covariances of rows and their positions, the basis of PCA, axes, slopes and shares; also
// skewness and excess kurtosis.
#include <span>

#include "core/analysis/head_rows.h"
#include "core/analysis/matrix.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// Moments with divisor n, or with the weights of a pool. All zero for n = 0.
struct Moments {
  std::int64_t n = 0;
  Vector mean;                      // [head_dim]
  Matrix covariance;                // [head_dim, head_dim]
  double meanT = 0, varianceT = 0;  // tokens, tokens^2
  Vector covarianceT;               // [head_dim], activation * token

  double trace() const { return covariance.trace(); }
  double meanSquare() const { return trace() + mean.squaredNorm(); }  // mean of |x|^2
};

// A variance derived from a covariance below this share of the trace has lost too many digits and is computed
// from the rows.
inline constexpr double kFaithfulShare = 1e-6;

// Two passes: means, then products of the centred rows.
Moments momentsOf(const VectorRows& rows);

// Rows of one kind with their own moments; both must outlive it.
struct MeasuredRows {
  const VectorRows& rows;
  const Moments& moments;
};

// Queries and keys as one pool with weights that sum to 1.
Moments pooled(const Moments& query, const Moments& key, double queryWeight, double keyWeight);

// (row - mean) . direction for every row: [rows]; add mean . direction for raw values.
Vector centredAlong(const VectorRows& rows, const Vector& mean, const Vector& direction);

// Statistics of the rows along a direction and their positions, from the moments. Computed from the rows, if
// there are any, when the variance along the direction is within rounding of the covariance.
LineStats lineStatsAlong(const VectorRows& rows, const Moments& moments, const Vector& axis);

struct HigherMoments {
  double skewness = kMissing;        // from 3 values on
  double excessKurtosis = kMissing;  // from 4 values on
};

// Sums of powers of columns around a centre: second, third and fourth power in rows 0, 1, 2.
struct ColumnPowers {
  double rows = 0;
  Matrix sums;  // [3, columns]
};

// Missing if the values are constant; `origin` is added to every value for that test only (values may be
// stored centred).
HigherMoments higherMomentsOf(std::span<const double> values, double origin = 0);

// Higher moments of column c from powers around its mean.
HigherMoments higherMomentsOf(const ColumnPowers& powers, Eigen::Index c, double mean);

}  // namespace plastiscope
