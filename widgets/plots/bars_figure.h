#pragma once
// Fills a place with bars of one or two numbers by model or component: widget and export.
#include <optional>
#include <utility>

#include "core/compare/bar_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

void buildBars(const FigurePlace& place, const BarData& data, const PlotStyle& style,
               std::optional<std::pair<double, double>> range = std::nullopt, bool intervals = true);

}  // namespace plastiscope
