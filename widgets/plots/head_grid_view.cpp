#include "widgets/plots/head_grid_view.h"

#include <QKeyEvent>
#include <QMetaMethod>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/figures/figures.h"
#include "widgets/plots/head_tip.h"
#include "widgets/plots/qcp.h"
#include "widgets/plots/several_heads.h"
#include "widgets/plots/zoom_overview.h"

namespace plastiscope {

namespace {

constexpr double kFewestCells = 4;    // across, of the closest view
constexpr int kRoomForScale = 240;    // pixels of a widget that has room for its colours, too
constexpr int kRoomForSpreads = 380;  // pixels of a widget that shows the layers beside the grid
constexpr int kRoomForGroups = 300;   // pixels, both ways, of a widget that names the groups of heads, too

// What there is room for comes and goes with it.
void useRoom(HeadGridOptions& options, QSize room) {
  options.scale = room.width() >= kRoomForScale;
  options.spreads = room.width() >= kRoomForSpreads;
  options.groups = std::min(room.width(), room.height()) >= kRoomForGroups;
}

// As spreadsheets show that a cell has a note.
void drawTurnedCorner(QPainter& painter, const QRectF& cell) {
  const double size = std::clamp(0.3 * std::min(cell.width(), cell.height()), 3.0, 5.0);
  const QPointF corner = cell.topRight();
  painter.setPen(pen(Qt::black, 0.8));
  painter.setBrush(Qt::white);
  painter.drawPolygon(QPolygonF({corner, corner - QPointF(size, 0), corner + QPointF(0, size)}));
}

// Over the colour of the cell, which is that of an earlier analysis, or none.
void drawCrossedOut(QPainter& painter, const QRectF& cell) {
  const QRectF inside = cell.adjusted(1.5, 1.5, -1.5, -1.5);
  for (const auto& [colour, width] : {std::pair(QColor(Qt::white), 3.0), {QColor("#c62828"), 1.5}}) {
    painter.setPen(pen(colour, width));
    painter.drawLine(inside.topLeft(), inside.bottomRight());
    painter.drawLine(inside.topRight(), inside.bottomLeft());
  }
}

}  // namespace

struct HeadGridView::Private {
  std::shared_ptr<const HeadGridData> data;
  std::vector<std::int64_t> places;  // [cells] where each stands; empty: at its own place
  std::optional<HeadName> selected;
  std::optional<std::int64_t> hovered;  // place
  std::set<HeadName> starred;
  std::map<HeadName, std::string> notes, damaged;
  std::optional<std::set<HeadName>> filter;
  HeadGridOptions options;
  bool follow = false;  // bring the selected head into view at the next layout
  QImage picture;       // of the cells, a pixel each
  enum class Drag { None, View, Overview } drag = Drag::None;
  QPointF dragged;  // where the view was held last
  DrawnRectangle rectangle;
  Qt::KeyboardModifiers keys;
  std::vector<HeadName> several;

  const QCPAxisRect& rect(QCustomPlot& plot) const { return *plot.axisRect(0); }

  // Places are counted in reading order; with layers across the order is the same.
  std::int64_t cells() const { return data->layers * data->heads; }
  bool known(HeadName head) const {
    return head.layer < data->layers && data->cellOf(head).head < data->heads;
  }
  std::int64_t placeOf(HeadName head) const {
    const HeadName cell = data->cellOf(head);
    const std::int64_t at = cell.layer * data->heads + cell.head;
    return places.empty() ? at : places[static_cast<std::size_t>(at)];
  }
  HeadGridCell cellAt(std::int64_t place) const {
    const HeadName cell = data->cellAt(place);
    return data->at(cell.layer, cell.head);
  }
  std::int64_t neighbour(std::int64_t place, int rows, int columns) const {  // -1: beyond the grid
    const std::int64_t row = place / data->heads + rows, column = place % data->heads + columns;
    const bool inside = row >= 0 && row < data->layers && column >= 0 && column < data->heads;
    return inside ? row * data->heads + column : -1;
  }

