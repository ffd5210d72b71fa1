// The checkpoints of trajectory_figure.h.
#include <algorithm>
#include <cmath>

#include "widgets/plots/interval_marks.h"
#include "widgets/plots/model_axis.h"
#include "widgets/plots/phase_lines.h"
#include "widgets/plots/published.h"
#include "widgets/plots/trajectory_figure.h"
#include "widgets/plots/trajectory_parts.h"

namespace plastiscope {

namespace {

double placed(double model) {
  return model;
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

QCPAxisRect& addEnds(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                     std::optional<std::pair<double, double>> range, bool intervals) {
  const GhostCurve publishedFirst = data.series[0].publishedCurve(),
                   publishedLast = data.series[1].publishedCurve();
  std::vector<double> values;
  for (const auto* part :
       {&data.series[0].middle, &data.series[1].middle, &publishedFirst.y, &publishedLast.y})
    values.insert(values.end(), part->begin(), part->end());
  if (intervals) {
    addReach(values, data.series[0]);
    addReach(values, data.series[1]);
  }
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
    for (std::size_t s = 0; intervals && s < 2; ++s) {
      drawIntervals(rect, data.series[s], [&](double at, HeadInterval interval, std::size_t) {
        drawWhisker(painter, rect, at, interval, s == 0 ? first.colour : last.colour, style);
      });
    }
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
  if (intervals) legend.push_back(whiskerEntry(intervalText(data.series[0].over), style));
  if (!publishedFirst.empty() || !publishedLast.empty()) legend.push_back(publishedOfAllEntry(style));
  if (const QString counts = countText(data); !counts.isEmpty())
    legend.push_back({counts, 0, [](QCPPainter&, const QRectF&) {}});
  addWrappedLegend(place, 0, 0, style, std::move(legend));
  return rect;
}

QCPAxisRect& addBars(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                     bool intervals) {
  const TrajectorySeries& series = data.series[2];
  std::vector<double> reached = series.publishedCurve().y;
  if (intervals) addReach(reached, series);
  reached.insert(reached.end(), series.middle.begin(), series.middle.end());
  const ValueAxis axis = valueAxis(series.metric, reached, true, std::nullopt);
  const QString brief = axis.title.section('|', -1);
  QCPAxisRect& rect = addPanel(place, 2, 0, style, {Frame::Box, false, true, {}, brief, {}, {}});
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  nameModels(*rect.axis(QCPAxis::atBottom), data.models);
  addPhaseLines(rect, phaseStarts(data.models, data.windows), style);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style, intervals](QCPPainter& painter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(biasColour(style));
    const std::vector<double>& values = data.series[2].middle;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      const auto at = static_cast<double>(i);
      painter.drawRect(
          QRectF(pointAt(rect, at - kHalfBar, values[i]), pointAt(rect, at + kHalfBar, 0)).normalized());
    }
    if (intervals)
      drawIntervals(rect, data.series[2], [&](double at, HeadInterval interval, std::size_t) {
        drawWhisker(painter, rect, at, interval, style.colours.text, style);
      });
    drawLevels(
        painter, rect, data.series[2], [&style](std::size_t) { return style.colours.text; }, style);
    drawZero(painter, rect, style);
  });
  return rect;
}

}  // namespace

void buildCheckpoints(const FigurePlace& place, const TrajectoryData& data, const PlotStyle& style,
                      std::optional<std::pair<double, double>> range, bool intervalsWanted) {
  place.clear(style);
  const bool intervals = intervalsWanted && hasIntervals(data.series.front());
  QCPAxisRect& ends = addEnds(place, data, style, range, intervals);
  QCPAxisRect& bars = addBars(place, data, style, intervals);
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* rect : {&ends, &bars}) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  place.grid().setRowStretchFactor(1, 3);
  place.grid().setRowStretchFactor(2, 1.7);  // figures.md: 3 : 1.3 without the names below
}

}  // namespace plastiscope
