#include "widgets/plots/map_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/plots/colour_bar.h"

namespace plastiscope {

namespace {

// More cells than that are one lossless image instead of a rectangle each (figures.md 5.3).
constexpr std::int64_t kVectorCellLimit = 20000;

double hatchSpacingOf(const PlotStyle& style) {
  return style.u(style.print ? 2.6 : 5);
}
QPen hatchPenOf(const PlotStyle& style) {
  return pen(style.print ? QColor("#6b7176") : style.colours.muted, style.thinWidth * 0.9);
}
QColor hatchFillOf(const PlotStyle& style) {
  return style.print ? style.colours.view : style.colours.grid;
}

// The colours of a map: what is to be seen of a cell.
struct MapColours {
  const ColourMap* map;
  double low, scale;
  std::int64_t minCount;
  QRgb few;

  QRgb at(double mean, std::int64_t pairs) const {
    return pairs < minCount ? few : map->at((mean - low) * scale);
  }
};

// The rectangle of some cells on the screen or the page.
QRectF cellsRect(const QCPAxisRect& rect, std::int64_t cell, std::int64_t column, std::int64_t row,
                 std::int64_t columns, std::int64_t rows, bool exact) {
  const auto edge = [cell, exact](const QCPAxis& axis, std::int64_t at) {
    const double place = axis.coordToPixel(static_cast<double>(at * cell));
    return exact ? place : std::round(place);
  };
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  return {QPointF(edge(x, column), edge(y, row + rows)), QPointF(edge(x, column + columns), edge(y, row))};
}

// One pixel a cell, the last row on top.
QImage imageOf(const MapData& data, const MapColours& colours) {
  QImage image(static_cast<int>(data.columns), static_cast<int>(data.rows),
               QImage::Format_ARGB32_Premultiplied);
  for (std::int64_t row = 0; row < data.rows; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(data.rows - 1 - row)));
    for (std::int64_t column = 0; column < data.columns; ++column) {
      const std::size_t index = data.index(column, row);
      const std::int64_t pairs = data.count[index];
      line[column] = pairs == 0 ? qRgba(0, 0, 0, 0) : colours.at(data.mean[index], pairs);
    }
  }
  return image;
}

// Big maps: an image that is made once, stretched without smoothing.
PaintedLayer::Paint imagePainter(const MapData& data, const MapColours& colours, const QCPAxisRect& rect) {
  return [image = imageOf(data, colours), cell = data.cell, columns = data.columns, rows = data.rows,
          &rect](QCPPainter& painter) {
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(cellsRect(rect, cell, 0, 0, columns, rows, true), image);
  };
}

// The most exact of "5854", "5.9k" and "6k" that fits; "" when none does.
QString countText(std::int64_t pairs, const QFontMetricsF& metrics, double width) {
  const double thousands = static_cast<double>(pairs) / 1000;
  QStringList texts;
  if (pairs < 10000) texts.append(QString::number(pairs));
  if (pairs >= 1000 && pairs < 10000) texts.append(numberLabel(thousands, 1) + "k");
  if (pairs >= 1000 && pairs < 1000000) texts.append(numberLabel(thousands, 0) + "k");
  if (pairs >= 1000000) texts.append(numberLabel(thousands / 1000, 0) + "M");
  for (const QString& text : texts) {
    if (metrics.horizontalAdvance(text) <= width) return text;
  }
  return {};
}

// Other maps: a rectangle for each cell, hatched where there are few pairs.
class CellPainter {
 public:
  CellPainter(const MapData& data, const PlotStyle& style, const MapColours& colours, bool counts,
              const QCPAxisRect& rect)
      : m_data(data), m_style(style), m_colours(colours), m_counts(counts), m_rect(&rect) {}

  void operator()(QCPPainter& painter) const {
    const bool vector = isVector(painter);
    drawCells(painter, vector);
    drawSigns(painter, vector);
  }