  QRectF box(QCustomPlot& plot, std::int64_t place) const {
    const double h = HeadGridPlaces(*data).ofHead(place % data->heads),
                 l = static_cast<double>(place / data->heads);
    const double cx = options.transposed ? l : h, cy = options.transposed ? h : l;
    const QCPAxis &x = *rect(plot).axis(QCPAxis::atBottom), &y = *rect(plot).axis(QCPAxis::atLeft);
    return {QPointF(std::round(x.coordToPixel(cx - 0.5)), std::round(y.coordToPixel(cy - 0.5))),
            QPointF(std::round(x.coordToPixel(cx + 0.5)), std::round(y.coordToPixel(cy + 0.5)))};
  }
  QRectF box(QCustomPlot& plot, HeadName head) const { return box(plot, placeOf(head)); }

  std::optional<std::int64_t> placeAt(QCustomPlot& plot, const QPointF& position) const {
    if (data == nullptr || plot.axisRectCount() == 0 || !rect(plot).rect().contains(position.toPoint()))
      return {};
    const double x = rect(plot).axis(QCPAxis::atBottom)->pixelToCoord(position.x());
    const double y = rect(plot).axis(QCPAxis::atLeft)->pixelToCoord(position.y());
    const auto at = HeadGridPlaces(*data).at(options.transposed ? y : x, options.transposed ? x : y);
    return at ? std::optional(at->layer * data->heads + at->head) : std::nullopt;
  }

  // What can be selected with others there: a filter takes out what it fades.
  std::vector<HeadName> offered(std::int64_t place) const {
    std::vector<HeadName> heads = data->headsOf(data->cellAt(place));
    if (filter) std::erase_if(heads, [this](const HeadName& head) { return !filter->contains(head); });
    return heads;
  }
};

HeadGridView::HeadGridView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Head grid"));
  setMessage(tr("No analysis yet"));
}

HeadGridView::~HeadGridView() = default;

void HeadGridView::setData(std::shared_ptr<const HeadGridData> content) {
  d->data = std::move(content);
  d->follow = true;
  d->hovered.reset();
  d->places.assign(d->data == nullptr ? 0 : d->data->placed.size(), 0);
  for (std::size_t i = 0; i < d->places.size(); ++i)
    d->places[static_cast<std::size_t>(d->data->placed[i])] = static_cast<std::int64_t>(i);
  setMessage(d->data == nullptr ? tr("No analysis yet") : QString());
  rebuild();
}

void HeadGridView::setSelectedHead(std::optional<HeadName> head) {
  if (std::exchange(d->selected, head) != head && isZoomed()) {
    d->follow = true;
    plot().replot(QCustomPlot::rpQueuedReplot);
  } else {
    replotOverlay();
  }
}

bool HeadGridView::isZoomed() const {
  const auto shown = shownRange();
  return shown && shown != wholeRange();
}

std::optional<QRectF> HeadGridView::placeOf(HeadName head) const {
  if (d->data == nullptr || plot().axisRectCount() == 0 || !d->known(head)) return {};
  const QRectF cell = d->box(plot(), head) & QRectF(d->rect(plot()).rect());
  return cell.isEmpty() ? std::nullopt : std::optional(cell);
}

std::optional<HeadName> HeadGridView::selectedHead() const {
  return d->selected;
}

void HeadGridView::setSeveral(std::vector<HeadName> heads) {
  if (heads == d->several) return;
  d->several = std::move(heads);
  replotOverlay();
}

void HeadGridView::setStarred(const std::set<HeadName>& heads) {
  d->starred = heads;
  replotOverlay();
}

void HeadGridView::setNotes(const std::map<HeadName, std::string>& notes) {
  d->notes = notes;
  replotOverlay();
}

void HeadGridView::setDamaged(const std::map<HeadName, std::string>& heads) {
  d->damaged = heads;
  replotOverlay();
}

void HeadGridView::setFilter(std::optional<std::set<HeadName>> heads) {
  d->filter = std::move(heads);
  replotOverlay();
}

void HeadGridView::setRange(std::optional<std::pair<double, double>> range) {
  if (range == d->options.range) return;
  d->options.range = range;
  rebuild();
}

void HeadGridView::setTransposed(bool transposed) {
  d->options.transposed = transposed;
  rebuild();
}

