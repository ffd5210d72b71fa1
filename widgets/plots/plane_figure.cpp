#include "widgets/plots/plane_figure.h"

#include <algorithm>

#include "widgets/plots/panel.h"
#include "widgets/plots/plane_cloud.h"

namespace plastiscope {

namespace {

void drawArrow(QCPPainter& painter, const QRectF& rect, const QPointF& from, const QPointF& to, double head) {
  drawLineWithin(painter, rect, {from, to});
  if (!rect.contains(to)) return;
  const QLineF shaft(to, from);
  for (const double angle : {28.0, -28.0}) {
    QLineF barb = shaft;
    barb.setLength(head);
    barb.setAngle(shaft.angle() + angle);
    painter.drawLine(barb);
  }
}

// Fitted mean from position 0 to the end of the window, and the centroid as a ringed cross; both cased.
void drawMarks(QCPPainter& painter, const PlaneRows& rows, const QColor& colour, const PlotStyle& style,
               const QCPAxisRect& rect) {
  const auto at = [&rect](const PlanePoint& p) {
    return QPointF(rect.axis(QCPAxis::atBottom)->coordToPixel(p.x),
                   rect.axis(QCPAxis::atLeft)->coordToPixel(p.y));
  };
  QPen line = pen(colour, style.u(style.print ? 0.9 : 1.8));
  line.setCapStyle(Qt::RoundCap);
  QPen casing = casedPen(style, line);
  casing.setCapStyle(Qt::RoundCap);
  const double ring = style.u(style.print ? 2.4 : 4.6);
  if (rows.hasArrow) {
    for (const QPen& stroke : {casing, line}) {
      painter.setPen(stroke);
      drawArrow(painter, rect.rect(), at(rows.arrowStart), at(rows.arrowEnd), 1.7 * ring);
    }
  }
  const QPointF middle = at(rows.centroid);
  if (!QRectF(rect.rect()).contains(middle)) return;
  painter.setPen(pen(style.colours.casing, casing.widthF() * 0.6));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(middle, ring + line.widthF(), ring + line.widthF());
  painter.setPen(pen(colour, line.widthF() * 0.8));
  painter.setBrush(style.colours.casing);
  painter.drawEllipse(middle, ring, ring);
  painter.drawLine(QLineF(middle.x() - 0.55 * ring, middle.y(), middle.x() + 0.55 * ring, middle.y()));
  painter.drawLine(QLineF(middle.x(), middle.y() - 0.55 * ring, middle.x(), middle.y() + 0.55 * ring));
}

// The box with its points; the marks and titles are the figure's.
QCPAxisRect& addCloud(const FigurePlace& place, const std::shared_ptr<const PlaneData>& data,
                      const PlotStyle& style, const CloudPaint& paint) {
  QCPAxisRect& rect = addPanel(place, 1, 0, style,
                               {Frame::Box,
                                true,
                                true,
                                QString::fromStdString(data->xAxis.title),
                                QString::fromStdString(data->yAxis.title),
                                {}});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  x.setTicker(QSharedPointer<NumberTicker>::create(x));
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  const PlaneRange& range = data->range;
  x.setRange(range.xLow, range.xHigh);
  y.setRange(range.yLow, range.yHigh);
  const auto cloud = std::make_shared<const PlaneCloud>(data, style);
  new PaintedLayer(rect, "main", Clip::AxisRect, [cloud, paint, &rect](QCPPainter& painter) {
    if (paint)
      paint(painter, *cloud, rect);
    else
      cloud->paint(painter, rect);
  });
  return rect;
}

void addCloudLegend(const FigurePlace& place, const PlaneData& data, const PlotStyle& style,
                    QCPAxisRect& rect) {
  const auto last = static_cast<double>(std::max<std::int64_t>(0, data.window - 1));
  const auto text = [](const QString& words) {
    return LegendEntry{words, 0, [](QCPPainter&, const QRectF&) {}};
  };
  std::vector<LegendEntry> legend = {rampEntry(QStringLiteral("<b>Q</b>"), style.colours.queryRamp),
                                     rampEntry(QStringLiteral("<b>K</b>"), style.colours.keyRamp),
                                     text(QStringLiteral("position 0 \u2026 %1").arg(numberLabel(last, 0)))};
  if (data.range.outside > 0)
    legend.push_back(
        text(QStringLiteral("%1 rows outside").arg(numberLabel(static_cast<double>(data.range.outside), 0))));
  addLegend(place, 0, 0, style, rect, std::move(legend));
}

}  // namespace

void buildCloud(const FigurePlace& place, const std::shared_ptr<const PlaneData>& data,
                const PlotStyle& style) {
  place.clear(style);
  addCloudLegend(place, *data, style, addCloud(place, data, style, {}));
}

void buildPlane(const FigurePlace& place, const std::shared_ptr<const PlaneData>& data,
                const PlotStyle& style, const CloudPaint& paint) {
  place.clear(style);
  QCPAxisRect& rect = addCloud(place, data, style, paint);
  new PaintedLayer(rect, "marks", Clip::AxisRect, [data, style, &rect](QCPPainter& painter) {
    drawMarks(painter, data->key, style.colours.keyRamp[3], style, rect);
    drawMarks(painter, data->query, style.colours.queryRamp[3], style, rect);
  });
  addCloudLegend(place, *data, style, rect);
}

}  // namespace plastiscope
