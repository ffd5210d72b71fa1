#include "widgets/plots/trajectory_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/model_axis.h"
#include "widgets/plots/phase_lines.h"
#include "widgets/plots/published.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

constexpr double kHalfBar = 0.31;  // of the place of a model

std::vector<double> places(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i);
  return x;
}

SeriesLook lookOf(const QColor& colour, Marker marker, const PlotStyle& style) {
  return {colour, marker, false, pen(colour, style.lineWidth)};
}

double placed(double model) {
  return model;
}

// Published values as levels as wide as a bar, each in the colour of its model.
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

// What the values of a series reach, published ones too.
std::vector<double> reachOf(const TrajectorySeries& series) {
  std::vector<double> reached = series.publishedCurve().y;
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    for (const double sd : {0.0, series.sd[i], -series.sd[i]}) reached.push_back(series.middle[i] + sd);
  }
  return reached;
}

// The gap between the first and the last fifth.
QColor gapColour(const PlotStyle& style) {
  QColor colour = style.theme == Theme::Dark ? QColor("#b18be8") : QColor("#8b5cf6");
  colour.setAlphaF(style.theme == Theme::Dark ? 0.26F : 0.18F);
  return colour;
}

QColor biasColour(const PlotStyle& style) {
  return style.theme == Theme::Dark ? QColor("#2cc79a") : QColor("#009E73");
}

// Between two lines, where both are known on both sides.
void shadeGap(QCPPainter& painter, const QCPAxisRect& rect, const std::vector<double>& a,
              const std::vector<double>& b, const PlotStyle& style) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(gapColour(style));
  QPolygonF above, below;
  const auto flush = [&] {
    std::reverse(below.begin(), below.end());
    if (above.size() > 1) painter.drawPolygon(above + below);
    above.clear();
    below.clear();
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
      flush();
      continue;
    }
    above.append(pointAt(rect, static_cast<double>(i), a[i]));
    below.append(pointAt(rect, static_cast<double>(i), b[i]));
  }
  flush();
}

void drawZero(QCPPainter& painter, const QCPAxisRect& rect, const PlotStyle& style) {
  if (!rect.axis(QCPAxis::atLeft)->range().contains(0)) return;
  painter.setPen(pen(style.print ? style.colours.text : style.colours.muted, style.axisWidth));
  const double zero = pointAt(rect, 0, 0).y();
  painter.drawLine(QLineF(rect.left(), zero, rect.right() + 1, zero));
}

