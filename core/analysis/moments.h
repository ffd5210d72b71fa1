#pragma once
// Means and covariances of rows and their positions: what PCA, axes, slopes and shares are made of; skewness
// and excess kurtosis.
#include <span>
#include <vector>

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
Moments momentsOf(const VectorRows& rows);

// Rows of one kind with their moments, which are of them; both must outlive it.
struct MeasuredRows {
  const VectorRows& rows;
  const Moments& moments;
};

// Queries and keys as one pool with weights that sum to 1.
Moments pooled(const Moments& query, const Moments& key, double queryWeight, double keyWeight);

// (row - mean) . direction for every row: [rows]; add mean . direction for raw values.
Vector centredAlong(const VectorRows& rows, const Vector& mean, const Vector& direction);

// A direction beside the positions, from the moments of the rows. Where so little varies along it that the
// covariance would tell rounding, from the rows themselves, if there are any.
LineStats lineStatsAlong(const VectorRows& rows, const Moments& moments, const Vector& axis);

struct HigherMoments {
  double skewness = kMissing;        // from 3 values on
  double excessKurtosis = kMissing;  // from 4 values on
};

// Sums of powers of many columns around a centre: of the second, third and fourth power in rows 0, 1, 2.
struct ColumnPowers {
  double rows = 0;
  Matrix sums;  // [3, columns]
};

// Missing where the values are constant; `origin` is added to every value for that test alone (values may be
// stored centred).
HigherMoments higherMomentsOf(std::span<const double> values, double origin = 0);

// Of column c, whose powers were taken around its mean.
HigherMoments higherMomentsOf(const ColumnPowers& powers, Eigen::Index c, double mean);

}  // namespace plastiscope
