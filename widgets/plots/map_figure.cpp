#include "widgets/plots/map_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/plots/colour_bar.h"

namespace plastiscope {

namespace {

// More cells than that are one lossless image instead of a rectangle each (figures.md 5.3).
constexpr std::int64_t kVectorCellLimit = 20000;

class CellPainter {
 public:
  CellPainter(const MapData& data, const PlotStyle& style, const ColourMap& map,
              std::pair<double, double> range, bool counts, QCPAxisRect& rect)
      : m_data(data), m_style(style), m_map(&map), m_range(range), m_counts(counts), m_rect(&rect) {}

  void operator()(QCPPainter& painter) const {
    if (m_data.columns * m_data.rows > kVectorCellLimit) return drawImage(painter);
    const bool vector = isVector(painter);
    painter.setAntialiasing(vector);
    painter.setPen(Qt::NoPen);
    // Left to right, bottom to top; each cell reaches a little under those painted after it, so that no
    // viewer shows the background between them.
    for (std::int64_t row = 0; row < m_data.rows; ++row) {
      for (std::int64_t column = 0; column < m_data.columns; ++column) {
        if (count(column, row) == 0) continue;
        QRectF box = cellRect(column, row, vector);
        if (vector && count(column + 1, row) > 0) box.setRight(box.right() + m_style.u(0.4));
        if (vector && count(column, row + 1) > 0) box.setTop(box.top() - m_style.u(0.4));
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourAt(column, row));
        painter.drawRect(box);
      }
    }
    painter.setAntialiasing(true);
    for (std::int64_t row = 0; row < m_data.rows; ++row) {
      for (std::int64_t column = 0; column < m_data.columns; ++column) {
        const std::int64_t pairs = count(column, row);
        if (pairs == 0) continue;
        if (pairs < m_data.minCount) drawHatch(painter, cellRect(column, row, vector), hatch(), hatchPen());
        if (m_counts) drawCount(painter, column, row);
      }
    }
  }

  double hatch() const { return m_style.u(m_style.print ? 2.6 : 5); }
  QPen hatchPen() const {
    return pen(m_style.print ? QColor("#6b7176") : m_style.colours.muted, m_style.thinWidth * 0.9);
  }
  QColor hatchFill() const { return m_style.print ? m_style.colours.view : m_style.colours.grid; }

 private:
  std::int64_t count(std::int64_t column, std::int64_t row) const {
    return column < m_data.columns && row < m_data.rows ? m_data.count[m_data.index(column, row)] : 0;
  }

  QColor colourAt(std::int64_t column, std::int64_t row) const {
    const std::size_t index = m_data.index(column, row);
    if (m_data.count[index] < m_data.minCount) return hatchFill();
    return m_map->at((m_data.mean[index] - m_range.first) / (m_range.second - m_range.first));
  }

  // One pixel a cell, stretched without smoothing.
  void drawImage(QCPPainter& painter) const {
    QImage image(static_cast<int>(m_data.columns), static_cast<int>(m_data.rows),
                 QImage::Format_ARGB32_Premultiplied);
    const QRgb few = hatchFill().rgb();
    const double scale = 1 / (m_range.second - m_range.first);
    for (std::int64_t row = 0; row < m_data.rows; ++row) {
      auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(m_data.rows - 1 - row)));
      for (std::int64_t column = 0; column < m_data.columns; ++column) {
        const std::size_t index = m_data.index(column, row);
        const std::int64_t pairs = m_data.count[index];
        line[column] = pairs == 0                ? qRgba(0, 0, 0, 0)
                       : pairs < m_data.minCount ? few
                                                 : m_map->at((m_data.mean[index] - m_range.first) * scale);
      }
    }
    const QRectF corner = cellRect(0, 0, true), opposite = cellRect(m_data.columns - 1, m_data.rows - 1, true);
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(QRectF(opposite.topRight(), corner.bottomLeft()).normalized(), image);
  }

  QRectF cellRect(std::int64_t column, std::int64_t row, bool vector) const {
    const QCPAxis &x = *m_rect->axis(QCPAxis::atBottom), &y = *m_rect->axis(QCPAxis::atLeft);
    const auto edge = [vector](const QCPAxis& axis, std::int64_t at, std::int64_t cell) {
      const double place = axis.coordToPixel(static_cast<double>(at * cell));
      return vector ? place : std::round(place);
    };
    return {QPointF(edge(x, column, m_data.cell), edge(y, row + 1, m_data.cell)),
            QPointF(edge(x, column + 1, m_data.cell), edge(y, row, m_data.cell))};
  }

  void drawCount(QCPPainter& painter, std::int64_t column, std::int64_t row) const {
    const QRectF box = cellRect(column, row, true);
    const std::int64_t pairs = count(column, row);
    const QString text =
        pairs < 10000 ? QString::number(pairs) : numberLabel(static_cast<double>(pairs) / 1000, 0) + "k";
    const QFontMetricsF metrics(m_style.number);
    if (metrics.horizontalAdvance(text) > box.width() - m_style.u(1) || metrics.ascent() > box.height())
      return;
    const QColor fill = colourAt(column, row);
    painter.setFont(m_style.number);
    painter.setPen(qGray(fill.rgb()) > 140 ? QColor("#101214") : QColor("#f4f5f6"));
    painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text);
  }

  MapData m_data;
  PlotStyle m_style;
  const ColourMap* m_map;
  std::pair<double, double> m_range;
  bool m_counts;
  QCPAxisRect* m_rect;
};

}  // namespace

