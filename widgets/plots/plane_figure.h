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

void buildPlane(QCustomPlot& plot, const std::shared_ptr<const PlaneData>& data, const PlotStyle& style);

}  // namespace plastiscope
