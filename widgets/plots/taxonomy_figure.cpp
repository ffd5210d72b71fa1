#include "widgets/plots/taxonomy_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/analysis/statistics.h"
#include "widgets/plots/interval_marks.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/published.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

// One mark a class: colour and shape, so that either suffices.
void drawMark(QPainter& painter, std::size_t shape, const QPointF& at, double size) {
  const double r = size / 2;
  switch (shape) {
    case 0:
      painter.drawEllipse(at, r, r);
      break;
    case 1:
      painter.drawRect(QRectF(at.x() - 0.88 * r, at.y() - 0.88 * r, 1.76 * r, 1.76 * r));
      break;
    case 2:
      painter.drawPolygon(QPolygonF({at + QPointF(0, -1.25 * r), at + QPointF(1.25 * r, 0),
                                     at + QPointF(0, 1.25 * r), at + QPointF(-1.25 * r, 0)}));
      break;
    case 3:
      painter.drawPolygon(QPolygonF(
          {at + QPointF(0, -1.2 * r), at + QPointF(1.1 * r, 0.8 * r), at + QPointF(-1.1 * r, 0.8 * r)}));
      break;
    default:
      painter.drawEllipse(at, 0.8 * r, 0.8 * r);
  }
}

void drawBorders(QCPPainter& painter, const TaxonomyData& data, const QCPAxisRect& rect,
                 const PlotStyle& style) {
  painter.setPen(dashedPen(style.print ? QColor("#8a9095") : style.colours.muted, style.thinWidth));
  for (const double level : {data.low, data.high, -data.low, -data.high}) {
    const QPointF at = pointAt(rect, level, level);
    painter.drawLine(QLineF(at.x(), rect.top(), at.x(), rect.bottom() + 1));
    painter.drawLine(QLineF(rect.left(), at.y(), rect.right() + 1, at.y()));
  }
}

}  // namespace

QColor taxonomyColour(std::size_t index, Theme theme) {
  static constexpr std::array<const char*, 5> kLight = {"#3b82f6", "#6366f1", "#ec4899", "#10b981",
                                                        "#9ca3af"};
  static constexpr std::array<const char*, 5> kDark = {"#5b9bff", "#8f92ff", "#f472b6", "#34d399", "#9ca3af"};
  return QColor(QLatin1String((theme == Theme::Light ? kLight : kDark)[std::min<std::size_t>(index, 4)]));
}

void buildTaxonomy(const FigurePlace& place, const TaxonomyData& data, const PlotStyle& style) {
  place.clear(style);
  QCPAxisRect& rect = addPanel(place, 1, 0, style,
                               {Frame::Box,
                                false,
                                false,
                                QStringLiteral("<i>r</i><sub>Q</sub> on PC0"),
                                QStringLiteral("<i>r</i><sub>K</sub> on PC0"),
                                {}});
  for (const auto type : {QCPAxis::atLeft, QCPAxis::atBottom}) {
    QCPAxis& axis = *rect.axis(type);
    axis.setTicker(QSharedPointer<NumberTicker>::create(axis));
    axis.setRange(-1.05, 1.05);
  }
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style](QCPPainter& painter) {
    drawBorders(painter, data, rect, style);
    painter.setPen(pen(style.colours.view, style.u(style.print ? 0.2 : 0.6)));
    for (const TaxonomyPoint& point : data.points) {
      QColor fill = taxonomyColour(point.classIndex, style.theme);
      fill.setAlphaF(0.9F);
      painter.setBrush(fill);
      drawMark(painter, point.classIndex, pointAt(rect, point.rQuery, point.rKey), 1.35 * style.pointSize);
    }
  });
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < data.classes.size(); ++i) {
    if (data.classes[i].heads == 0) continue;
    const QColor fill = taxonomyColour(i, style.theme);
    const double size = 1.5 * style.pointSize;
    legend.push_back({QString::fromStdString(data.classes[i].title), 0.8,
                      [fill, i, size](QCPPainter& painter, const QRectF& box) {
                        painter.setPen(Qt::NoPen);
                        painter.setBrush(fill);
                        drawMark(painter, i, box.center(), size);
                      },
                      QStringLiteral(" %1").arg(data.classes[i].heads)});
  }
  if (data.undefined > 0) {
    legend.push_back(
        {QStringLiteral("%1 without class").arg(data.undefined), 0, [](QCPPainter&, const QRectF&) {}});
  }
  addLegend(place, 0, 0, style, rect, legend);
}

