#include "widgets/plots/density_figure.h"

#include <cmath>

#include "widgets/plots/model_axis.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

std::vector<ComparedName> namesOf(const DensityData& data) {
  std::vector<ComparedName> names;
  for (const DensityModel& model : data.models) names.push_back(model.model);
  return names;
}

// A step line over the bins, from the axis and back to it.
QPolygonF stepsOf(const DensityModel& model, const std::vector<double>& edges, const QCPAxisRect& rect) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  QPolygonF steps({QPointF(x.coordToPixel(edges.front()), y.coordToPixel(0))});
  for (std::size_t i = 0; i < model.density.size(); ++i) {
    const double level = y.coordToPixel(model.density[i]);
    steps << QPointF(x.coordToPixel(edges[i]), level) << QPointF(x.coordToPixel(edges[i + 1]), level);
  }
  steps << QPointF(x.coordToPixel(edges.back()), y.coordToPixel(0));
  return steps;
}

void drawDensities(QCPPainter& painter, const DensityData& data, const QCPAxisRect& rect,
                   const PlotStyle& style) {
  if (data.metric.isSigned) {
    const double zero = rect.axis(QCPAxis::atBottom)->coordToPixel(0);
    painter.setPen(dashedPen(style.colours.muted, style.lineWidth));
    drawLineWithin(painter, rect.rect(), {zero, static_cast<double>(rect.top()), zero, rect.bottom() + 1.0});
  }
  const auto looks = seriesLooks(namesOf(data), style);
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const QPolygonF steps = stepsOf(data.models[m], data.edges, rect);
    QColor fill = looks[m].colour;
    fill.setAlphaF(0.12F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(steps);
    QPen line = looks[m].line;
    line.setWidthF(0.85 * style.lineWidth);
    line.setJoinStyle(Qt::MiterJoin);
    painter.setPen(line);
    painter.setBrush(Qt::NoBrush);
    drawPolylineWithin(painter, rect.rect(), steps);
  }
}

std::vector<LegendEntry> legendOf(const DensityData& data, const PlotStyle& style) {
  const auto names = namesOf(data);
  const auto looks = seriesLooks(names, style);
  const QStringList shown = shownNames(names);
  std::vector<LegendEntry> legend;
  std::int64_t outside = 0;
  for (std::size_t m = 0; m < names.size(); ++m) {
    legend.push_back(lineEntry(shown[static_cast<qsizetype>(m)].toHtmlEscaped(), looks[m].line));
    outside += data.models[m].outside;
  }
  if (outside > 0)
    legend.push_back({QStringLiteral("%1 heads outside").arg(outside), 0, [](QCPPainter&, const QRectF&) {}});
  return legend;
}

}  // namespace

void buildDensity(const FigurePlace& place, const DensityData& data, const PlotStyle& style) {
  place.clear(style);
  MetricInfo metric = data.metric;
  metric.isSigned = false;  // the edges say how far the axis reaches
  const std::pair<double, double> range{data.edges.front(), data.edges.back()};
  const ValueAxis across = valueAxis(metric, {}, false, range);
  const QString per =
      across.power == 0
          ? QStringLiteral("density of the heads|density")
          : QStringLiteral("density (per 10<sup>%1</sup>)|density").arg(numberLabel(across.power, 0));
  QCPAxisRect& rect = addPanel(place, 1, 0, style, {Frame::Box, false, true, across.title, per, {}, {}});
  useValues(*rect.axis(QCPAxis::atBottom), across);
  QCPAxis& y = *rect.axis(QCPAxis::atLeft);
  y.setTicker(QSharedPointer<NumberTicker>::create(y, std::pow(10, -across.power)));
  y.setRange(0, data.highest > 0 ? 1.06 * data.highest : 1);
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   [data, &rect, style](QCPPainter& painter) { drawDensities(painter, data, rect, style); });
  addWrappedLegend(place, 0, 0, style, legendOf(data, style));
}

}  // namespace plastiscope
