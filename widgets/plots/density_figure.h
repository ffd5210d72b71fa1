#pragma once
// Fills a place with histograms of a metric over the heads of models, over each other: widget and export.
#include "core/compare/density_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

void buildDensity(const FigurePlace& place, const DensityData& data, const PlotStyle& style);

}  // namespace plastiscope