QCPAxisRect& addEnds(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range) {
  const GhostCurve publishedFirst = data.series[0].publishedCurve(),
                   publishedLast = data.series[1].publishedCurve();
  std::vector<double> values;
  for (const auto* part :
       {&data.series[0].middle, &data.series[1].middle, &publishedFirst.y, &publishedLast.y})
    values.insert(values.end(), part->begin(), part->end());
  const ValueAxis axis = valueAxis(data.series[0].metric, values, false, range);
  QCPAxisRect& rect =
      addPanel(place, 1, 0, style, {Frame::Box, false, true, {}, QStringLiteral("AP"), {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  hideNames(*rect.axis(QCPAxis::atBottom));
  addPhaseLines(rect, phaseStarts(data.models, data.windows), style);
  const SeriesLook first = lookOf(style.colours.query, Marker::Circle, style),
                   last = lookOf(style.colours.key, Marker::Square, style);
  new PaintedLayer(rect, "main", Clip::AxisRect, [=, &rect](QCPPainter& painter) {
    const std::vector<double> x = places(data.models.size());
    shadeGap(painter, rect, data.series[0].middle, data.series[1].middle, style);
    drawPublished(painter, rect, publishedFirst, placed, publishedStyle(first.colour, style));
    drawPublished(painter, rect, publishedLast, placed, publishedStyle(last.colour, style));
    drawSeries(painter, rect, x, data.series[0].middle, first, style);
    drawSeries(painter, rect, x, data.series[1].middle, last, style);
  });
  const auto entry = [&style](const TrajectorySeries& series, const SeriesLook& look) {
    LegendEntry made = seriesEntry({}, look, style);
    made.text = QString::fromStdString(series.metric.label);
    return made;
  };
  std::vector<LegendEntry> legend = {
      entry(data.series[0], first), entry(data.series[1], last),
      boxEntry(QStringLiteral("AP<sub>drop</sub>"), gapColour(style), Qt::NoPen)};
  if (!publishedFirst.empty() || !publishedLast.empty()) legend.push_back(publishedOfAllEntry(style));
  addWrappedLegend(place, 0, 0, style, std::move(legend));
  return rect;
}

QCPAxisRect& addBars(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style) {
  const TrajectorySeries& series = data.series[2];
  std::vector<double> reached = series.publishedCurve().y;
  reached.insert(reached.end(), series.middle.begin(), series.middle.end());
  const ValueAxis axis = valueAxis(series.metric, reached, true, std::nullopt);
  const QString brief = axis.title.section('|', -1);
  QCPAxisRect& rect = addPanel(place, 2, 0, style, {Frame::Box, false, true, {}, brief, {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  addPhaseLines(rect, phaseStarts(data.models, data.windows), style);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style](QCPPainter& painter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(biasColour(style));
    const std::vector<double>& values = data.series[2].middle;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      const auto at = static_cast<double>(i);
      painter.drawRect(
          QRectF(pointAt(rect, at - kHalfBar, values[i]), pointAt(rect, at + kHalfBar, 0)).normalized());
    }
    drawLevels(
        painter, rect, data.series[2], [&style](std::size_t) { return style.colours.text; }, style);
    drawZero(painter, rect, style);
  });
  return rect;
}

bool hasSpread(const TrajectoryData& data) {
  return std::any_of(data.series.begin(), data.series.end(), [](const TrajectorySeries& series) {
    return std::any_of(series.sd.begin(), series.sd.end(), [](double sd) { return std::isfinite(sd); });
  });
}

// Correlations from a little below zero to 1, or as far down as they reach.
std::pair<double, double> signalRange(const TrajectoryData& data) {
  double low = -0.2;
  for (const TrajectorySeries& series : data.series) {
    for (std::size_t i = 0; i < series.middle.size(); ++i) {
      const double end = series.middle[i] - (std::isfinite(series.sd[i]) ? series.sd[i] : 0);
      if (std::isfinite(end)) low = std::min(low, end - 0.03);
    }
  }
  return {std::max(-1.05, low), 1.05};
}

// One standard deviation on both sides, as far as it is known.
void shadeSpread(QCPPainter& painter, const QCPAxisRect& rect, const TrajectorySeries& series,
                 QColor colour) {
  colour.setAlphaF(0.16F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const QRectF inside(rect.rect());
  QPolygonF above, below;
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    if (!std::isfinite(series.middle[i]) || !std::isfinite(series.sd[i])) continue;
    for (const auto& [edge, sign] : {std::pair{&above, 1.0}, std::pair{&below, -1.0}}) {
      QPointF at = pointAt(rect, static_cast<double>(i), series.middle[i] + sign * series.sd[i]);
      at.setY(std::clamp(at.y(), inside.top(), inside.bottom()));  // SVG files have no clip
      edge->append(at);
    }
  }
  std::reverse(below.begin(), below.end());
  if (above.size() > 1) painter.drawPolygon(above + below);
}

void drawSpread(QCPPainter& painter, const TrajectoryData& data, const QCPAxisRect& rect,
                const PlotStyle& style) {
  const TrajectorySeries& series = data.series.front();
  const auto looks = seriesLooks(data.models, style);
  const double cap = style.u(style.print ? 2 : 4);
  if (series.metric.isSigned) drawZero(painter, rect, style);
  SeriesLook neutral = lookOf(style.colours.bars, Marker::Ring, style);
  neutral.line = dashedPen(style.colours.bars, style.lineWidth, 3.2, 2.0);
  painter.setPen(neutral.line);
  for (std::size_t i = 1; i < series.middle.size(); ++i) {
    if (!std::isfinite(series.middle[i - 1]) || !std::isfinite(series.middle[i])) continue;
    const auto at = static_cast<double>(i);
    painter.drawLine(
        QLineF(pointAt(rect, at - 1, series.middle[i - 1]), pointAt(rect, at, series.middle[i])));
  }
  drawLevels(
      painter, rect, series, [&looks](std::size_t model) { return looks[model].colour; }, style);
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    if (!std::isfinite(series.middle[i])) continue;
    const auto at = static_cast<double>(i);
    if (std::isfinite(series.sd[i])) {
      const QPointF low = pointAt(rect, at, series.middle[i] - series.sd[i]),
                    high = pointAt(rect, at, series.middle[i] + series.sd[i]);
      painter.setPen(pen(looks[i].colour, style.lineWidth));
      painter.drawLine(QLineF(low, high));
      for (const QPointF& end : {low, high})
        painter.drawLine(QLineF(end.x() - cap, end.y(), end.x() + cap, end.y()));
    }
    drawMarker(painter, looks[i], pointAt(rect, at, series.middle[i]), 1.9 * style.pointSize, style);
  }
}

// What the points are: a marker, on a bar where they have a spread.
LegendEntry middleEntry(const TrajectoryData& data, const PlotStyle& style) {
  const bool spread = hasSpread(data);
  const QString text = data.series.front().median ? QStringLiteral("median over heads")
                       : spread                   ? QStringLiteral("mean over heads \u00b1 SD")
                                                  : QStringLiteral("mean over heads");
  return {text, 1.2, [style](QCPPainter& painter, const QRectF& box) {
            painter.setPen(pen(style.colours.text, style.lineWidth));
            painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()));
            const SeriesLook look{style.colours.text, Marker::Circle, false, {}};
            drawMarker(painter, look, box.center(), 1.5 * style.pointSize, style);
          }};
}

}  // namespace

