#include "widgets/plots/trajectory_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/interval_marks.h"
#include "widgets/plots/model_axis.h"
#include "widgets/plots/phase_lines.h"
#include "widgets/plots/published.h"
#include "widgets/plots/trajectory_parts.h"

namespace plastiscope {

namespace {

// What the values of a series reach, published ones too.
std::vector<double> reachOf(const TrajectorySeries& series, bool intervals) {
  std::vector<double> reached = series.publishedCurve().y;
  if (intervals) addReach(reached, series);
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    for (const double sd : {0.0, series.sd[i], -series.sd[i]}) reached.push_back(series.middle[i] + sd);
  }
  return reached;
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
                const PlotStyle& style, bool intervals) {
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
  }
  if (intervals)
    drawIntervals(rect, series, [&](double x, HeadInterval interval, std::size_t place) {
      drawInnerInterval(painter, rect, x, interval, looks[place].colour, style);
    });
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    if (std::isfinite(series.middle[i]))
      drawMarker(painter, looks[i], pointAt(rect, static_cast<double>(i), series.middle[i]),
                 1.9 * style.pointSize, style);
  }
}

// What the points are: a marker, on a bar where they have a spread.
LegendEntry middleEntry(const TrajectoryData& data, const PlotStyle& style) {
  QString text = data.series.front().median ? QStringLiteral("median over heads")
                 : hasSpread(data)          ? QStringLiteral("mean over heads \u00b1 SD")
                                            : QStringLiteral("mean over heads");
  if (const QString counts = countText(data); !counts.isEmpty()) text += " (" + counts + ")";
  return {text, 1.2, [style](QCPPainter& painter, const QRectF& box) {
            painter.setPen(pen(style.colours.text, style.lineWidth));
            painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()));
            const SeriesLook look{style.colours.text, Marker::Circle, false, {}};
            drawMarker(painter, look, box.center(), 1.5 * style.pointSize, style);
          }};
}

}  // namespace

void buildTrajectory(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range, bool intervalsWanted) {
  place.clear(style);
  const TrajectorySeries& series = data.series.front();
  const bool intervals = intervalsWanted && hasIntervals(series);
  const ValueAxis axis = valueAxis(series.metric, reachOf(series, intervals), false, range);
  QCPAxisRect& rect = addPanel(place, 1, 0, style, {Frame::Box, false, true, {}, axis.title, {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  addPhaseLines(rect, phaseStarts(data.models, data.windows), style);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style, intervals](QCPPainter& painter) {
    drawSpread(painter, data, rect, style, intervals);
  });
  std::vector<LegendEntry> legend = {middleEntry(data, style)};
  if (intervals) legend.push_back(innerEntry(intervalText(series.over), style));
  if (!series.publishedCurve().empty()) legend.push_back(publishedLevelOfAllEntry(style));
  addWrappedLegend(place, 0, 0, style, std::move(legend));
}

void buildSignal(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                 std::optional<std::pair<double, double>> range, bool intervalsWanted) {
  place.clear(style);
  const bool intervals = intervalsWanted && hasIntervals(data.series.front());
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
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style, looks, intervals](QCPPainter& painter) {
    for (std::size_t s = 0; s < looks.size(); ++s)
      shadeSpread(painter, rect, data.series[s], looks[s].colour);
    drawZero(painter, rect, style);
    for (std::size_t s = 0; intervals && s < looks.size(); ++s)
      drawIntervals(rect, data.series[s], [&](double x, HeadInterval interval, std::size_t) {
        drawWhisker(painter, rect, x, interval, looks[s].colour, style);
      });
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
  if (intervals) legend.push_back(whiskerEntry(intervalText(data.series.front().over), style));
  if (const QString counts = countText(data); !counts.isEmpty())
    legend.push_back({counts, 0, [](QCPPainter&, const QRectF&) {}});
  addWrappedLegend(place, 0, 0, style, std::move(legend));
}

}  // namespace plastiscope