void buildDepth(const FigurePlace& place, const DepthData& data, const PlotStyle& style,
                std::optional<std::pair<double, double>> range, const GhostCurve& published,
                bool intervalsWanted) {
  place.clear(style);
  const bool intervals = intervalsWanted && data.means.over != IntervalOver::None;
  double low = data.metric.isSigned ? 0 : std::numeric_limits<double>::infinity(),
         high = data.metric.isSigned ? 0 : -low;
  for (const double value : data.values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  for (const double value : published.y) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high)) low = 0, high = 1;
  const double room = high > low ? 0.05 * (high - low) : 0.5;
  const auto shown = range.value_or(std::pair{low - room, high + room});
  const int power = powerFor(std::max(std::fabs(shown.first), std::fabs(shown.second)));
  QStringList units;
  if (power != 0) units.append(QStringLiteral("10<sup>%1</sup>").arg(numberLabel(power, 0)));
  if (!data.metric.unit.empty()) units.append(QString::fromStdString(data.metric.unit));
  QString title = QString::fromStdString(data.metric.label);
  if (!units.isEmpty()) title += " (" + units.join(' ') + ")";
  QCPAxisRect& rect =
      addPanel(place, 1, 0, style, {Frame::Box, true, true, QStringLiteral("layer"), title, {}});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  x.setTicker(QSharedPointer<NumberTicker>::create(x, 1.0, NumberTicker::Kind::Whole));
  x.setRange(-0.7, static_cast<double>(std::max<std::int64_t>(1, data.layers)) - 0.3);
  y.setTicker(QSharedPointer<NumberTicker>::create(y, std::pow(10, power)));
  y.setRange(shown.first, shown.second);
  QColor faint = style.colours.bars;
  faint.setAlphaF(0.55F);
  const QPen line = dashedPen(style.colours.text, style.lineWidth, 3.2, 2.0);
  new PaintedLayer(
      rect, "main", Clip::AxisRect,
      [data, &rect, style, faint, line, published, intervals](QCPPainter& painter) {
        if (data.metric.isSigned) {
          painter.setPen(pen(style.print ? style.colours.text : style.colours.muted, style.axisWidth));
          const double zero = pointAt(rect, 0, 0).y();
          painter.drawLine(QLineF(rect.left(), zero, rect.right() + 1, zero));
        }
        if (intervals)
          drawBand(painter, rect, asDoubles(data.means.layer), data.means.low, data.means.high,
                   style.colours.text, style);
        painter.setPen(Qt::NoPen);
        painter.setBrush(faint);
        for (std::size_t i = 0; i < data.heads.size(); ++i) {
          drawMark(painter, 0, pointAt(rect, static_cast<double>(data.heads[i].layer), data.values[i]),
                   style.pointSize);
        }
        const auto toLayer = [&data](double depth) { return depth * static_cast<double>(data.layers - 1); };
        drawPublished(painter, rect, published, toLayer, style);
        QPolygonF centre;
        for (std::size_t i = 0; i < data.means.layer.size(); ++i) {
          centre.append(pointAt(rect, static_cast<double>(data.means.layer[i]), data.means.centre[i]));
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(casedPen(style, line));
        painter.drawPolyline(centre);
        painter.setPen(line);
        painter.drawPolyline(centre);
      });
  std::vector<LegendEntry> legend = {
      pointEntry(countText(static_cast<std::int64_t>(data.heads.size()), 0), faint, Qt::NoPen,
                 style.pointSize),
      lineEntry(data.median ? QStringLiteral("median of the layer") : QStringLiteral("mean of the layer"),
                line)};
  if (intervals)
    legend.push_back(bandEntry(intervalText(data.means.over, data.examples), style.colours.text, style));
  if (!published.empty()) legend.push_back(publishedEntry(published, {}, style));
  addWrappedLegend(place, 0, 0, style, legend);
}

}  // namespace plastiscope
