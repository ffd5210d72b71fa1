#pragma once
// Fills a place with the heads of several models as points: widget and export.
#include "core/compare/head_scatter_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

void buildHeadScatter(const FigurePlace& place, const HeadScatterData& data, const PlotStyle& style);

}  // namespace plastiscope
