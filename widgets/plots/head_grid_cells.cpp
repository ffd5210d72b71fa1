#include "widgets/plots/head_grid_cells.h"

#include <QObject>
#include <QPainter>
#include <QTextDocument>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {

// Below this side of a cell, in pixels, marks would hide its colour: stars and notes are left to the tool tip
// and to zooming, lines are thin and frames outside.
constexpr double kLeastForMarks = 6;

bool isSmall(const QRectF& cell) {
  return std::min(cell.width(), cell.height()) < kLeastForMarks;
}

// Folded corner, the spreadsheet sign for a note.
void drawTurnedCorner(QPainter& painter, const QRectF& cell) {
  const double size = std::clamp(0.3 * std::min(cell.width(), cell.height()), 3.0, 5.0);
  const QPointF corner = cell.topRight();
  painter.setPen(pen(Qt::black, 0.8));
  painter.setBrush(Qt::white);
  painter.drawPolygon(QPolygonF({corner, corner - QPointF(size, 0), corner + QPointF(0, size)}));
}

// Drawn over the colour of the cell, which comes from an earlier analysis if there is one.
void drawCrossedOut(QPainter& painter, const QRectF& cell) {
  const double edge = isSmall(cell) ? 0.5 : 1.5;
  const QRectF inside = cell.adjusted(edge, edge, -edge, -edge);
  for (const auto& [colour, width] : {std::pair(QColor(Qt::white), 3.0), {QColor("#c62828"), 1.5}}) {
    if (isSmall(cell) && colour == Qt::white) continue;
    painter.setPen(pen(colour, width));
    painter.drawLine(inside.topLeft(), inside.bottomRight());
    painter.drawLine(inside.topRight(), inside.bottomLeft());
  }
}

}  // namespace

void HeadGridCells::setData(std::shared_ptr<const HeadGridData> content) {
  data = std::move(content);
  hovered.reset();
  m_places.assign(data == nullptr ? 0 : data->placed.size(), 0);
  for (std::size_t i = 0; i < m_places.size(); ++i)
    m_places[static_cast<std::size_t>(data->placed[i])] = static_cast<std::int64_t>(i);
}

bool HeadGridCells::known(HeadName head) const {
  return head.layer < data->layers && data->cellOf(head).head < data->heads;
}

std::int64_t HeadGridCells::placeOf(HeadName head) const {
  const HeadName cell = data->cellOf(head);
  const std::int64_t at = cell.layer * data->heads + cell.head;
  return m_places.empty() ? at : m_places[static_cast<std::size_t>(at)];
}

HeadGridCell HeadGridCells::cellAt(std::int64_t place) const {
  const HeadName cell = data->cellAt(place);
  return data->at(cell.layer, cell.head);
}

std::int64_t HeadGridCells::neighbour(std::int64_t place, int rows, int columns) const {
  const std::int64_t row = place / data->heads + rows, column = place % data->heads + columns;
  const bool inside = row >= 0 && row < data->layers && column >= 0 && column < data->heads;
  return inside ? row * data->heads + column : -1;
}

std::vector<HeadName> HeadGridCells::offered(std::int64_t place) const {
  std::vector<HeadName> heads = data->headsOf(data->cellAt(place));
  if (filter) std::erase_if(heads, [this](const HeadName& head) { return !filter->contains(head); });
  return heads;
}

const QCPAxisRect& HeadGridCells::rect(QCustomPlot& plot) {
  return *plot.axisRect(0);
}

QRectF HeadGridCells::box(QCustomPlot& plot, std::int64_t place) const {
  const double h = HeadGridPlaces(*data).ofHead(place % data->heads),
               l = static_cast<double>(place / data->heads);
  const double cx = options.transposed ? l : h, cy = options.transposed ? h : l;
  const QCPAxis &x = *rect(plot).axis(QCPAxis::atBottom), &y = *rect(plot).axis(QCPAxis::atLeft);
  return {QPointF(std::round(x.coordToPixel(cx - 0.5)), std::round(y.coordToPixel(cy - 0.5))),
          QPointF(std::round(x.coordToPixel(cx + 0.5)), std::round(y.coordToPixel(cy + 0.5)))};
}

std::optional<std::int64_t> HeadGridCells::placeAt(QCustomPlot& plot, const QPointF& position) const {
  if (data == nullptr || plot.axisRectCount() == 0 || !rect(plot).rect().contains(position.toPoint()))
    return {};
  const double x = rect(plot).axis(QCPAxis::atBottom)->pixelToCoord(position.x());
  const double y = rect(plot).axis(QCPAxis::atLeft)->pixelToCoord(position.y());
  const auto at = HeadGridPlaces(*data).at(options.transposed ? y : x, options.transposed ? x : y);
  return at ? std::optional(at->layer * data->heads + at->head) : std::nullopt;
}

