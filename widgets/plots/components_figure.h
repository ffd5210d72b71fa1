#pragma once
// Fills a plot with explained variance and r per component, or with component weights: widget and export.
#include "core/views/components_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

void buildComponents(const FigurePlace& place, const ComponentsData& data, const PlotStyle& style);
void buildWeights(const FigurePlace& place, const ComponentWeightsData& data, const PlotStyle& style);

}  // namespace plastiscope
