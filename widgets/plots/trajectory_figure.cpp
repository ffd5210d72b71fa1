#include "widgets/plots/trajectory_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/model_axis.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

QPointF pointAt(const QCPAxisRect& rect, double x, double y) {
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(x), rect.axis(QCPAxis::atLeft)->coordToPixel(y)};
}

std::vector<double> places(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i);
  return x;
}

SeriesLook lookOf(const QColor& colour, Marker marker, const PlotStyle& style) {
  return {colour, marker, false, pen(colour, style.lineWidth)};
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

QCPAxisRect& addEnds(QCustomPlot& plot, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range) {
  std::vector<double> values;
  for (int s = 0; s < 2; ++s)
    values.insert(values.end(), data.series[static_cast<std::size_t>(s)].mean.begin(),
                  data.series[static_cast<std::size_t>(s)].mean.end());
  const ValueAxis axis = valueAxis(data.series[0].metric, values, false, range);
  QCPAxisRect& rect =
      addPanel(plot, 1, 0, style, {Frame::Box, false, true, {}, QStringLiteral("AP"), {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  hideNames(*rect.axis(QCPAxis::atBottom));
  const SeriesLook first = lookOf(style.colours.query, Marker::Circle, style),
                   last = lookOf(style.colours.key, Marker::Square, style);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style, first, last](QCPPainter& painter) {
    const std::vector<double> x = places(data.models.size());
    shadeGap(painter, rect, data.series[0].mean, data.series[1].mean, style);
    drawSeries(painter, rect, x, data.series[0].mean, first, style);
    drawSeries(painter, rect, x, data.series[1].mean, last, style);
  });
  const auto entry = [&style](const TrajectorySeries& series, const SeriesLook& look) {
    LegendEntry made = seriesEntry({}, look, style);
    made.text = QString::fromStdString(series.metric.label);
    return made;
  };
  addWrappedLegend(plot, 0, 0, style,
                   {entry(data.series[0], first), entry(data.series[1], last),
                    boxEntry(QStringLiteral("AP<sub>drop</sub>"), gapColour(style), Qt::NoPen)});
  return rect;
}

QCPAxisRect& addBars(QCustomPlot& plot, const TrajectoryData& data, const PlotStyle& style) {
  const TrajectorySeries& series = data.series[2];
  const ValueAxis axis = valueAxis(series.metric, series.mean, true, std::nullopt);
  const QString brief = axis.title.section('|', -1);
  QCPAxisRect& rect = addPanel(plot, 2, 0, style, {Frame::Box, false, true, {}, brief, {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style](QCPPainter& painter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(biasColour(style));
    const std::vector<double>& values = data.series[2].mean;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      const auto at = static_cast<double>(i);
      painter.drawRect(QRectF(pointAt(rect, at - 0.31, values[i]), pointAt(rect, at + 0.31, 0)).normalized());
    }
    drawZero(painter, rect, style);
  });
  return rect;
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
  for (std::size_t i = 1; i < series.mean.size(); ++i) {
    if (!std::isfinite(series.mean[i - 1]) || !std::isfinite(series.mean[i])) continue;
    const auto at = static_cast<double>(i);
    painter.drawLine(QLineF(pointAt(rect, at - 1, series.mean[i - 1]), pointAt(rect, at, series.mean[i])));
  }
  for (std::size_t i = 0; i < series.mean.size(); ++i) {
    if (!std::isfinite(series.mean[i])) continue;
    const auto at = static_cast<double>(i);
    if (std::isfinite(series.sd[i])) {
      const QPointF low = pointAt(rect, at, series.mean[i] - series.sd[i]),
                    high = pointAt(rect, at, series.mean[i] + series.sd[i]);
      painter.setPen(pen(looks[i].colour, style.lineWidth));
      painter.drawLine(QLineF(low, high));
      for (const QPointF& end : {low, high})
        painter.drawLine(QLineF(end.x() - cap, end.y(), end.x() + cap, end.y()));
    }
    drawMarker(painter, looks[i], pointAt(rect, at, series.mean[i]), 1.9 * style.pointSize, style);
  }
}

}  // namespace

void buildCheckpoints(QCustomPlot& plot, const TrajectoryData& data, const PlotStyle& style,
                      std::optional<std::pair<double, double>> range) {
  clearPlot(plot, style);
  QCPAxisRect& ends = addEnds(plot, data, style, range);
  QCPAxisRect& bars = addBars(plot, data, style);
  auto* group = new QCPMarginGroup(&plot);
  for (QCPAxisRect* rect : {&ends, &bars}) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  plot.plotLayout()->setRowStretchFactor(1, 3);
  plot.plotLayout()->setRowStretchFactor(2, 1.7);  // figures.md: 3 : 1.3 without the names below
}

void buildTrajectory(QCustomPlot& plot, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range) {
  clearPlot(plot, style);
  const TrajectorySeries& series = data.series.front();
  std::vector<double> reached = series.mean;
  for (std::size_t i = 0; i < series.mean.size(); ++i) {
    reached.push_back(series.mean[i] - series.sd[i]);
    reached.push_back(series.mean[i] + series.sd[i]);
  }
  const ValueAxis axis = valueAxis(series.metric, reached, false, range);
  QCPAxisRect& rect = addPanel(plot, 1, 0, style, {Frame::Box, false, true, {}, axis.title, {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   [data, &rect, style](QCPPainter& painter) { drawSpread(painter, data, rect, style); });
  addWrappedLegend(
      plot, 0, 0, style,
      {{QStringLiteral("mean over heads \u00b1 SD"), 1.2, [style](QCPPainter& painter, const QRectF& box) {
          painter.setPen(pen(style.colours.text, style.lineWidth));
          painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()));
          const SeriesLook look{style.colours.text, Marker::Circle, false, {}};
          drawMarker(painter, look, box.center(), 1.5 * style.pointSize, style);
        }}});
}

}  // namespace plastiscope