std::optional<Plot> HeadGridView::makePlot() const {
  if (d->data == nullptr) return std::nullopt;
  useRoom(d->options, size());
  Plot made = headGridPlot(*d->data, d->options);
  d->picture = pictureOf(std::get<CellMarks>(made.boxes.front().marks.front().kind), plotStyle());
  return made;
}

std::optional<ViewRange> HeadGridView::wholeRange() const {
  if (d->data == nullptr) return {};
  const double heads = headGridExtent(*d->data), layers = HeadGridPlaces(*d->data).layersEnd();
  return d->options.transposed ? ViewRange{-0.5, layers, -0.5, heads} : ViewRange{-0.5, heads, -0.5, layers};
}

void HeadGridView::resizeEvent(QResizeEvent* event) {
  PlotView::resizeEvent(event);
  const HeadGridOptions before = d->options;
  useRoom(d->options, size());
  if (d->data != nullptr && d->options != before) rebuild();
}

void HeadGridView::paintOverlay(QPainter& painter) const {
  const PlotStyle& style = plotStyle();
  if (d->filter) {
    QColor veil = style.colours.view;
    veil.setAlphaF(0.78F);
    for (std::int64_t place = 0; place < d->cells(); ++place) {
      if (d->cellAt(place).captured && d->offered(place).empty())
        painter.fillRect(d->box(plot(), place), veil);
    }
  }
  for (const HeadName& head : d->starred) {
    if (!d->known(head)) continue;
    const QRectF cell = d->box(plot(), head);
    const double size = std::clamp(0.22 * std::min(cell.width(), cell.height()), 2.0, 3.5);
    painter.setPen(pen(Qt::black, 1));
    painter.setBrush(Qt::white);
    painter.drawEllipse(QPointF(cell.right() - 2 - 1.6 * size, cell.center().y()), size, size);
  }
  for (const auto& [head, note] : d->notes) {
    if (d->known(head)) drawTurnedCorner(painter, d->box(plot(), head));
  }
  for (const auto& [head, problem] : d->damaged) {
    if (d->known(head)) drawCrossedOut(painter, d->box(plot(), head));
  }
  painter.setBrush(Qt::NoBrush);
  const auto frame = [&](std::int64_t place, double width) {
    // Drawn within the grid: it would be cut at the first and the last column and row.
    const double half = 0.5 * (width + 2);
    const QRectF inside = QRectF(d->rect(plot()).rect()).adjusted(half, half, -half, -half);
    const QRectF cell = d->box(plot(), place).adjusted(-0.5, -0.5, -0.5, -0.5).intersected(inside);
    if (cell.isEmpty()) return;  // scrolled away
    painter.setPen(pen(QColor("#101214"), width + 2));
    painter.drawRect(cell);
    painter.setPen(pen(style.colours.selection, width));
    painter.drawRect(cell);
  };
  paintSeveral(painter);
  const bool seen = d->selected && d->known(*d->selected);
  const auto selected = seen ? std::optional(d->placeOf(*d->selected)) : std::nullopt;
  if (d->hovered && d->hovered != selected) frame(*d->hovered, 1);
  if (selected) frame(*selected, 2);
  if (isZoomed()) overview().paint(painter, d->picture, plotStyle());
}

// Around each group of selected cells, and the rectangle that is being drawn.
void HeadGridView::paintSeveral(QPainter& painter) const {
  std::vector<bool> chosen(static_cast<std::size_t>(d->cells()), false);
  for (const HeadName& head : d->several) {
    if (d->known(head)) chosen[static_cast<std::size_t>(d->placeOf(head))] = true;
  }
  const auto among = [&](std::int64_t place) {
    return place >= 0 && chosen[static_cast<std::size_t>(place)];
  };
  const bool t = d->options.transposed;
  QList<QLineF> lines;
  for (std::int64_t place = 0; place < d->cells(); ++place) {
    if (!among(place)) continue;
    const QRectF cell = d->box(plot(), place);
    const auto edge = [&](int down, int right, const QLineF& line) {
      if (!among(d->neighbour(place, t ? right : down, t ? down : right))) lines.append(line);
    };
    edge(0, -1, {cell.topLeft(), cell.bottomLeft()});
    edge(0, 1, {cell.topRight(), cell.bottomRight()});
    edge(-1, 0, {cell.topLeft(), cell.topRight()});
    edge(1, 0, {cell.bottomLeft(), cell.bottomRight()});
  }
  painter.setBrush(Qt::NoBrush);
  for (const QPen& line : {pen(QColor("#101214"), 3), pen(plotStyle().colours.selection, 1.5)}) {
    painter.setPen(line);
    painter.drawLines(lines);
  }
  d->rectangle.paint(painter, plotStyle());
}

