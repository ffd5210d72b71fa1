#include "widgets/plots/head_grid_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/colour_bar.h"

namespace plastiscope {

HeadGridPlaces::HeadGridPlaces(const HeadGridData& data)
    : m_heads(data.heads),
      m_layers(data.layers),
      m_group(std::max<std::int64_t>(1, data.groupSize)),
      m_gap(m_group > 1 && m_heads > m_group ? 0.18 : 0) {}

double HeadGridPlaces::ofHead(std::int64_t head) const {
  return static_cast<double>(head) + m_gap * static_cast<double>(head / m_group);
}

double HeadGridPlaces::headsEnd() const {
  return ofHead(std::max<std::int64_t>(0, m_heads - 1)) + 0.5;
}

std::optional<std::int64_t> HeadGridPlaces::headAt(double place) const {
  const double perGroup = static_cast<double>(m_group) + m_gap;
  const double group = std::floor((place + 0.5) / perGroup);
  const auto head = static_cast<std::int64_t>(group) * m_group +
                    static_cast<std::int64_t>(std::floor(place + 0.5 - group * perGroup));
  if (place < -0.5 || head < 0 || head >= m_heads || std::fabs(ofHead(head) - place) > 0.5)
    return std::nullopt;
  return head;
}

std::optional<std::int64_t> HeadGridPlaces::layerAt(double place) const {
  const auto layer = static_cast<std::int64_t>(std::floor(place + 0.5));
  if (layer < 0 || layer >= m_layers) return std::nullopt;
  return layer;
}

namespace {

// What a layer is marked with beside its row; attention and rotation are properties of whole layers.
QString layerMark(const HeadGridData& data, std::int64_t layer) {
  const auto without = data.withoutVectors.find(layer);
  if (without != data.withoutVectors.end())
    return without->second == "cross" ? QStringLiteral("X") : QStringLiteral("R");
  for (std::int64_t head = 0; head < data.heads; ++head) {
    const HeadGridCell& cell = data.at(layer, head);
    if (cell.windowed) return cell.nope ? QStringLiteral("WN") : QStringLiteral("W");
    if (cell.nope) return QStringLiteral("N");
  }
  return {};
}

QStringList layerMarks(const HeadGridData& data) {
  QStringList marks;
  for (std::int64_t layer = 0; layer < data.layers; ++layer) marks.append(layerMark(data, layer));
  return marks;
}

struct GridPainter {
  HeadGridData data;
  PlotStyle style;
  HeadGridPlaces places;
  const ColourMap* map;
  double low, high;
  bool transposed;
  QCPAxisRect* rect;

  // The cell's rect in layout units, on whole ones on the screen.
  QRectF cellRect(std::int64_t layer, std::int64_t head, bool vector) const {
    const double h = places.ofHead(head), l = static_cast<double>(layer);
    const QCPAxis &x = *rect->axis(QCPAxis::atBottom), &y = *rect->axis(QCPAxis::atLeft);
    const double cx = transposed ? l : h, cy = transposed ? h : l;
    double left = x.coordToPixel(cx - 0.5), right = x.coordToPixel(cx + 0.5);
    double top = y.coordToPixel(cy - 0.5), bottom = y.coordToPixel(cy + 0.5);
    if (!vector) {
      left = std::round(left);
      right = std::round(right);
      top = std::round(top);
      bottom = std::round(bottom);
    }
    // A thin line between the cells, unless they are tiny.
    const double line =
        std::min(right - left, bottom - top) >= style.u(5) ? style.u(style.print ? 0.4 : 1) : 0;
    return {left, top, right - left - line, bottom - top - line};
  }

