#include "widgets/plots/benchmark_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/label_places.h"
#include "widgets/plots/model_axis.h"
#include "widgets/plots/rich_text.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

constexpr int kBandSteps = 60;

QString number(double value, int decimals) {
  return QString::fromStdString(fixedText(value, decimals));
}

QColor familyColour(const std::string& family, const PlotStyle& style) {
  const FamilyMark mark = familyMark(QString::fromStdString(family));
  return style.theme == Theme::Dark ? mark.dark : mark.light;
}

SeriesLook lookOf(const BenchmarkPoint& point, const PlotStyle& style) {
  const FamilyMark mark = familyMark(QString::fromStdString(point.family));
  return {familyColour(point.family, style), mark.marker, !point.counted, {}};
}

double markerSize(const PlotStyle& style) {
  return (style.print ? 2.1 : 2.5) * style.pointSize;
}

// Own analyses stand in a ring: told apart without colour.
void drawPoint(QPainter& painter, const SeriesLook& look, bool own, const QPointF& at,
               const PlotStyle& style) {
  drawMarker(painter, look, at, markerSize(style), style);
  if (!own) return;
  painter.setPen(pen(style.colours.text, 0.8 * style.lineWidth));
  painter.setBrush(Qt::NoBrush);
  const double radius = 0.85 * markerSize(style);
  painter.drawEllipse(at, radius, radius);
}

// Painting state of one figure.
class Scatter {
 public:
  Scatter(const BenchmarkData& data, const QCPAxisRect& rect, const PlotStyle& style)
      : m_data(data), m_rect(rect), m_style(style) {}

  void draw(QCPPainter& painter) const {
    drawBand(painter);
    std::vector<QPointF> at;
    for (const BenchmarkPoint& point : m_data.points) at.push_back(pixel(point.x, point.y));
    const QRectF box = drawStatistics(painter, at);
    drawNames(painter, at, box);
    for (std::size_t i = 0; i < at.size(); ++i)
      drawPoint(painter, lookOf(m_data.points[i], m_style), m_data.points[i].own, at[i], m_style);
  }

 private:
  QPointF pixel(double x, double y) const {
    return {m_rect.axis(QCPAxis::atBottom)->coordToPixel(x), m_rect.axis(QCPAxis::atLeft)->coordToPixel(y)};
  }
  QRectF frame() const { return QRectF(m_rect.rect()); }

  // Between the outermost points that count: the line says nothing beyond them.
  std::pair<double, double> span() const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const BenchmarkPoint& point : m_data.points) {
      if (!point.counted) continue;
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
    return {low, high};
  }
  std::optional<QLineF> line() const {
    if (!m_data.line.known()) return std::nullopt;
    const auto [low, high] = span();
    return QLineF(pixel(low, m_data.line.at(low)), pixel(high, m_data.line.at(high)));
  }

  void drawBand(QCPPainter& painter) const {
    const auto fit = line();
    if (!fit) return;
    const auto [low, high] = span();
    const QRectF inside = frame();
    QPolygonF upper, lower;
    for (int i = 0; i <= kBandSteps; ++i) {
      const double x = low + (high - low) * i / kBandSteps, y = m_data.line.at(x),
                   half = m_data.line.halfWidth(x);
      const auto clamped = [&inside](QPointF point) {  // clipped by itself: SVG files have no clip
        point.setY(std::clamp(point.y(), inside.top(), inside.bottom()));
        return point;
      };
      upper.append(clamped(pixel(x, y + half)));
      lower.append(clamped(pixel(x, y - half)));
    }
    std::reverse(lower.begin(), lower.end());
    QColor fill = m_style.colours.muted;
    fill.setAlphaF(m_style.print && m_style.theme == Theme::Light ? 0.09F : 0.16F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(upper + lower);
    painter.setPen(dashedPen(m_style.colours.muted, m_style.lineWidth, 4, 2.6));
    painter.setBrush(Qt::NoBrush);
    drawLineWithin(painter, inside, *fit);
  }

  QRectF drawStatistics(QCPPainter& painter, const std::vector<QPointF>& at) const {
    const Correlation& r = m_data.result;
    std::vector<RichText> lines;
    if (std::isfinite(r.pearson)) {
      lines.emplace_back(correlationText(r), m_style.tick);
      lines.emplace_back(QStringLiteral("\u03c1 = %1, <i>n</i> = %2, %3")
                             .arg(number(r.spearman, 2))
                             .arg(r.n)
                             .arg(pText(r.permutationP)),
                         m_style.tick);
    } else {
      lines.emplace_back(QStringLiteral("<i>n</i> = %1: too few for a correlation").arg(r.n), m_style.tick);
    }
    double width = 0, height = 0;
    for (const RichText& text : lines) {
      width = std::max(width, text.size().width());
      height += text.size().height();
    }
    const double pad = m_style.u(m_style.print ? 3 : 6);
    const QRectF box = freestCorner(frame(), QSizeF(width + 2 * pad, height + 1.2 * pad), pad, at,
                                    markerSize(m_style), line());
    painter.setPen(pen(m_style.colours.border, m_style.axisWidth));
    painter.setBrush(m_style.colours.view);
    painter.drawRect(box);
    painter.setPen(m_style.colours.text);
    double top = box.top() + 0.6 * pad;
    for (const RichText& text : lines) {
      text.draw(painter, {box.left() + pad, top});
      top += text.size().height();
    }
    return box;
  }

  void drawNames(QCPPainter& painter, const std::vector<QPointF>& at, const QRectF& box) const {
    std::vector<RichText> names;
    std::vector<QSizeF> sizes;
    for (const BenchmarkPoint& point : m_data.points) {
      names.emplace_back(QString::fromStdString(point.label()).toHtmlEscaped(), m_style.number);
      sizes.push_back(names.back().size());
    }
    const double inset = m_style.u(1.5);
    const bool rings = std::any_of(m_data.points.begin(), m_data.points.end(),
                                   [](const BenchmarkPoint& point) { return point.own; });
    const LabelRoom room{frame().adjusted(inset, inset, -inset, -inset),
                         (rings ? 0.95 : 0.6) * markerSize(m_style),
                         {box},
                         line()};
    const std::vector<QRectF> places = placeLabels(at, sizes, room);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].isEmpty()) continue;
      painter.setPen(m_style.colours.text);
      names[i].draw(painter, places[i].topLeft());
      drawLeader(painter, at[i], places[i]);
    }
  }

  // To a name that stands further away.
  void drawLeader(QCPPainter& painter, const QPointF& at, const QRectF& name) const {
    const QPointF end(std::clamp(at.x(), name.left(), name.right()),
                      std::clamp(at.y(), name.top(), name.bottom()));
    const QLineF leader(at, end);
    if (leader.length() < 1.5 * markerSize(m_style)) return;
    painter.setPen(pen(m_style.colours.muted, m_style.thinWidth));
    painter.drawLine(QLineF(leader.pointAt(0.6 * markerSize(m_style) / leader.length()), end));
  }

  const BenchmarkData& m_data;
  const QCPAxisRect& m_rect;
  const PlotStyle& m_style;
};