ZoomOverview HeadGridView::overview() const {
  return {ZoomOverview::boxIn(QRectF(d->rect(plot()).rect())), *wholeRange(), *shownRange()};
}

bool HeadGridView::isOnOverview(const QPointF& position) const {
  return isZoomed() && overview().box.contains(position);
}

// The axes never show more than the grid nor less than a few cells, and the chosen head is brought into view.
bool HeadGridView::laidOut() {
  if (d->data == nullptr || plot().axisRectCount() == 0) return false;
  const QCPAxisRect& rect = d->rect(plot());
  const ViewRange whole = *wholeRange();
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  const QCPRange oldX = x.range(), oldY = y.range();
  const auto fit = [](QCPAxis& axis, double low, double high, std::optional<double> chosen) {
    const double size = std::max(axis.range().size(), kFewestCells);
    if (size >= (high - low) * (1 - 1e-9)) return axis.setRange(low, high);
    double first = axis.range().center() - size / 2;
    if (chosen) first = std::clamp(first, *chosen + 0.5 - size, *chosen - 0.5);
    first = std::clamp(first, low, high - size);
    axis.setRange(first, first + size);
  };
  std::optional<double> column, row;
  if (std::exchange(d->follow, false) && d->selected && d->known(*d->selected)) {
    const std::int64_t place = d->placeOf(*d->selected);
    column = HeadGridPlaces(*d->data).ofHead(place % d->data->heads);
    row = static_cast<double>(place / d->data->heads);
    if (d->options.transposed) std::swap(column, row);
  }
  fit(x, whole.xLow, whole.xHigh, column);
  fit(y, whole.yLow, whole.yHigh, row);
  rect.axis(QCPAxis::atTop)->setRange(x.range());
  rect.axis(QCPAxis::atRight)->setRange(y.range());
  for (std::size_t i = 1; i < boxes().size(); ++i)
    boxes()[i].rect->axis(QCPAxis::atLeft)->setRange(y.range());
  return x.range() != oldX || y.range() != oldY;
}

void HeadGridView::hovered(const QPointF& position, const QPoint& global) {
  const auto place = isOnOverview(position) ? std::nullopt : d->placeAt(plot(), position);
  if (place && place == d->hovered) return;
  if (place != d->hovered) {
    d->hovered = place;
    replotOverlay();
    if (place && d->data->members == 1 && d->cellAt(*place).captured)
      Q_EMIT headHovered(d->data->cellAt(*place));
  }
  if (place) return tellPlace(*place);
  QString layer;
  for (std::size_t i = 1; i < boxes().size(); ++i) {
    if (!boxes()[i].rect->rect().contains(position.toPoint())) continue;
    const double row = boxes()[i].rect->axis(QCPAxis::atLeft)->pixelToCoord(position.y());
    if (const auto at = HeadGridPlaces(*d->data).layerAt(row))
      layer = QString::fromStdString(layerTip(*d->data, *at));
  }
  showTip(layer, global);
}

// Beside the cell, and over no other panel.
void HeadGridView::tellPlace(std::int64_t place) {
  const HeadName cell = d->data->cellAt(place);
  const auto of = [&](const std::map<HeadName, std::string>& texts) {
    const auto found = d->data->members == 1 ? texts.find(cell) : texts.end();
    return found == texts.end() ? std::string() : found->second;
  };
  const auto row = static_cast<int>(place / d->data->heads),
             column = static_cast<int>(place % d->data->heads);
  const QRgb colour = d->picture.pixel(d->options.transposed ? QPoint(row, column) : QPoint(column, row));
  const QString html = headTip(*d->data, cell, QColor(colour), {of(d->notes), of(d->damaged)});
  const QRect box = d->box(plot(), place).toRect();
  const QRect at(plot().mapToGlobal(box.topLeft()), box.size());
  const QPoint tipOffset(14, 24);  // from the place that is asked for to where a tip appears
  showTip(html, tipPlace(html, at, {mapToGlobal(QPoint()), size()}) - tipOffset);
}

