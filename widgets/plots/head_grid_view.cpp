#include "widgets/plots/head_grid_view.h"

#include <QKeyEvent>
#include <QMetaMethod>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

#include "core/figures/figures.h"
#include "widgets/plots/head_grid_cells.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {

constexpr double kFewestCells = 4;    // across, of the closest view
constexpr int kRoomForScale = 240;    // pixels needed to show the colour bar
constexpr int kRoomForSpreads = 380;  // pixels needed to show the spreads of the layers
constexpr int kRoomForGroups = 300;   // pixels in both directions needed to name groups of heads

// Enables the optional parts that fit.
void useRoom(HeadGridOptions& options, QSize room) {
  options.scale = room.width() >= kRoomForScale;
  options.spreads = room.width() >= kRoomForSpreads;
  options.groups = std::min(room.width(), room.height()) >= kRoomForGroups;
}

}  // namespace

struct HeadGridView::Private : HeadGridCells {
  bool follow = false;  // bring the selected head into view at the next layout
  QImage picture;       // image of the cells, one pixel each
  enum class Drag { None, View, Overview } drag = Drag::None;
  QPointF dragged;  // last position of the drag
  DrawnRectangle rectangle;
  Qt::KeyboardModifiers keys;
};

HeadGridView::HeadGridView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Head grid"));
  setMessage(tr("No analysis yet"));
}

HeadGridView::~HeadGridView() = default;

void HeadGridView::setData(std::shared_ptr<const HeadGridData> content) {
  d->setData(std::move(content));
  d->follow = true;
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

void HeadGridView::setGroups(HeadGroups groups) {
  if (groups == d->groups) return;
  d->groups = std::move(groups);
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
  d->paintMarks(painter, plot(), plotStyle());
  d->rectangle.paint(painter, plotStyle());
  if (isZoomed()) overview().paint(painter, d->picture, plotStyle());
}

ZoomOverview HeadGridView::overview() const {
  return {ZoomOverview::boxIn(QRectF(d->rect(plot()).rect())), *wholeRange(), *shownRange()};
}

bool HeadGridView::isOnOverview(const QPointF& position) const {
  return isZoomed() && overview().box.contains(position);
}

// Limits the axes to the grid and to a minimum of cells, and scrolls to the selected head.
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

// Shows the tip beside the cell, over no other panel.
void HeadGridView::tellPlace(std::int64_t place) {
  const HeadName cell = d->data->cellAt(place);
  const auto of = [&](const std::map<HeadName, std::string>& texts) {
    const auto found = d->data->members == 1 ? texts.find(cell) : texts.end();
    return found == texts.end() ? std::string() : found->second;
  };
  std::string groups;
  for (const HeadGroup& group : d->groups) {
    if (d->data->members == 1 && std::ranges::binary_search(group.heads, cell))
      groups += (groups.empty() ? "" : ", ") + group.name;
  }
  const auto row = static_cast<int>(place / d->data->heads),
             column = static_cast<int>(place % d->data->heads);
  const QRgb colour = d->picture.pixel(d->options.transposed ? QPoint(row, column) : QPoint(column, row));
  const QString html = headTip(*d->data, cell, QColor(colour), {of(d->notes), of(d->damaged), groups});
  const QRect box = d->box(plot(), place).toRect();
  const QRect at(plot().mapToGlobal(box.topLeft()), box.size());
  const QPoint tipOffset(14, 24);  // offset of a tip from the requested position
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

// The menu is about the cell under the pointer; several selected heads stay if it is one of them.
void HeadGridView::menuAsked(const QPointF& position) {
  const auto place = isOnOverview(position) ? std::nullopt : d->placeAt(plot(), position);
  if (!place || !d->cellAt(*place).captured) return;
  const std::vector<HeadName> heads = d->data->headsOf(d->data->cellAt(*place));
  if (heads.size() == 1 || !std::ranges::binary_search(d->several, heads.front())) activate(*place);
}

// Activating a cell of several heads selects them.
void HeadGridView::activate(std::int64_t place) {
  const std::vector<HeadName> heads = d->data->headsOf(d->data->cellAt(place));
  if (heads.size() > 1 && offersSeveral()) return select(heads, false);
  setSelectedHead(heads.front());
  Q_EMIT headActivated(heads.front());
}

// Arrow keys move to the next captured head in their direction, Home and End to the first and last one.
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

// A rectangle selects the cells that it touches.
void HeadGridView::dragEnds() {
  d->drag = Private::Drag::None;
  const auto drawn = d->rectangle.end();
  replotOverlay();
  if (!drawn) return;
  // A rectangle along a row or column has no area and would touch nothing.
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

// Dragging with the middle button pans.
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