void HeadGridCells::paintMarks(QPainter& painter, QCustomPlot& plot, const PlotStyle& style) const {
  if (filter) {
    QColor veil = style.colours.view;
    veil.setAlphaF(0.78F);
    for (std::int64_t place = 0; place < cells(); ++place) {
      if (cellAt(place).captured && offered(place).empty()) painter.fillRect(box(plot, place), veil);
    }
  }
  const bool small = isSmall(box(plot, 0));
  for (const HeadName& head : starred) {
    if (!known(head) || small) continue;
    const QRectF cell = box(plot, head);
    const double size = std::clamp(0.22 * std::min(cell.width(), cell.height()), 2.0, 3.5);
    painter.setPen(pen(Qt::black, 1));
    painter.setBrush(Qt::white);
    painter.drawEllipse(QPointF(cell.right() - 2 - 1.6 * size, cell.center().y()), size, size);
  }
  for (const auto& [head, note] : notes) {
    if (known(head) && !small) drawTurnedCorner(painter, box(plot, head));
  }
  for (const auto& [head, problem] : damaged) {
    if (known(head)) drawCrossedOut(painter, box(plot, head));
  }
  painter.setBrush(Qt::NoBrush);
  const auto frame = [&](std::int64_t place, double width) {
    // Drawn within the grid: it would be clipped in the first and last columns and rows.
    const double half = 0.5 * (width + 2);
    const QRectF inside = QRectF(rect(plot).rect()).adjusted(half, half, -half, -half);
    const double out = small ? half - 0.5 : 0;
    const QRectF cell =
        box(plot, place).adjusted(-0.5 - out, -0.5 - out, out - 0.5, out - 0.5).intersected(inside);
    if (cell.isEmpty()) return;  // scrolled away
    painter.setPen(pen(QColor("#101214"), width + 2));
    painter.drawRect(cell);
    painter.setPen(pen(style.colours.selection, width));
    painter.drawRect(cell);
  };
  paintGroups(painter, plot, style);
  paintSeveral(painter, plot, style);
  const bool seen = selected && known(*selected);
  const auto chosen = seen ? std::optional(placeOf(*selected)) : std::nullopt;
  if (hovered && hovered != chosen) frame(*hovered, 1);
  if (chosen) frame(*chosen, 2);
}

QList<QLineF> HeadGridCells::outline(QCustomPlot& plot, const std::vector<HeadName>& heads,
                                     double inset) const {
  std::vector<bool> chosen(static_cast<std::size_t>(cells()), false);
  for (const HeadName& head : heads) {
    if (known(head)) chosen[static_cast<std::size_t>(placeOf(head))] = true;
  }
  const auto among = [&](std::int64_t place) {
    return place >= 0 && chosen[static_cast<std::size_t>(place)];
  };
  const bool t = options.transposed;
  QList<QLineF> lines;
  for (std::int64_t place = 0; place < cells(); ++place) {
    if (!among(place)) continue;
    const auto ends = [&](int down, int right) {
      return !among(neighbour(place, t ? right : down, t ? down : right));
    };
    const bool left = ends(0, -1), right = ends(0, 1), top = ends(-1, 0), bottom = ends(1, 0);
    const QRectF whole = box(plot, place);
    const double by = std::min(inset, 0.35 * std::min(whole.width(), whole.height()));
    const QRectF cell = whole.adjusted(left ? by : 0, top ? by : 0, right ? -by : 0, bottom ? -by : 0);
    if (left) lines.append({cell.topLeft(), cell.bottomLeft()});
    if (right) lines.append({cell.topRight(), cell.bottomRight()});
    if (top) lines.append({cell.topLeft(), cell.topRight()});
    if (bottom) lines.append({cell.bottomLeft(), cell.bottomRight()});
  }
  return lines;
}

// Each group further inside than the one before, so that all groups of a head are visible.
void HeadGridCells::paintGroups(QPainter& painter, QCustomPlot& plot, const PlotStyle& style) const {
  const QRectF cell = box(plot, 0);
  const double width = std::clamp(0.12 * std::min(cell.width(), cell.height()), 1.0, 2.0),
               casing = isSmall(cell) ? 0 : 1;
  painter.setBrush(Qt::NoBrush);
  double inset = 0.75 * width;
  for (const HeadGroup& group : groups) {
    const QList<QLineF> lines = outline(plot, group.heads, inset);
    inset += 1.25 * width;
    for (const QPen& line : {pen(style.colours.view, width + casing),
                             pen(colourOf(groupStyle(group, 0).colour, style), width)}) {
      painter.setPen(line);
      painter.drawLines(lines);
    }
  }
}

// Frames each connected group of selected cells.
void HeadGridCells::paintSeveral(QPainter& painter, QCustomPlot& plot, const PlotStyle& style) const {
  const QList<QLineF> lines = outline(plot, several, 0);
  painter.setBrush(Qt::NoBrush);
  const double thin = isSmall(box(plot, 0)) ? 0.5 : 1;
  for (const QPen& line : {pen(QColor("#101214"), 3 * thin), pen(style.colours.selection, 1.5 * thin)}) {
    painter.setPen(line);
    painter.drawLines(lines);
  }
}

