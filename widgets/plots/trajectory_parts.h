#pragma once
// What pictures of models in their order share. Private to widgets/plots.
#include <functional>

#include "core/compare/trajectory_data.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

inline constexpr double kHalfBar = 0.31;  // of the place of a model

std::vector<double> places(std::size_t count);  // 0, 1, ...
SeriesLook lookOf(const QColor& colour, Marker marker, const PlotStyle& style);
// Published values as levels as wide as a bar, each in the colour of its model.
void drawLevels(QCPPainter& painter, const QCPAxisRect& rect, const TrajectorySeries& series,
                const std::function<QColor(std::size_t)>& colour, const PlotStyle& style);
void drawZero(QCPPainter& painter, const QCPAxisRect& rect, const PlotStyle& style);

}  // namespace plastiscope
