#pragma once
// Scatter of a study's heads: any metric against any other, coloured by a third metric or by class, with
// contours around the densest regions.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/views/components_data.h"
#include "core/views/metric_info.h"

namespace plastiscope {

// Line of a density contour.
struct ContourSegment {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

// The borders of the smallest regions that hold each of `shares` (0..1) of the points, from a Gaussian kernel
// density on a grid (bandwidths by Scott's rule with a robust spread: Scott 1992, Multivariate Density
// Estimation, 6.3.2). [shares] segments in no order; none below 50 points or where all have one value.
// Points that are not finite are left out.
std::vector<std::vector<ContourSegment>> densityContours(std::span<const double> x, std::span<const double> y,
                                                         std::span<const double> shares);

// Columns of heads.csv; an empty colour stands for the class.
struct HeadAxes {
  std::string x = "bias_window", y = "ap_drop", colour;
  bool operator==(const HeadAxes&) const = default;
};

struct HeadMetricsData {
  static constexpr std::array kShares = {0.5, 0.8, 0.95};  // share of the heads inside each contour

  MetricInfo x, y;
  std::optional<MetricInfo> colour;  // nullopt: coloured by class
  std::vector<HeadName> heads;       // heads with both values
  std::vector<double> across, up;    // [heads]
  std::vector<double> shade;  // [heads] metric of the colour, NaN = missing; empty when coloured by class
  std::pair<double, double> shadeRange{};             // symmetric around 0 for a signed metric
  std::vector<TaxonomyClass> classes;                 // all five in fixed order
  std::vector<std::size_t> classOf;                   // [heads] into classes; classes.size() = none
  std::vector<std::vector<ContourSegment>> contours;  // [kShares]
};

// UsageError names the nearest metric.
HeadMetricsData makeHeadMetrics(const AnalysisFile& analysis, const HeadAxes& axes);
Table tableOf(const HeadMetricsData& data);  // layer, head, X, Y, COLOUR or taxonomy

}  // namespace plastiscope
