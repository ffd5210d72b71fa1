#pragma once
// The heads of a study as points: any metric against any other, in the colour of a third or of their class.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/views/components_data.h"
#include "core/views/contours.h"
#include "core/views/metric_info.h"

namespace plastiscope {

// Columns of heads.csv; an empty colour: the class.
struct HeadAxes {
  std::string x = "bias_window", y = "ap_drop", colour;
  bool operator==(const HeadAxes&) const = default;
};

struct HeadMetricsData {
  static constexpr std::array kShares = {0.5, 0.8, 0.95};  // of the heads inside of each contour

  MetricInfo x, y;
  std::optional<MetricInfo> colour;        // nothing: the class
  std::vector<HeadName> heads;             // that have both values
  std::vector<double> across, up;          // [heads]
  std::vector<double> shade;               // [heads] of the colour's metric, NaN = missing; empty without one
  std::pair<double, double> shadeRange{};  // symmetric around 0 for a signed metric
  std::vector<TaxonomyClass> classes;      // all five in fixed order
  std::vector<std::size_t> classOf;        // [heads] into classes; classes.size() = none
  std::vector<std::vector<ContourSegment>> contours;  // [kShares]
};

// UsageError names the nearest metric.
HeadMetricsData makeHeadMetrics(const AnalysisFile& analysis, const HeadAxes& axes);
Table tableOf(const HeadMetricsData& data);  // layer, head, X, Y, COLOUR or taxonomy

}  // namespace plastiscope
