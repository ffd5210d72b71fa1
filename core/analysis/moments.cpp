#include "core/analysis/moments.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/row_kernels.h"

namespace plastiscope {

namespace {

// Rows per block; fixed, so that sums have one order. A block's panels fit the cache; not a power of two,
// which would map them to the same cache sets.
constexpr Eigen::Index kMomentRows = 248;

Vector meanRow(const Matrix& rows) {
  Vector total = Vector::Zero(rows.cols());
  for (Eigen::Index start = 0; start < rows.rows(); start += kMomentRows) {
    addColumnSums(blockOf(rows, start, std::min(kMomentRows, rows.rows() - start)), total.data());
  }
  return total / static_cast<double>(rows.rows());
}

double meanPosition(const std::vector<std::int64_t>& position) {
  std::int64_t sum = 0;  // exact
  for (const std::int64_t t : position) sum += t;
  return static_cast<double>(sum) / static_cast<double>(position.size());
}

constexpr std::size_t kPartialSum = 512;  // values per partial sum

// Corrects central moments with divisor n.
HigherMoments correctedMoments(double n, double m2, double m3, double m4) {
  HigherMoments moments;
  moments.skewness = std::sqrt(n * (n - 1)) / (n - 2) * m3 / std::pow(m2, 1.5);
  if (n > 3) {
    moments.excessKurtosis = ((n * n - 1) * m4 / (m2 * m2) - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3));
  }
  return moments;
}

}  // namespace

Moments momentsOf(const VectorRows& rows) {
  const Eigen::Index dim = rows.headDim();
  Moments moments;
  moments.n = rows.rows();
  moments.mean = Vector::Zero(dim);
  moments.covarianceT = Vector::Zero(dim);
  moments.covariance = Matrix::Zero(dim, dim);
  if (moments.n == 0) return moments;
  moments.mean = meanRow(rows.vectors);
  moments.meanT = meanPosition(rows.position);
  const Eigen::Index length = gramLength(dim);
  Vector panels = Vector::Zero(kMomentRows * length), t(kMomentRows), sumsT = Vector::Zero(length);
  Matrix sums = Matrix::Zero(length, length);
  for (Eigen::Index start = 0; start < rows.rows(); start += kMomentRows) {
    const Eigen::Index count = std::min(kMomentRows, rows.rows() - start);
    if (count < kMomentRows) panels.setZero();  // the padding has moved
    centreIntoPanels(blockOf(rows.vectors, start, count), moments.mean.data(), panels.data());
    for (Eigen::Index i = 0; i < count; ++i) {
      t[i] = static_cast<double>(rows.position[start + i]) - moments.meanT;
    }
    addGram(panels.data(), count, length, sums.data());
    addWeightedRows(panels.data(), t.data(), count, length, sumsT.data());
    moments.varianceT += t.head(count).squaredNorm();
  }
  moments.covarianceT = sumsT.head(dim);
  const auto n = static_cast<double>(moments.n);
  const Matrix upper = sums.topLeftCorner(dim, dim);
  moments.covariance = Matrix(upper.selfadjointView<Eigen::Upper>()) / n;
  moments.covarianceT /= n;
  moments.varianceT /= n;
  return moments;
}

Moments pooled(const Moments& query, const Moments& key, double queryWeight, double keyWeight) {
  const Vector gap = query.mean - key.mean;
  const double gapT = query.meanT - key.meanT, between = queryWeight * keyWeight;
  Moments pool;
  pool.n = query.n + key.n;
  pool.mean = queryWeight * query.mean + keyWeight * key.mean;
  pool.covariance =
      queryWeight * query.covariance + keyWeight * key.covariance + between * gap * gap.transpose();
  pool.meanT = queryWeight * query.meanT + keyWeight * key.meanT;
  pool.varianceT = queryWeight * query.varianceT + keyWeight * key.varianceT + between * gapT * gapT;
  pool.covarianceT = queryWeight * query.covarianceT + keyWeight * key.covarianceT + between * gapT * gap;
  return pool;
}

Vector centredAlong(const VectorRows& rows, const Vector& mean, const Vector& direction) {
  Vector along(rows.rows());
  projectRows(blockOf(rows.vectors), mean.data(), direction.data(), along.data());
  return along;
}

LineStats lineStatsAlong(const VectorRows& rows, const Moments& moments, const Vector& axis) {
  LineStats stats;
  stats.n = moments.n;
  stats.mean = moments.mean.dot(axis);
  stats.variance = std::max(0.0, axis.dot(moments.covariance * axis));
  if (rows.rows() > 0 && !(stats.variance > kFaithfulShare * moments.trace())) {
    const Vector x = centredAlong(rows, moments.mean, axis);
    return lineStats({x.data(), static_cast<std::size_t>(x.size())}, asDoubles(rows.position), stats.mean);
  }
  stats.meanT = moments.meanT;
  stats.varianceT = moments.varianceT;
  stats.covariance = moments.covarianceT.dot(axis);
  stats.constantX = isConstant(stats.variance, stats.mean);
  stats.constantT = isConstant(stats.varianceT, stats.meanT);
  return stats;
}

HigherMoments higherMomentsOf(const ColumnPowers& powers, Eigen::Index c, double mean) {
  const double n = powers.rows, m2 = powers.sums(0, c) / n;
  if (n < 3 || isConstant(m2, mean)) return {};
  return correctedMoments(n, m2, powers.sums(1, c) / n, powers.sums(2, c) / n);
}

HigherMoments higherMomentsOf(std::span<const double> values, double origin) {
  if (values.size() < 3) return {};
  const double mean = sumOf(values) / static_cast<double>(values.size());
  ColumnPowers powers{static_cast<double>(values.size()), Matrix::Zero(3, 1)};
  for (std::size_t start = 0; start < values.size(); start += kPartialSum) {
    double sums[3] = {};
    for (const double value : values.subspan(start, std::min(kPartialSum, values.size() - start))) {
      const double x = value - mean, square = x * x;
      sums[0] += square;
      sums[1] += square * x;
      sums[2] += square * square;
    }
    for (Eigen::Index p = 0; p < 3; ++p) powers.sums(p, 0) += sums[p];
  }
  return higherMomentsOf(powers, 0, mean + origin);
}

}  // namespace plastiscope
