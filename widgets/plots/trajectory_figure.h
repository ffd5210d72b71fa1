#pragma once
// Fills a plot with how models follow each other, in their order: widget and export.
#include <optional>
#include <utility>

#include "core/compare/trajectory_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// The thesis' chart: the first two series as lines with the gap between them shaded, the third as bars below
// (checkpointMetrics()).
void buildCheckpoints(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                      std::optional<std::pair<double, double>> range = std::nullopt, bool intervals = true);
// One metric: mean over heads with its standard deviation and its interval.
void buildTrajectory(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range = std::nullopt, bool intervals = true);

// Two correlations, of queries and of keys, as lines with their standard deviations (signalMetrics()).
void buildSignal(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                 std::optional<std::pair<double, double>> range = std::nullopt, bool intervals = true);

}  // namespace plastiscope
