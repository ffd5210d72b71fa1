#include "core/analysis/shape.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

Shape shapeOf(std::span<const double> values, double origin) {
  Shape shape;
  if (values.size() < 3) return shape;
  const auto n = static_cast<double>(values.size());
  const double mean = sumOf(values) / n;
  std::vector<double> squares, cubes, fourths;
  for (const double value : values) {
    const double x = value - mean;
    squares.push_back(x * x);
    cubes.push_back(x * x * x);
    fourths.push_back(x * x * x * x);
  }
  const double m2 = sumOf(squares) / n, m3 = sumOf(cubes) / n, m4 = sumOf(fourths) / n;
  if (isConstant(m2, mean + origin)) return shape;
  shape.skewness = std::sqrt(n * (n - 1)) / (n - 2) * m3 / std::pow(m2, 1.5);
  if (n > 3) {
    shape.excessKurtosis = ((n * n - 1) * m4 / (m2 * m2) - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3));
  }
  return shape;
}

double medianOfPresent(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double value) { return std::isnan(value); }),
               values.end());
  if (values.empty()) return kMissing;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace plastiscope
