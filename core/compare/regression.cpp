#include "core/compare/regression.h"

#include <cmath>
#include <numbers>

#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

// P(|T| <= sqrt(freedom) tan(angle)): finite sums for whole degrees of freedom (Abramowitz and Stegun 26.7.3,
// 26.7.4).
double coverageOf(int freedom, double angle) {
  const double square = std::cos(angle) * std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? std::cos(angle) : 1, sum = 0;
  for (int k = odd ? 3 : 2; k <= freedom; k += 2) {
    sum += term;
    term *= square * (k - 1) / k;
  }
  const double sine = std::sin(angle);
  return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

double studentQuantile(int freedom, double coverage) {
  double low = 0, high = std::numbers::pi / 2;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (coverageOf(freedom, middle) < coverage ? low : high) = middle;
  }
  return std::sqrt(freedom) * std::tan((low + high) / 2);
}

double RegressionLine::halfWidth(double x) const {
  const double apart = x - meanX;
  return studentQuantile(n - 2, 0.95) * scatter * std::sqrt(1.0 / n + apart * apart / squaresX);
}

RegressionLine regressionOf(std::span<const double> x, std::span<const double> y) {
  RegressionLine line;
  line.n = static_cast<int>(x.size());
  if (x.size() < 3) return line;
  const LineStats stats = lineStats(y, x);
  line.slope = stats.slope();
  line.intercept = stats.mean - line.slope * stats.meanT;
  line.meanX = stats.meanT;
  double residuals = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    line.squaresX += (x[i] - line.meanX) * (x[i] - line.meanX);
    const double residual = y[i] - line.at(x[i]);
    residuals += residual * residual;
  }
  line.scatter = std::sqrt(residuals / static_cast<double>(line.n - 2));
  return line;
}

}  // namespace plastiscope
