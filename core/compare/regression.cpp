#include "core/compare/regression.h"

#include <cmath>

#include "core/analysis/order_statistics.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

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