void buildCheckpoints(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                      std::optional<std::pair<double, double>> range) {
  place.clear(style);
  QCPAxisRect& ends = addEnds(place, data, style, range);
  QCPAxisRect& bars = addBars(place, data, style);
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* rect : {&ends, &bars}) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  place.grid().setRowStretchFactor(1, 3);
  place.grid().setRowStretchFactor(2, 1.7);  // figures.md: 3 : 1.3 without the names below
}

void buildTrajectory(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range) {
  place.clear(style);
  const TrajectorySeries& series = data.series.front();
  const ValueAxis axis = valueAxis(series.metric, reachOf(series), false, range);
  QCPAxisRect& rect = addPanel(place, 1, 0, style, {Frame::Box, false, true, {}, axis.title, {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  addPhaseLines(rect, phaseStarts(data.models, data.windows), style);
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   [data, &rect, style](QCPPainter& painter) { drawSpread(painter, data, rect, style); });
  std::vector<LegendEntry> legend = {middleEntry(data, style)};
  if (!series.publishedCurve().empty()) legend.push_back(publishedLevelOfAllEntry(style));
  addWrappedLegend(place, 0, 0, style, std::move(legend));
}

void buildSignal(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                 std::optional<std::pair<double, double>> range) {
  place.clear(style);
  const auto [low, high] = range.value_or(signalRange(data));
  QCPAxisRect& rect =
      addPanel(place, 1, 0, style,
               {Frame::Box, false, true, {}, QStringLiteral("mean <i>r</i> with position|<i>r</i>"), {}, {}});
  QCPAxis& y = *rect.axis(QCPAxis::atLeft);
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  y.setRange(low, high);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  addPhaseLines(rect, phaseStarts(data.models, data.windows), style);
  const std::vector<SeriesLook> looks = {lookOf(style.colours.query, Marker::Circle, style),
                                         lookOf(style.colours.key, Marker::Square, style)};
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style, looks](QCPPainter& painter) {
    for (std::size_t s = 0; s < looks.size(); ++s)
      shadeSpread(painter, rect, data.series[s], looks[s].colour);
    drawZero(painter, rect, style);
    for (std::size_t s = 0; s < looks.size(); ++s)
      drawSeries(painter, rect, places(data.models.size()), data.series[s].middle, looks[s], style);
  });
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < looks.size(); ++s) {
    legend.push_back(seriesEntry({}, looks[s], style));
    legend.back().text = QString::fromStdString(data.series[s].metric.label);
  }
  if (hasSpread(data))
    legend.push_back({QStringLiteral("shaded: \u00b1 SD over heads"), 0, [](QCPPainter&, const QRectF&) {}});
  addWrappedLegend(place, 0, 0, style, std::move(legend));
}

}  // namespace plastiscope
