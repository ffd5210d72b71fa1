#pragma once
// Fills a plot with explained variance and r per component, or with component weights: widget and export.
#include "core/views/components_data.h"
#include "widgets/plots/plot_style.h"

class QCustomPlot;

namespace plastiscope {

void buildComponents(QCustomPlot& plot, const ComponentsData& data, const PlotStyle& style);
void buildWeights(QCustomPlot& plot, const ComponentWeightsData& data, const PlotStyle& style);

}  // namespace plastiscope
