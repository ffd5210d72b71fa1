#pragma once
// Charts of a family: a metric by relative depth, and shares of a whole as stacked bars. Widget and export.
#include <optional>
#include <utility>

#include "core/compare/family_data.h"
#include "widgets/plots/plot_style.h"

class QCustomPlot;

namespace plastiscope {

void buildComparedDepths(QCustomPlot& plot, const ComparedDepths& data, const PlotStyle& style,
                         std::optional<std::pair<double, double>> range = std::nullopt);
void buildComparedShares(QCustomPlot& plot, const ComparedShares& data, const PlotStyle& style);

}  // namespace plastiscope
