#include "widgets/plots/depth_map_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/colour_bar.h"
#include "widgets/plots/model_axis.h"

namespace plastiscope {

namespace {

// Metrics of queries and keys have their colours; the thesis' range.
struct KindMap {
  const char* column;
  const char* map;
};
constexpr KindMap kKinds[] = {
    {"r_q", "blues"}, {"abs_r_q_a", "blues"}, {"r_k", "reds"}, {"abs_r_k_a", "reds"}};

struct CellColours {
  const ColourMap* map = nullptr;
  double low = 0, high = 1;
  double power = 1;  // what numbers are divided by
  QString title;
};

std::pair<double, double> reachOf(const DepthMapData& data) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const DepthMapRow& row : data.rows) {
    for (const double value : row.value) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return low <= high ? std::pair{low, high} : std::pair{0.0, 1.0};
}

CellColours coloursOf(const DepthMapData& data, std::optional<std::pair<double, double>> range) {
  const auto [low, high] = reachOf(data);
  CellColours colours;
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&data](const KindMap& known) {
    return data.metric.column == known.column;
  });
  const bool both = data.metric.isSigned && low < -0.05 * std::max(std::fabs(high), std::fabs(low));
  const double reach =
      data.metric.range ? data.metric.range->second : std::max(std::fabs(low), std::fabs(high));
  colours.map = &colourMap(both ? "blue_white_red" : kind != std::end(kKinds) ? kind->map : "viridis");
  const double least = data.metric.isSigned || kind != std::end(kKinds) ? 0 : low;
  const auto [from, to] = range.value_or(both                       ? std::pair{-reach, reach}
                                         : kind != std::end(kKinds) ? std::pair{0.0, 1.0}
                                         : high > least             ? std::pair{least, high}
                                                                    : std::pair{least, least + 1});
  colours.low = from;
  colours.high = to;
  const ValueAxis axis = valueAxis(data.metric, {from, to}, false, std::pair{from, to});
  colours.power = std::pow(10, axis.power);
  colours.title = axis.title.section('|', -1);
  return colours;
}

class DepthCells {
 public:
  DepthCells(const DepthMapData& data, const CellColours& colours, const PlotStyle& style,
             const QCPAxisRect& rect)
      : m_data(data), m_colours(colours), m_style(style), m_rect(&rect) {}

  void operator()(QCPPainter& painter) const {
    painter.setAntialiasing(isVector(painter));
    for (std::size_t m = 0; m < m_data.rows.size(); ++m) {
      for (std::size_t d = 0; d < kDepthDeciles; ++d) drawCell(painter, m, d);
    }
    painter.setAntialiasing(true);
  }

 private:
  QRectF cellRect(std::size_t m, std::size_t d) const {
    const QCPAxis &x = *m_rect->axis(QCPAxis::atBottom), &y = *m_rect->axis(QCPAxis::atLeft);
    const double left = static_cast<double>(d) / 10, row = static_cast<double>(m);
    return {QPointF(x.coordToPixel(left), y.coordToPixel(row - 0.5)),
            QPointF(x.coordToPixel(left + 0.1), y.coordToPixel(row + 0.5))};
  }

  void drawCell(QCPPainter& painter, std::size_t m, std::size_t d) const {
    const double value = m_data.rows[m].value[d];
    if (!std::isfinite(value)) return;
    const QColor fill = m_colours.map->at((value - m_colours.low) / (m_colours.high - m_colours.low));
    const QRectF box = cellRect(m, d);
    painter.setPen(pen(m_style.colours.view, m_style.u(m_style.print ? 0.25 : 0.8)));
    painter.setBrush(fill);
    painter.drawRect(box);
    const QString text = numberLabel(value / m_colours.power, 2);
    const QFontMetricsF metrics(m_style.number);
    if (metrics.horizontalAdvance(text) > box.width() - m_style.u(1) || 0.8 * metrics.height() > box.height())
      return;
    painter.setFont(m_style.number);
    painter.setPen(qGray(fill.rgb()) > 140 ? QColor("#101214") : QColor("#f4f5f6"));
    painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text);
  }

  DepthMapData m_data;
  CellColours m_colours;
  PlotStyle m_style;
  const QCPAxisRect* m_rect;
};

}  // namespace

void buildDepthMap(const FigurePlace& place, const DepthMapData& data, const PlotStyle& style,
                   std::optional<std::pair<double, double>> range) {
  place.clear(style);
  QCPAxisRect& rect = addPanel(place, 1, 0, style,
                               {Frame::Box,
                                false,
                                false,
                                QStringLiteral("relative depth of the layer"),
                                {},
                                style.print ? QColor() : style.colours.window,
                                QStringLiteral("1.0")});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  x.setTicker(QSharedPointer<NumberTicker>::create(x));
  x.setRange(0, 1);
  std::vector<ComparedName> names;
  for (const DepthMapRow& row : data.rows) names.push_back(row.model);
  nameModels(y, names);
  y.setRange(-0.5, static_cast<double>(names.size()) - 0.5);
  y.setRangeReversed(true);
  y.setTickLength(0, 0);
  const CellColours colours = coloursOf(data, range);
  new PaintedLayer(rect, "main", Clip::AxisRect, DepthCells(data, colours, style, rect));
  const QString of = data.median ? QStringLiteral("median ") : QString();
  addColourBar(place, 1, 1, style, rect, *colours.map,
               {colours.low, colours.high, of + colours.title, colours.power});
}

}  // namespace plastiscope
