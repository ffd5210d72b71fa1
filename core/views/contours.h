#pragma once
// Density contours: lines around the densest regions that hold given shares of the points.
#include <span>
#include <vector>

namespace plastiscope {

struct ContourSegment {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

// The borders of the smallest regions that hold each of `shares` (0..1) of the points, from a Gaussian kernel
// density on a grid (bandwidths by Scott's rule with a robust spread: Scott 1992, Multivariate Density
// Estimation, 6.3.2). [shares] segments in no order; none below 50 points or where all have one value.
// Points that are not finite are left out.
std::vector<std::vector<ContourSegment>> densityContours(std::span<const double> x, std::span<const double> y,
                                                         std::span<const double> shares);

}  // namespace plastiscope