void buildMap(const FigurePlace& place, const MapData& data, const PlotStyle& style,
              const MapOptions& options) {
  place.clear(style);
  const PlotColours& c = style.colours;
  QCPAxisRect& rect =
      addPanel(place, 1, 0, style,
               {Frame::Box, false, false, QStringLiteral("inter-key distance (tokens)"),
                QStringLiteral("query to key midpoint (tokens)|query to midpoint (tokens)|query to midpoint"),
                style.print ? QColor() : c.window,
                TokenTicker::text(static_cast<double>(data.window), static_cast<double>(data.window))});
  const auto end = static_cast<double>(std::max<std::int64_t>(1, data.window));
  for (const auto type : {QCPAxis::atLeft, QCPAxis::atBottom}) {
    QCPAxis& axis = *rect.axis(type);
    axis.setTicker(QSharedPointer<TokenTicker>::create(axis));
    axis.setRange(0, end);
  }
  const auto range = options.range.value_or(std::pair{0.0, 1.0});
  const ColourMap& map = colourMap(options.difference ? QStringLiteral("blue_white_red") : style.mapColours);
  const CellPainter cells(data, style, map, range, options.counts, rect);
  const double spacing = cells.hatch();
  const QPen hatchPen = cells.hatchPen();
  const QColor hatchFill = cells.hatchFill();
  new PaintedLayer(rect, "main", Clip::AxisRect, cells);
  new PaintedLayer(rect, "marks", Clip::AxisRect, [&rect, end, style](QCPPainter& painter) {
    // The feasible region: x/2 <= y <= L - x/2.
    const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
    painter.setPen(dashedPen(style.print ? QColor("#8a9095") : style.colours.muted, style.thinWidth));
    const QPointF tip(x.coordToPixel(end), y.coordToPixel(end / 2));
    painter.drawLine(QLineF(QPointF(x.coordToPixel(0), y.coordToPixel(0)), tip));
    painter.drawLine(QLineF(QPointF(x.coordToPixel(0), y.coordToPixel(end)), tip));
  });
  addColourBar(place, 1, 1, style, rect, map,
               {range.first, range.second,
                options.difference ? QStringLiteral("difference of PP") : QStringLiteral("mean PP"), 1});
  std::vector<LegendEntry> legend;
  if (const std::int64_t low = data.cellsBelowMinimum(); low > 0) {
    LegendEntry entry = boxEntry(QStringLiteral("fewer than %1 pairs").arg(data.minCount), hatchFill, pen(hatchPen.color(), style.thinWidth));
    entry.detail = QStringLiteral(" (%1 cells)").arg(low);
    const auto box = entry.symbol;
    entry.symbol = [box, spacing, hatchPen](QCPPainter& painter, const QRectF& symbol) {
      box(painter, symbol);
      drawHatch(painter, symbol.adjusted(0, 0.1 * symbol.height(), 0, -0.1 * symbol.height()), spacing,
                hatchPen);
    };
    legend.push_back(entry);
  }
  legend.push_back({QString::fromStdString(data.scopeText), 0, [](QCPPainter&, const QRectF&) {}});
  addLegend(place, 0, 0, style, rect, legend);
}

}  // namespace plastiscope