void HeadGridView::clicked(const QPointF& position) {
  const auto place = isOnOverview(position) ? std::nullopt : d->placeAt(plot(), position);
  if (!place || !d->cellAt(*place).captured) return;
  const bool adding = d->keys.testFlag(Qt::ControlModifier);
  if (!offersSeveral() || !d->selected || !(adding || d->keys.testFlag(Qt::ShiftModifier)))
    return activate(*place);
  if (d->keys.testFlag(Qt::ShiftModifier))
    return select(headsBetween(d->placeOf(*d->selected), *place), adding);
  select(toggled(d->several, *d->selected, d->offered(*place)), false);
}

// The menu is of the cell under the pointer; several selected heads stay when it is one of them.
void HeadGridView::menuAsked(const QPointF& position) {
  const auto place = isOnOverview(position) ? std::nullopt : d->placeAt(plot(), position);
  if (!place || !d->cellAt(*place).captured) return;
  const std::vector<HeadName> heads = d->data->headsOf(d->data->cellAt(*place));
  if (heads.size() == 1 || !std::ranges::binary_search(d->several, heads.front())) activate(*place);
}

// A cell of several heads selects them.
void HeadGridView::activate(std::int64_t place) {
  const std::vector<HeadName> heads = d->data->headsOf(d->data->cellAt(place));
  if (heads.size() > 1 && offersSeveral()) return select(heads, false);
  setSelectedHead(heads.front());
  Q_EMIT headActivated(heads.front());
}

// Arrow keys walk to the next captured head in their direction, Home and End to the first and last one.
void HeadGridView::keyPressEvent(QKeyEvent* event) {
  struct Step {
    int key, layers, heads;
  };
  static constexpr Step kSteps[] = {
      {Qt::Key_Left, 0, -1}, {Qt::Key_Right, 0, 1}, {Qt::Key_Up, -1, 0}, {Qt::Key_Down, 1, 0}};
  if (d->data == nullptr) return PlotView::keyPressEvent(event);
  if (event->key() == Qt::Key_Escape && isZoomed()) return resetView();
  if (event->key() == Qt::Key_Escape && !d->several.empty()) {
    Q_EMIT severalSelected({});
    return;
  }
  const auto search = [this](std::int64_t from, int rows, int columns) -> std::optional<std::int64_t> {
    for (std::int64_t at = d->neighbour(from, rows, columns); at >= 0; at = d->neighbour(at, rows, columns)) {
      if (d->cellAt(at).captured) return at;
    }
    return {};
  };
  const auto edge = [this](bool last) -> std::optional<std::int64_t> {
    for (std::int64_t i = 0; i < d->cells(); ++i) {
      const std::int64_t at = last ? d->cells() - 1 - i : i;
      if (d->cellAt(at).captured) return at;
    }
    return {};
  };
  std::optional<std::int64_t> next;
  bool known = event->key() == Qt::Key_Home || event->key() == Qt::Key_End;
  if (known || !d->selected) next = edge(event->key() == Qt::Key_End);
  for (const Step& step : kSteps) {
    if (event->key() != step.key) continue;
    known = true;
    const bool t = d->options.transposed;
    if (d->selected)
      next = search(d->placeOf(*d->selected), t ? step.heads : step.layers, t ? step.layers : step.heads);
  }
  if (!known) return PlotView::keyPressEvent(event);
  if (next) activate(*next);
}

bool HeadGridView::dragBegins(const QPointF& position, Qt::KeyboardModifiers keys) {
  d->keys = keys;
  if (d->data == nullptr || plot().axisRectCount() == 0) return false;
  if (isOnOverview(position)) {
    d->drag = Private::Drag::Overview;
    centreOn(position);
    return true;
  }
  if (!offersSeveral() || !d->rect(plot()).rect().contains(position.toPoint())) return false;
  d->rectangle.begin(position);
  return true;
}

