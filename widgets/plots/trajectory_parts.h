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
// 95 % intervals of a series, one kind of mark for all its places.
using IntervalMark = std::function<void(double x, HeadInterval interval, std::size_t place)>;
void drawIntervals(const QCPAxisRect& rect, const TrajectorySeries& series, const IntervalMark& mark);
bool hasIntervals(const TrajectorySeries& series);
// What the ends of the intervals add to what a series reaches.
void addReach(std::vector<double>& reached, const TrajectorySeries& series);
// "270 heads, 12 examples"
QString countText(const TrajectoryData& data);

void drawZero(QCPPainter& painter, const QCPAxisRect& rect, const PlotStyle& style);

}  // namespace plastiscope
