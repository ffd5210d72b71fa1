#include "widgets/plots/plane_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/panel.h"
#include "widgets/plots/rasters.h"

namespace plastiscope {

namespace {

// Early to late, 64 steps.
std::vector<QRgb> rampOf(const std::array<QColor, 4>& colours) {
  std::vector<QRgb> ramp;
  for (int i = 0; i < 64; ++i) ramp.push_back(rampColour(colours, i / 63.0).rgb());
  return ramp;
}

class CloudPainter {
 public:
  CloudPainter(std::shared_ptr<const PlaneData> data, const PlotStyle& style, QCPAxisRect& rect)
      : m_data(std::move(data)),
        m_style(style),
        m_rect(&rect),
        m_query(rampOf(style.colours.queryRamp)),
        m_key(rampOf(style.colours.keyRamp)) {
    // Smaller discs the more there are, so that structure stays visible.
    const auto points = static_cast<double>(m_data->query.size() + m_data->key.size());
    m_size = m_style.pointSize * std::clamp(std::pow(4000 / std::max(points, 1.0), 0.25), 0.25, 1.0);
  }

  void operator()(QCPPainter& painter) const {
    const bool few = m_data->query.size() + m_data->key.size() <= kVectorPointLimit;
    if (isVector(painter) && few) return drawCircles(painter);
    const double dots = isVector(painter) ? m_style.imageDpi / (72.0 * m_style.unit)  // dots of a layout unit
                                          : painter.device()->devicePixelRatioF();
    const QRect box = m_rect->rect();
    QImage image((QSizeF(box.size()) * dots).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const auto pixel = [dots](const QCPAxis& axis, double edge, double coordinate) {
      return (axis.coordToPixel(coordinate) - edge) * dots;
    };
    const QCPAxis &x = *m_rect->axis(QCPAxis::atBottom), &y = *m_rect->axis(QCPAxis::atLeft);
    PixelMap map;
    map.offsetX = pixel(x, box.left(), 0);
    map.scaleX = pixel(x, box.left(), 1) - map.offsetX;
    map.offsetY = pixel(y, box.top(), 0);
    map.scaleY = pixel(y, box.top(), 1) - map.offsetY;
    for (const RowKind kind : {RowKind::Key, RowKind::Query}) {
      const PlaneRows& rows = m_data->rows(kind);
      drawPoints(image,
                 {rows.x, rows.y, rows.position, kind == RowKind::Query ? m_query : m_key, m_data->window},
                 map, m_size / 2 * dots);
    }
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.drawImage(QRectF(box), image);
  }

 private:
  void drawCircles(QCPPainter& painter) const {
    const QCPAxis &x = *m_rect->axis(QCPAxis::atBottom), &y = *m_rect->axis(QCPAxis::atLeft);
    painter.setPen(Qt::NoPen);
    for (const RowKind kind : {RowKind::Key, RowKind::Query}) {
      const PlaneRows& rows = m_data->rows(kind);
      const auto& ramp = kind == RowKind::Query ? m_query : m_key;
      const auto steps = static_cast<std::int64_t>(ramp.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!std::isfinite(rows.x[i])) continue;
        const QPointF at(x.coordToPixel(static_cast<double>(rows.x[i])),
                         y.coordToPixel(static_cast<double>(rows.y[i])));
        if (!QRectF(m_rect->rect()).contains(at)) continue;
        const auto step = std::clamp<std::int64_t>(rows.position[i] * steps / m_data->window, 0, steps - 1);
        painter.setBrush(QColor(ramp[static_cast<std::size_t>(step)]));
        painter.drawEllipse(at, m_size / 2, m_size / 2);
      }
    }
  }

  std::shared_ptr<const PlaneData> m_data;
  PlotStyle m_style;
  QCPAxisRect* m_rect;
  std::vector<QRgb> m_query, m_key;
  double m_size = 4;
};

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

}  // namespace

void buildPlane(QCustomPlot& plot, const std::shared_ptr<const PlaneData>& data, const PlotStyle& style) {
  clearPlot(plot, style);
  const PlotColours& c = style.colours;
  QCPAxisRect& rect = addPanel(plot, 1, 0, style,
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
  new PaintedLayer(rect, "main", Clip::AxisRect, CloudPainter(data, style, rect));
  new PaintedLayer(rect, "marks", Clip::AxisRect, [data, style, &rect](QCPPainter& painter) {
    drawMarks(painter, data->key, style.colours.keyRamp[3], style, rect);
    drawMarks(painter, data->query, style.colours.queryRamp[3], style, rect);
  });
  const auto last = static_cast<double>(std::max<std::int64_t>(0, data->window - 1));
  std::vector<LegendEntry> legend = {rampEntry(QStringLiteral("<b>Q</b>"), c.queryRamp),
                                     rampEntry(QStringLiteral("<b>K</b>"), c.keyRamp),
                                     {QStringLiteral("position 0 \u2026 %1").arg(numberLabel(last, 0)), 0,
                                      [](QCPPainter&, const QRectF&) {}}};
  if (range.outside > 0) {
    legend.push_back(
        {QStringLiteral("%1 rows outside").arg(numberLabel(static_cast<double>(range.outside), 0)), 0,
         [](QCPPainter&, const QRectF&) {}});
  }
  addLegend(plot, 0, 0, style, rect, legend);
}

}  // namespace plastiscope
