#include "widgets/plots/trajectory_parts.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/interval_marks.h"
#include "widgets/plots/published.h"

namespace plastiscope {

std::vector<double> places(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i);
  return x;
}

SeriesLook lookOf(const QColor& colour, Marker marker, const PlotStyle& style) {
  return {colour, marker, false, pen(colour, style.lineWidth)};
}

void drawLevels(QCPPainter& painter, const QCPAxisRect& rect, const TrajectorySeries& series,
                const std::function<QColor(std::size_t)>& colour, const PlotStyle& style) {
  for (std::size_t i = 0; i < series.published.size(); ++i) {
    const GhostCurve& curve = series.published[i];
    if (curve.empty()) continue;
    const QPointF left = pointAt(rect, curve.x.front() - kHalfBar, curve.y.front()),
                  right = pointAt(rect, curve.x.front() + kHalfBar, curve.y.front());
    if (left.y() >= rect.top() && left.y() <= rect.bottom())  // SVG files have no clip
      drawPublishedLevel(painter, left.x(), right.x(), left.y(), publishedStyle(colour(i), style));
  }
}

void drawIntervals(const QCPAxisRect& rect, const TrajectorySeries& series, const IntervalMark& mark) {
  for (std::size_t i = 0; i < series.intervals.size(); ++i) {
    if (std::isfinite(series.middle[i]) && series.intervals[i].known())
      mark(pointAt(rect, static_cast<double>(i), 0).x(), series.intervals[i], i);
  }
}

bool hasIntervals(const TrajectorySeries& series) {
  return std::any_of(series.intervals.begin(), series.intervals.end(),
                     [](const HeadInterval& interval) { return interval.known(); });
}

void addReach(std::vector<double>& reached, const TrajectorySeries& series) {
  for (const HeadInterval& interval : series.intervals) {
    reached.push_back(interval.low);
    reached.push_back(interval.high);
  }
}

QString countText(const TrajectoryData& data) {
  return countText(data.series.front().heads, data.examples);
}

void drawZero(QCPPainter& painter, const QCPAxisRect& rect, const PlotStyle& style) {
  if (!rect.axis(QCPAxis::atLeft)->range().contains(0)) return;
  painter.setPen(pen(style.print ? style.colours.text : style.colours.muted, style.axisWidth));
  const double zero = pointAt(rect, 0, 0).y();
  painter.drawLine(QLineF(rect.left(), zero, rect.right() + 1, zero));
}

}  // namespace plastiscope
