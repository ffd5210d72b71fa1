#pragma once
// Charts of a family: a metric by relative depth, and shares of a whole as stacked bars. Widget and export.
#include <optional>
#include <utility>

#include "core/compare/family_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

void buildComparedDepths(const FigurePlace& place, const ComparedDepths& data, const PlotStyle& style,
                         std::optional<std::pair<double, double>> range = std::nullopt,
                         bool intervals = true);
void buildComparedShares(const FigurePlace& place, const ComparedShares& data, const PlotStyle& style);

}  // namespace plastiscope