  void operator()(QCPPainter& painter) const {
    const bool vector = isVector(painter);
    painter.setAntialiasing(vector);
    painter.setPen(Qt::NoPen);
    for (std::int64_t layer = 0; layer < data.layers; ++layer) {
      for (std::int64_t head = 0; head < data.heads; ++head) {
        const HeadGridCell& cell = data.at(layer, head);
        const QRectF box = cellRect(layer, head, vector);
        const bool coloured = cell.captured && std::isfinite(cell.value);
        painter.setPen(Qt::NoPen);
        painter.setBrush(coloured ? QColor(map->at((cell.value - low) / (high - low)))
                                  : style.colours.window);
        painter.drawRect(box);
        if (cell.captured && !coloured) {
          painter.setAntialiasing(true);
          drawHatch(painter, box, style.u(4), pen(style.colours.muted, style.thinWidth));
          painter.setAntialiasing(vector);
        }
      }
    }
  }
};

std::vector<LegendEntry> legendOf(const HeadGridData& data, const QStringList& marks,
                                  const PlotStyle& style) {
  std::vector<LegendEntry> entries;
  const QPen thin = pen(style.colours.muted, style.thinWidth);
  if (data.notCaptured > 0) {
    entries.push_back(
        boxEntry(QStringLiteral("not captured"), style.colours.window,
                 pen(style.print ? style.colours.muted : style.colours.border, style.thinWidth)));
  }
  if (data.missing > 0) {
    LegendEntry entry = boxEntry(QStringLiteral("no value"), style.colours.window, thin);
    const auto box = entry.symbol;
    const double spacing = style.u(4);
    entry.symbol = [box, thin, spacing](QCPPainter& painter, const QRectF& rect) {
      box(painter, rect);
      drawHatch(painter, rect.adjusted(0, 0.1 * rect.height(), 0, -0.1 * rect.height()), spacing, thin);
    };
    entries.push_back(entry);
  }
  const std::pair<const char*, const char*> kMeanings[] = {{"N", "NoPE layer"},
                                                           {"W", "sliding window"},
                                                           {"X", "cross-attention, no vectors"},
                                                           {"R", "recurrence, no vectors"}};
  for (const auto& [letter, meaning] : kMeanings) {
    const bool used =
        std::any_of(marks.begin(), marks.end(), [l = letter](const QString& m) { return m.contains(l); });
    if (!used) continue;
    entries.push_back(
        {QStringLiteral("<b>%1</b> %2").arg(letter, meaning), 0, [](QCPPainter&, const QRectF&) {}});
  }
  return entries;
}

// One axis gets its names; heads stand above the grid, layers beside it.
void nameAxis(QCPAxis& axis, const QVector<double>& places, const QString& letter, double end,
              bool reversed) {
  QStringList names;
  for (qsizetype i = 0; i < places.size(); ++i) names.append(letter + QString::number(i));
  axis.setTicker(QSharedPointer<NameTicker>::create(axis, places, names));
  axis.setRange(-0.5, end);
  axis.setRangeReversed(reversed);
  axis.setTickLength(0, 0);
}

void drawMarks(QCPAxisRect& rect, const QStringList& marks, double place, bool transposed,
               const PlotStyle& style) {
  new PaintedLayer(rect, "marks", Clip::None, [&rect, marks, place, transposed, style](QCPPainter& painter) {
    const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
    painter.setFont(style.number);
    painter.setPen(style.colours.muted);
    for (qsizetype i = 0; i < marks.size(); ++i) {
      const auto layer = static_cast<double>(i);
      const QPointF middle(x.coordToPixel(transposed ? layer : place),
                           y.coordToPixel(transposed ? place : layer));
      if (!QRectF(rect.rect()).adjusted(-1, -1, 1, 1).contains(middle) || marks[i].isEmpty()) continue;
      const double reach = style.number.pixelSize() * 2;
      painter.drawText(QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach), Qt::AlignCenter,
                       marks[i]);
    }
  });
}

}  // namespace

double headGridExtent(const HeadGridData& data) {
  const QStringList marks = layerMarks(data);
  const bool marked =
      std::any_of(marks.begin(), marks.end(), [](const QString& mark) { return !mark.isEmpty(); });
  return HeadGridPlaces(data).headsEnd() + (marked ? 0.8 : 0);
}

void buildHeadGrid(const FigurePlace& place, const HeadGridData& data, const PlotStyle& style,
                   const HeadGridOptions& options) {
  place.clear(style);
  const HeadGridPlaces places(data);
  const QStringList marks = layerMarks(data);
  const double headsEnd = headGridExtent(data);
  const bool marked = headsEnd > places.headsEnd();
  const auto legend = legendOf(data, marks, style);
  const int row = legend.empty() && place.furniture() == nullptr ? 0 : 1;
  QCPAxisRect& rect = addPanel(place, row, 0, style, {Frame::Box, false, false, "", "", {}});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft),
          &top = *rect.axis(QCPAxis::atTop);
  QVector<double> heads, layers;
  for (std::int64_t head = 0; head < data.heads; ++head) heads.append(places.ofHead(head));
  for (std::int64_t layer = 0; layer < data.layers; ++layer) layers.append(static_cast<double>(layer));
  const bool transposed = options.transposed;
  for (QCPAxis* across : {&x, &top}) {
    nameAxis(*across, transposed ? layers : heads, transposed ? "L" : "H",
             transposed ? places.layersEnd() : headsEnd, false);
  }
  nameAxis(y, transposed ? heads : layers, transposed ? "H" : "L", transposed ? headsEnd : places.layersEnd(),
           true);
  x.setTickLabels(false);
  top.setTicks(true);
  top.setTickLabels(true);
  for (const auto type : {QCPAxis::atLeft, QCPAxis::atBottom, QCPAxis::atRight, QCPAxis::atTop}) {
    rect.axis(type)->setBasePen(Qt::NoPen);
  }
  const std::pair<double, double> range = options.range.value_or(std::pair{data.low, data.high});
  const ColourMap& map = colourMap(data.metric.isSigned ? QStringLiteral("blue_white_red") : style.metricColours);
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   GridPainter{data, style, places, &map, range.first, range.second, transposed, &rect});
  if (marked) drawMarks(rect, marks, places.headsEnd() + 0.4, transposed, style);
  const int power = powerFor(std::max(std::fabs(range.first), std::fabs(range.second)));
  QString title = QString::fromStdString(data.metric.label);
  QStringList units;
  if (power != 0) units.append(QStringLiteral("10<sup>%1</sup>").arg(numberLabel(power, 0)));
  if (!data.metric.unit.empty()) units.append(QString::fromStdString(data.metric.unit));
  if (!units.isEmpty()) title += " (" + units.join(' ') + ")";
  addColourBar(place, row, 1, style, rect, map, {range.first, range.second, title, std::pow(10, power)});
  if (!legend.empty()) addLegend(place, 0, 0, style, rect, legend);
}

}  // namespace plastiscope
