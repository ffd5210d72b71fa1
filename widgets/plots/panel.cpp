#include "widgets/plots/panel.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/plots/rich_text.h"

namespace plastiscope {

namespace {

constexpr const char* kTitle = "plastiscopeTitle";
constexpr double kNoStretch = 1e-6;  // stretch

}  // namespace

QPen pen(const QColor& color, double width, Qt::PenStyle pattern) {
  QPen made(color, width, pattern);
  made.setJoinStyle(Qt::RoundJoin);
  made.setCapStyle(Qt::FlatCap);
  return made;
}

QPen dashedPen(const QColor& color, double width, double dash, double space) {
  QPen made = pen(color, width, Qt::CustomDashLine);
  made.setDashPattern({dash, space});
  return made;
}

QPen casedPen(const PlotStyle& style, const QPen& inner) {
  return pen(style.colours.casing, inner.widthF() + 2 * style.u(style.print ? 0.5 : 1));
}

void styleAxis(QCPAxis& axis, const PlotStyle& style) {
  const QPen line = pen(style.print ? style.colours.text : style.colours.muted, style.axisWidth);
  axis.setBasePen(line);
  axis.setTickPen(line);
  axis.setSubTicks(false);
  axis.setTickLength(0, static_cast<int>(std::lround(style.tickLength)));
  axis.setTickLabelFont(style.tick);
  axis.setTickLabelColor(style.print ? style.colours.text : style.colours.muted);
  axis.setTickLabelPadding(style.units(style.print ? 1.5 : 3));
  axis.setLabelFont(style.label);
  axis.setLabelPadding(style.print ? 0 : style.units(2));
  axis.setPadding(style.units(1));
  axis.setOffset(0);
  axis.grid()->setZeroLinePen(Qt::NoPen);
  axis.grid()->setPen(pen(style.colours.grid, style.gridWidth));
}

void titleAxis(QCPAxis& axis, const QString& richTitle, const PlotStyle& style) {
  if (richTitle.isEmpty()) return;
  axis.setLabel(QStringLiteral(" "));
  axis.setProperty(kTitle, richTitle);
  QCPAxisRect& rect = *axis.axisRect();
  new PaintedLayer(rect, "axes", Clip::None, [&rect, &axis, style](QCPPainter& painter) {
    const QString shown = titleOf(axis);
    if (shown.isEmpty()) return;
    const QRect inner = rect.rect(), outer = rect.outerRect();
    const bool horizontal = axis.orientation() == Qt::Horizontal;
    // A title may be longer than its axis: the legend's height and the other axis' labels give it room.
    const QRect whole = rect.parentPlot()->viewport();
    // Titles that can be shortened are (in files only where they say nothing less); others reach beside the
    // legend when no other panel stands above, and the legend does not begin at the edge.
    QCPLayoutGrid& grid = *rect.parentPlot()->plotLayout();
    const bool besideLegend =
        !grid.hasElement(0, 0) || grid.element(0, 0)->objectName() != QLatin1String("wrappedLegend");
    const bool alone = !horizontal && besideLegend && rect.layout() == rect.parentPlot()->plotLayout() &&
                       !shown.contains(QStringLiteral(" \u00b7 ")) &&
                       (style.print || !shown.contains(QLatin1Char('|'))) &&
                       whole.height() < 2 * outer.height();
    const double low = horizontal ? outer.left() : alone ? whole.top() : outer.top();
    const double room = horizontal ? outer.width() - style.u(style.print ? 4 : 0)
                        : alone    ? outer.bottom() - whole.top()
                                   : outer.height();
    const RichText text = RichText::fitted(shown, style.label, room);
    const double w = text.size().width(), h = text.size().height();
    double middle = horizontal ? inner.left() + inner.width() / 2.0 : inner.top() + inner.height() / 2.0;
    middle = std::clamp(middle, low + w / 2, std::max(low + w / 2, low + room - w / 2));
    painter.setPen(style.colours.text);
    painter.save();
    switch (axis.axisType()) {
      case QCPAxis::atLeft:
        painter.translate(outer.left(), middle + w / 2);
        painter.rotate(-90);
        break;
      case QCPAxis::atRight:
        painter.translate(outer.right() - h, middle + w / 2);
        painter.rotate(-90);
        break;
      case QCPAxis::atTop:
        painter.translate(middle - w / 2, outer.top());
        break;
      case QCPAxis::atBottom:
        painter.translate(middle - w / 2, outer.bottom() - h);
        break;
    }
    text.draw(painter, {0, 0});
    painter.restore();
  });
}

QString titleOf(const QCPAxis& axis) {
  return axis.property(kTitle).toString();
}

void dropTitle(QCPAxis& axis) {
  axis.setLabel({});
  axis.setProperty(kTitle, QString());
}

QCPAxisRect& addPanel(const FigurePlace& place, int row, int column, const PlotStyle& style,
                      const PanelOptions& options) {
  auto* rect = new QCPAxisRect(&place.plot(), true);
  place.grid().addElement(row, column, rect);
  // A row above it without a legend would take half of the room; a legend's height is fixed.
  if (row == 1) place.grid().setRowStretchFactor(0, kNoStretch);
  for (const auto type : {QCPAxis::atLeft, QCPAxis::atBottom, QCPAxis::atRight, QCPAxis::atTop}) {
    QCPAxis& axis = *rect->axis(type);
    axis.setLayer("axes");
    axis.grid()->setLayer("grid");
    styleAxis(axis, style);
    const bool labelled = type == QCPAxis::atLeft || type == QCPAxis::atBottom;
    axis.setVisible(labelled || options.frame == Frame::Box);
    axis.setTicks(labelled);
    axis.setTickLabels(labelled);
    axis.grid()->setVisible((type == QCPAxis::atLeft && options.gridY) ||
                            (type == QCPAxis::atBottom && options.gridX));
    if (!labelled) axis.setBasePen(pen(style.colours.border, style.axisWidth));
  }
  if (!style.print) {
    for (const auto type : {QCPAxis::atLeft, QCPAxis::atBottom}) {
      rect->axis(type)->setBasePen(pen(style.colours.border, style.axisWidth));
      rect->axis(type)->setTickPen(pen(style.colours.border, style.axisWidth));
    }
  }
  const double beyond = QFontMetricsF(style.tick).horizontalAdvance(options.lastXLabel) / 2 + style.u(1.5);
  const int right = std::max(style.units(style.print ? 4 : 8), static_cast<int>(std::ceil(beyond)));
  rect->setMinimumMargins(QMargins(style.units(2), style.units(style.print ? 3 : 4), right, 0));
  rect->setMinimumSize(style.units(20), style.units(20));
  if (options.background.isValid()) rect->setBackground(QBrush(options.background));
  titleAxis(*rect->axis(QCPAxis::atBottom), options.xTitle, style);
  titleAxis(*rect->axis(QCPAxis::atLeft), options.yTitle, style);
  return *rect;
}

QPointF pointAt(const QCPAxisRect& rect, double x, double y) {
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(x), rect.axis(QCPAxis::atLeft)->coordToPixel(y)};
}