namespace {

constexpr int kMaxOfNote = 300;  // characters

QString cardHtml(const std::vector<CardLine>& card, const QString& name, const QColor& colour) {
  QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'>");
  for (std::size_t i = 0; i < card.size(); ++i) {
    const QString label = QString::fromStdString(card[i].label),
                  value = QString::fromStdString(card[i].value);
    html += i == 0 ? QStringLiteral(
                         "<tr><td><span style='background-color:%1'>&nbsp;&nbsp;&nbsp;</span> "
                         "<b>%2 %3</b>&nbsp;&nbsp;&nbsp;</td><td align='right'>%4</td></tr>")
                         .arg(colour.name(), label, value, name)
                   : QStringLiteral("<tr><td>%1&nbsp;</td><td align='right'>%2</td></tr>").arg(label, value);
  }
  return html + QStringLiteral("</table>");
}

QString noteHtml(const std::string& note) {
  return QStringLiteral("<hr><i>%1</i>")
      .arg(QString::fromStdString(note)
               .left(kMaxOfNote)
               .toHtmlEscaped()
               .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace

QString headTip(const HeadGridData& data, HeadName cell, const QColor& colour, const HeadRemarks& remarks) {
  const QString name = QString::fromStdString(data.nameOf(cell)),
                problem = QString::fromStdString(remarks.problem).toHtmlEscaped();
  if (!data.at(cell.layer, cell.head).captured) {
    const QString why =
        problem.isEmpty() ? QObject::tr("not captured") : QObject::tr("damaged: %1").arg(problem);
    return "<b>" + name + "</b><br>" + why;
  }
  return cardHtml(headCard(data, cell), name, colour) +
         (remarks.groups.empty()
              ? QString()
              : QObject::tr("<hr>Groups: %1").arg(QString::fromStdString(remarks.groups))) +
         (remarks.note.empty() ? QString() : noteHtml(remarks.note)) +
         (problem.isEmpty() ? QString() : QObject::tr("<hr>Damaged: %1").arg(problem));
}

QPoint tipPlace(const QString& html, const QRect& cell, const QRect& view) {
  QTextDocument text;
  text.setDefaultFont(QToolTip::font());
  text.setHtml(html);
  const QSize size = text.size().toSize() + QSize(10, 8);  // plus the frame of a tip
  constexpr int kAway = 8;
  const int top = std::clamp(cell.top(), view.top(), std::max(view.top(), view.bottom() - size.height()));
  if (cell.right() + kAway + size.width() <= view.right()) return {cell.right() + kAway, top};
  if (cell.left() - kAway - size.width() >= view.left()) return {cell.left() - kAway - size.width(), top};
  const int left = std::max(view.left(), view.right() - size.width());
  const bool below = cell.bottom() + kAway + size.height() <= view.bottom();
  return {left, below ? cell.bottom() + kAway : cell.top() - kAway - size.height()};
}

namespace {
constexpr double kShareOfPanel = 0.3;  // share of the sides, at most kLongestSide pixels
constexpr double kLongestSide = 150;
}  // namespace

QImage pictureOf(const CellMarks& cells, const PlotStyle& style) {
  const ColourMap& colours = colourMapOf(cells.colours, style);
  const std::size_t columns = cells.columns.size();
  QImage picture(static_cast<int>(columns), static_cast<int>(cells.rows.size()), QImage::Format_RGB32);
  for (std::size_t i = 0; i < cells.value.size(); ++i) {
    const bool valued = cells.state[i] == CellState::Valued;
    const double share = (cells.value[i] - cells.low) / (cells.high - cells.low);
    picture.setPixel(static_cast<int>(i % columns), static_cast<int>(i / columns),
                     valued ? colours.at(share) : style.colours.window.rgb());
  }
  return picture;
}

QRectF ZoomOverview::boxIn(const QRectF& panel) {
  const QSizeF size(std::min(kShareOfPanel * panel.width(), kLongestSide),
                    std::min(kShareOfPanel * panel.height(), kLongestSide));
  return {panel.bottomRight() - QPointF(size.width() + 6, size.height() + 6), size};
}

QPointF ZoomOverview::placeAt(const QPointF& pixel) const {
  return {whole.xLow + (whole.xHigh - whole.xLow) * (pixel.x() - box.left()) / box.width(),
          whole.yLow + (whole.yHigh - whole.yLow) * (pixel.y() - box.top()) / box.height()};
}

void ZoomOverview::paint(QPainter& painter, const QImage& picture, const PlotStyle& style) const {
  const auto xAt = [this](double x) {
    return box.left() + box.width() * (x - whole.xLow) / (whole.xHigh - whole.xLow);
  };
  const auto yAt = [this](double y) {
    return box.top() + box.height() * (y - whole.yLow) / (whole.yHigh - whole.yLow);
  };
  painter.fillRect(box.adjusted(-3, -3, 3, 3), style.colours.view);
  painter.drawImage(box, picture);
  const QRectF seen(QPointF(xAt(shown.xLow), yAt(shown.yLow)), QPointF(xAt(shown.xHigh), yAt(shown.yHigh)));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen(QColor("#101214"), 3));
  painter.drawRect(seen);
  painter.setPen(pen(Qt::white, 1.2));
  painter.drawRect(seen);
  painter.setPen(pen(style.colours.border, 1));
  painter.drawRect(box.adjusted(-3, -3, 3, 3));
}

}  // namespace plastiscope
