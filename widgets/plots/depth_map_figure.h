#pragma once
// Fills a place with a metric over depth and models: widget and export.
#include <optional>
#include <utility>

#include "core/compare/depth_map_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// Cells with their numbers where those fit. `range`: of the colours.
void buildDepthMap(const FigurePlace& place, const DepthMapData& data, const PlotStyle& style,
                   std::optional<std::pair<double, double>> range = std::nullopt);

}  // namespace plastiscope