void drawHatch(QCPPainter& painter, const QRectF& rect, double spacing, const QPen& linePen) {
  painter.setPen(linePen);
  // Lines x + y = k * spacing that cross the rect.
  const double first = std::ceil((rect.left() + rect.top()) / spacing) * spacing;
  for (double sum = first; sum <= rect.right() + rect.bottom(); sum += spacing) {
    const double x0 = std::max(rect.left(), sum - rect.bottom()),
                 x1 = std::min(rect.right(), sum - rect.top());
    if (x1 > x0) painter.drawLine(QLineF(x0, sum - x0, x1, sum - x1));
  }
}

void drawLineWithin(QPainter& painter, const QRectF& rect, const QLineF& line) {
  // Liang-Barsky: the part of the line between entering and leaving each side.
  const double dx = line.dx(), dy = line.dy();
  double enter = 0, leave = 1;
  const std::pair<double, double> sides[] = {{-dx, line.x1() - rect.left()},
                                             {dx, rect.right() - line.x1()},
                                             {-dy, line.y1() - rect.top()},
                                             {dy, rect.bottom() - line.y1()}};
  for (const auto& [speed, distance] : sides) {
    if (speed == 0 && distance < 0) return;
    if (speed < 0) enter = std::max(enter, distance / speed);
    if (speed > 0) leave = std::min(leave, distance / speed);
  }
  if (enter < leave) painter.drawLine(QLineF(line.pointAt(enter), line.pointAt(leave)));
}

void drawPolylineWithin(QPainter& painter, const QRectF& rect, const QPolygonF& polyline) {
  if (polyline.size() < 2) return;
  const bool inside =
      std::all_of(polyline.begin(), polyline.end(), [&rect](const QPointF& p) { return rect.contains(p); });
  if (inside) {
    painter.drawPolyline(polyline);
    return;
  }
  for (qsizetype i = 1; i < polyline.size(); ++i)
    drawLineWithin(painter, rect, {polyline[i - 1], polyline[i]});
}

}  // namespace plastiscope