void HeadGridView::dragMoves(const QPointF& position) {
  if (d->drag == Private::Drag::Overview) return centreOn(position);
  d->rectangle.moveTo(position);
  replotOverlay();
}

// A rectangle takes the cells that it touches.
void HeadGridView::dragEnds() {
  d->drag = Private::Drag::None;
  const auto drawn = d->rectangle.end();
  replotOverlay();
  if (!drawn) return;
  // Along a row or a column a rectangle has no area, and would touch nothing.
  const QRectF touched = drawn->adjusted(-0.5, -0.5, 0.5, 0.5);
  std::vector<HeadName> heads;
  for (std::int64_t place = 0; place < d->cells(); ++place) {
    if (!touched.intersects(d->box(plot(), place))) continue;
    const auto here = d->offered(place);
    heads.insert(heads.end(), here.begin(), here.end());
  }
  select(std::move(heads), d->keys.testFlag(Qt::ControlModifier));
}

bool HeadGridView::offersSeveral() const {
  return isSignalConnected(QMetaMethod::fromSignal(&HeadGridView::severalSelected));
}

std::vector<HeadName> HeadGridView::headsBetween(std::int64_t one, std::int64_t other) const {
  const std::int64_t across = d->data->heads;
  const auto [top, bottom] = std::minmax({one / across, other / across});
  const auto [left, right] = std::minmax({one % across, other % across});
  std::vector<HeadName> heads;
  for (std::int64_t row = top; row <= bottom; ++row) {
    for (std::int64_t column = left; column <= right; ++column) {
      const auto here = d->offered(row * across + column);
      heads.insert(heads.end(), here.begin(), here.end());
    }
  }
  return heads;
}

void HeadGridView::select(std::vector<HeadName> heads, bool adding) {
  if (adding) heads.insert(heads.end(), d->several.begin(), d->several.end());
  if (!heads.empty()) Q_EMIT severalSelected(heads);
}

// The middle button moves what is seen.
bool HeadGridView::eventFilter(QObject* object, QEvent* event) {
  const auto type = event->type();
  const bool mouse =
      type == QEvent::MouseButtonPress || type == QEvent::MouseMove || type == QEvent::MouseButtonRelease;
  if (object == &plot() && mouse) {
    const auto* of = static_cast<QMouseEvent*>(event);
    if (type == QEvent::MouseButtonPress && of->button() == Qt::MiddleButton && isZoomed()) {
      d->drag = Private::Drag::View;
      d->dragged = of->position();
      return true;
    }
    if (d->drag == Private::Drag::View && type == QEvent::MouseMove) {
      pan(std::exchange(d->dragged, of->position()) - of->position());
      return true;
    }
    if (d->drag == Private::Drag::View && type == QEvent::MouseButtonRelease) d->drag = Private::Drag::None;
  }
  return PlotView::eventFilter(object, event);
}

void HeadGridView::pan(const QPointF& pixels) {
  const QCPAxisRect& rect = d->rect(plot());
  const auto move = [](QCPAxis& axis, double by) {
    axis.moveRange(axis.pixelToCoord(by) - axis.pixelToCoord(0));
  };
  move(*rect.axis(QCPAxis::atBottom), pixels.x());
  move(*rect.axis(QCPAxis::atLeft), pixels.y());
  plot().replot(QCustomPlot::rpQueuedReplot);
}

void HeadGridView::centreOn(const QPointF& position) {
  const ZoomOverview overview = this->overview();
  const QPointF centre = overview.placeAt(position);
  const ViewRange& shown = overview.shown;
  const double w = (shown.xHigh - shown.xLow) / 2, h = (shown.yHigh - shown.yLow) / 2;
  const QCPAxisRect& rect = d->rect(plot());
  rect.axis(QCPAxis::atBottom)->setRange(centre.x() - w, centre.x() + w);
  rect.axis(QCPAxis::atLeft)->setRange(centre.y() - h, centre.y() + h);
  plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace plastiscope

#include "moc_head_grid_view.cpp"
