#pragma once
// Fills a plot with how models follow each other, in their order: widget and export.
#include <optional>
#include <utility>

#include "core/compare/trajectory_data.h"
#include "widgets/plots/plot_style.h"

class QCustomPlot;

namespace plastiscope {

// The thesis' chart: the first two series as lines with the gap between them shaded, the third as bars below
// (checkpointMetrics()).
void buildCheckpoints(QCustomPlot& plot, const TrajectoryData& data, const PlotStyle& style,
                      std::optional<std::pair<double, double>> range = std::nullopt);
// One metric: mean over heads with its standard deviation.
void buildTrajectory(QCustomPlot& plot, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range = std::nullopt);

}  // namespace plastiscope
