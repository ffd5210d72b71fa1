#include "core/analysis/shape.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr std::size_t kPartialSum = 512;  // values of one partial sum

// From the central moments with divisor n.
Shape shapeOfMoments(double n, double m2, double m3, double m4) {
  Shape shape;
  shape.skewness = std::sqrt(n * (n - 1)) / (n - 2) * m3 / std::pow(m2, 1.5);
  if (n > 3) {
    shape.excessKurtosis = ((n * n - 1) * m4 / (m2 * m2) - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3));
  }
  return shape;
}

}  // namespace

Shape shapeOf(const ColumnPowers& powers, Eigen::Index c, double mean) {
  const double n = powers.rows, m2 = powers.sums(0, c) / n;
  if (n < 3 || isConstant(m2, mean)) return {};
  return shapeOfMoments(n, m2, powers.sums(1, c) / n, powers.sums(2, c) / n);
}

Shape shapeOf(std::span<const double> values, double origin) {
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
  return shapeOf(powers, 0, mean + origin);
}

}  // namespace plastiscope
