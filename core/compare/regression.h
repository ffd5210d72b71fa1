#pragma once
// A least-squares line with the 95 % band of its mean, as drawn behind a scatter of few models.
#include <limits>
#include <span>

namespace plastiscope {

struct RegressionLine {
  double slope = std::numeric_limits<double>::quiet_NaN();  // missing below 3 points or with a constant x
  double intercept = std::numeric_limits<double>::quiet_NaN();
  double meanX = 0, squaresX = 0;  // sum of (x - mean)^2
  double scatter = 0;              // sqrt(residual squares / (n - 2))
  int n = 0;

  bool known() const { return slope == slope; }
  double at(double x) const { return intercept + slope * x; }
  // t s sqrt(1 / n + (x - mean)^2 / squaresX), t for 95 % with n - 2 degrees of freedom.
  double halfWidth(double x) const;
};
RegressionLine regressionOf(std::span<const double> x, std::span<const double> y);

}  // namespace plastiscope
