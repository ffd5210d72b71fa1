#include "core/analysis/shape.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

using Row = Eigen::Array<double, 1, Eigen::Dynamic>;
constexpr Eigen::Index kBlock = 512;  // rows of one partial sum

// From the mean and the central moments with divisor n.
Shape shapeOfMoments(double n, double mean, double m2, double m3, double m4) {
  Shape shape;
  if (n < 3 || isConstant(m2, mean)) return shape;
  shape.skewness = std::sqrt(n * (n - 1)) / (n - 2) * m3 / std::pow(m2, 1.5);
  if (n > 3) {
    shape.excessKurtosis = ((n * n - 1) * m4 / (m2 * m2) - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3));
  }
  return shape;
}

// Sum over the rows of what `add` adds for each, in partial sums of kBlock rows.
template <typename Sums, typename Add>
Sums blockSums(Eigen::Index rows, Sums zero, const Add& add) {
  Sums total = zero;
  for (Eigen::Index start = 0; start < rows; start += kBlock) {
    Sums part = zero;
    for (Eigen::Index r = start; r < std::min(rows, start + kBlock); ++r) add(part, r);
    total += part;
  }
  return total;
}

}  // namespace

std::vector<Shape> columnShapes(const Matrix& rows) {
  const Eigen::Index width = rows.cols();
  const auto n = static_cast<double>(rows.rows());
  const Row mean = blockSums(rows.rows(), Row(Row::Zero(width)),
                             [&](Row& sums, Eigen::Index r) { sums += rows.row(r).array(); }) /
                   n;
  using Powers = Eigen::Array<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
  Row x(width), square(width);
  const Powers moments = blockSums(rows.rows(), Powers(Powers::Zero(3, width)),
                                   [&](Powers& sums, Eigen::Index r) {
                                     x = rows.row(r).array() - mean;
                                     square = x * x;
                                     sums.row(0) += square;
                                     sums.row(1) += square * x;
                                     sums.row(2) += square * square;
                                   }) /
                         n;
  std::vector<Shape> shapes;
  for (Eigen::Index c = 0; c < width; ++c)
    shapes.push_back(shapeOfMoments(n, mean[c], moments(0, c), moments(1, c), moments(2, c)));
  return shapes;
}

Shape shapeOf(std::span<const double> values, double origin) {
  Shape shape;
  if (values.size() < 3) return shape;
  const Eigen::Map<const Matrix> column(values.data(), static_cast<Eigen::Index>(values.size()), 1);
  const double mean = sumOf(values) / static_cast<double>(values.size());
  const Matrix centred = column.array() - mean;
  const Shape found = columnShapes(centred).front();
  return isConstant(centred.squaredNorm() / static_cast<double>(values.size()), mean + origin) ? shape
                                                                                               : found;
}

}  // namespace plastiscope
