#pragma once
// Fills a plot with query and key rows in two axes: used by the widget and by the export.
#include <memory>

#include "core/views/plane_data.h"
#include "widgets/plots/plot_style.h"

class QCustomPlot;

namespace plastiscope {

// Above so many points a file holds one lossless image under vector axes instead of one circle a row
// (figures.md 5.3).
inline constexpr std::size_t kVectorPointLimit = 20000;

struct PlaneRange {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  std::int64_t outside = 0;  // rows beyond it
};
// All rows, unless a few far ones would squeeze the rest: then the range of 99.6 % of them.
PlaneRange planeRange(const PlaneData& data);

void buildPlane(QCustomPlot& plot, const std::shared_ptr<const PlaneData>& data, const PlotStyle& style);

}  // namespace plastiscope