 private:
  std::int64_t count(std::int64_t column, std::int64_t row) const {
    return column < m_data.columns && row < m_data.rows ? m_data.count[m_data.index(column, row)] : 0;
  }
  QRgb colourAt(std::int64_t column, std::int64_t row) const {
    const std::size_t index = m_data.index(column, row);
    return m_colours.at(m_data.mean[index], m_data.count[index]);
  }
  QRectF cellRect(std::int64_t column, std::int64_t row, bool exact) const {
    return cellsRect(*m_rect, m_data.cell, column, row, 1, 1, exact);
  }

  // Left to right, bottom to top; each cell reaches a little under those painted after it, so that no viewer
  // shows the background between them.
  void drawCells(QCPPainter& painter, bool vector) const {
    painter.setAntialiasing(vector);
    painter.setPen(Qt::NoPen);
    for (std::int64_t row = 0; row < m_data.rows; ++row) {
      for (std::int64_t column = 0; column < m_data.columns; ++column) {
        if (count(column, row) == 0) continue;
        QRectF box = cellRect(column, row, vector);
        if (vector && count(column + 1, row) > 0) box.setRight(box.right() + m_style.u(0.4));
        if (vector && count(column, row + 1) > 0) box.setTop(box.top() - m_style.u(0.4));
        painter.setBrush(QColor(colourAt(column, row)));
        painter.drawRect(box);
      }
    }
  }

  void drawSigns(QCPPainter& painter, bool vector) const {
    painter.setAntialiasing(true);
    for (std::int64_t row = 0; row < m_data.rows; ++row) {
      for (std::int64_t column = 0; column < m_data.columns; ++column) {
        const std::int64_t pairs = count(column, row);
        if (pairs == 0) continue;
        if (pairs < m_data.minCount)
          drawHatch(painter, cellRect(column, row, vector), hatchSpacingOf(m_style), hatchPenOf(m_style));
        if (m_counts) drawCount(painter, column, row);
      }
    }
  }

  void drawCount(QCPPainter& painter, std::int64_t column, std::int64_t row) const {
    const QRectF box = cellRect(column, row, true);
    const std::int64_t pairs = count(column, row);
    const QFontMetricsF metrics(m_style.number);
    const QString text = countText(pairs, metrics, box.width() - m_style.u(1));
    if (text.isEmpty() || metrics.ascent() > box.height()) return;
    painter.setFont(m_style.number);
    if (pairs < m_data.minCount) {  // the hatching would read as minus signs
      QRectF ground(0, 0, metrics.horizontalAdvance(text) + m_style.u(2), metrics.ascent());
      ground.moveCenter(box.center());
      painter.fillRect(ground & box, QColor(colourAt(column, row)));
    }
    painter.setPen(qGray(colourAt(column, row)) > 140 ? QColor("#101214") : QColor("#f4f5f6"));
    painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text);
  }

  MapData m_data;
  PlotStyle m_style;
  MapColours m_colours;
  bool m_counts;
  const QCPAxisRect* m_rect;
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
  const MapColours colours{&map, range.first, 1 / (range.second - range.first), data.minCount,
                           hatchFillOf(style).rgb()};
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   data.columns * data.rows > kVectorCellLimit
                       ? imagePainter(data, colours, rect)
                       : PaintedLayer::Paint(CellPainter(data, style, colours, options.counts, rect)));
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
    const QPen hatchPen = hatchPenOf(style);
    LegendEntry entry = boxEntry(QStringLiteral("fewer than %1 pairs").arg(data.minCount), hatchFillOf(style),
                                 pen(hatchPen.color(), style.thinWidth));
    entry.detail = low == 1 ? QStringLiteral(" (1 cell)") : QStringLiteral(" (%1 cells)").arg(low);
    const auto box = entry.symbol;
    entry.symbol = [box, spacing = hatchSpacingOf(style), hatchPen](QCPPainter& painter,
                                                                    const QRectF& symbol) {
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