std::vector<LegendEntry> legendOf(const BenchmarkData& data, const PlotStyle& style) {
  std::vector<LegendEntry> legend;
  std::vector<QString> seen;  // two families may share a title and a mark
  bool own = false, apart = false;
  for (const BenchmarkPoint& point : data.points) {
    own = own || point.own;
    apart = apart || !point.counted;
    const QString title = familyTitle(point.family);
    if (std::find(seen.begin(), seen.end(), title) != seen.end()) continue;
    seen.push_back(title);
    BenchmarkPoint plain = point;
    plain.counted = true;
    legend.push_back(barEntry({}, lookOf(plain, style), style));
    legend.back().text = title;
  }
  const auto sample = [&](const QString& text, bool hollow) {
    legend.push_back({text, 1.6, [style, hollow](QCPPainter& painter, const QRectF& box) {
                        drawPoint(painter, {style.colours.muted, Marker::Circle, hollow, {}}, true,
                                  box.center(), style);
                      }});
  };
  if (own) sample(QStringLiteral("own analysis"), false);
  if (apart) sample(QStringLiteral("own, model counted already"), true);
  if (data.line.known()) {
    QColor fill = style.colours.muted;
    fill.setAlphaF(0.16F);
    const QPen dashed = dashedPen(style.colours.muted, style.lineWidth, 4, 2.6);
    legend.push_back(
        {QStringLiteral("least squares, 95 %"), 2.2, [fill, dashed](QCPPainter& painter, const QRectF& box) {
           painter.setPen(Qt::NoPen);
           painter.setBrush(fill);
           painter.drawRect(box);
           painter.setPen(dashed);
           painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
         }});
  }
  return legend;
}

}  // namespace

QString pText(double p) {
  if (!std::isfinite(p)) return QStringLiteral("<i>p</i> \u2013");
  if (p < 0.001) return QStringLiteral("<i>p</i> &lt; 0.001");
  return QStringLiteral("<i>p</i> = %1").arg(number(p, p < 0.1 ? 3 : 2));
}

QString correlationText(const Correlation& result) {
  const QString r = QStringLiteral("<i>r</i> = %1").arg(number(result.pearson, 2));
  if (!std::isfinite(result.pearsonInterval.low)) return r;
  return r + QStringLiteral(" [%1, %2]")
                 .arg(number(result.pearsonInterval.low, 2), number(result.pearsonInterval.high, 2));
}

void buildBenchmark(const FigurePlace& place, const BenchmarkData& data, const PlotStyle& style,
                    std::optional<std::pair<double, double>> range) {
  place.clear(style);
  std::vector<double> x, y;
  for (const BenchmarkPoint& point : data.points) {
    x.push_back(point.x);
    y.push_back(point.y);
  }
  MetricInfo predictor = data.predictor, score;
  predictor.isSigned = false;  // a scatter has no zero line to keep in sight
  // Beside the dot stands what a short axis leaves out.
  score.label = QString::fromStdString(data.title + " score \u00b7 " + data.group.title())
                    .toHtmlEscaped()
                    .toStdString();
  const ValueAxis across = valueAxis(predictor, x, false, std::nullopt),
                  up = valueAxis(score, y, false, range);
  QCPAxisRect& rect = addPanel(place, 1, 0, style, {Frame::Box, true, true, across.title, up.title, {}});
  useValues(*rect.axis(QCPAxis::atBottom), across);
  useValues(*rect.axis(QCPAxis::atLeft), up);
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   [data, &rect, style](QCPPainter& painter) { Scatter(data, rect, style).draw(painter); });
  addWrappedLegend(place, 0, 0, style, legendOf(data, style));
}

}  // namespace plastiscope
