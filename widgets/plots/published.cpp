#include "widgets/plots/published.h"

#include <cmath>

namespace plastiscope {

namespace {

// Half way between the text and the ground: behind everything that is one's own, in both themes.
QPen linePen(const PlotStyle& style) {
  const QColor &ink = style.colours.text, &ground = style.colours.view;
  const QColor half((ink.red() + ground.red()) / 2, (ink.green() + ground.green()) / 2,
                    (ink.blue() + ground.blue()) / 2);
  return pen(half, 0.75 * style.lineWidth);
}

QString nameOf(const GhostCurve& curve) {
  return QString::fromStdString(curve.label + ", " + curve.source);
}

void drawDiamond(QCPPainter& painter, const QPointF& at, const PlotStyle& style) {
  const double reach = 0.75 * style.pointSize;
  painter.setPen(linePen(style));
  painter.setBrush(style.colours.view);
  painter.drawPolygon(QPolygonF(
      {at - QPointF(0, reach), at + QPointF(reach, 0), at + QPointF(0, reach), at - QPointF(reach, 0)}));
}

}  // namespace

void drawPublished(QCPPainter& painter, const QCPAxisRect& rect, const GhostCurve& curve,
                   const std::function<double(double)>& place, const PlotStyle& style) {
  std::vector<QPolygonF> parts(1);  // a missing value interrupts the line
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (std::isfinite(curve.y[i]))
      parts.back().append({rect.axis(QCPAxis::atBottom)->coordToPixel(place(curve.x[i])),
                           rect.axis(QCPAxis::atLeft)->coordToPixel(curve.y[i])});
    else
      parts.emplace_back();
  }
  painter.setBrush(Qt::NoBrush);
  for (const QPen& stroke : {casedPen(style, linePen(style)), linePen(style)}) {
    painter.setPen(stroke);
    for (const QPolygonF& part : parts) painter.drawPolyline(part);
  }
  for (const QPolygonF& part : parts) {
    for (const QPointF& at : part) {
      if (QRectF(rect.rect()).contains(at)) drawDiamond(painter, at, style);
    }
  }
}

void drawPublishedLevel(QCPPainter& painter, double left, double right, double y, const PlotStyle& style) {
  for (const QPen& stroke : {casedPen(style, linePen(style)), linePen(style)}) {
    painter.setPen(stroke);
    painter.drawLine(QLineF(left, y, right, y));
  }
}

LegendEntry publishedLevelEntry(const GhostCurve& curve, const QString& window, const PlotStyle& style) {
  return lineEntry(nameOf(curve) + window, linePen(style));
}

LegendEntry publishedEntry(const GhostCurve& curve, const QString& window, const PlotStyle& style) {
  return {nameOf(curve) + window, 2.2, [style](QCPPainter& painter, const QRectF& box) {
            painter.setPen(linePen(style));
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
            drawDiamond(painter, box.center(), style);
          }};
}

PlotStyle publishedStyle(const QColor& model, PlotStyle style) {
  style.colours.text = model;
  return style;
}

LegendEntry publishedOfAllEntry(const PlotStyle& style, const QString& window) {
  LegendEntry entry = publishedEntry({}, {}, style);
  entry.text = QStringLiteral("published") + window;
  return entry;
}

LegendEntry publishedLevelOfAllEntry(const PlotStyle& style, const QString& window) {
  return lineEntry(QStringLiteral("published") + window, linePen(style));
}

}  // namespace plastiscope
