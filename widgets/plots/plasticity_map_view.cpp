#include "widgets/plots/plasticity_map_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/figures/figures.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

struct PlasticityMapView::Private {
  std::shared_ptr<const MapData> data;
  MapOptions options;
  std::optional<MapCell> hovered, marked;
  std::function<QString(qint64, qint64)> tipAddition;
};

PlasticityMapView::PlasticityMapView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setAccessibleName(tr("Plasticity map"));
  setFocusPolicy(Qt::StrongFocus);
  setMessage(tr("No analysis yet"));
}

PlasticityMapView::~PlasticityMapView() = default;

void PlasticityMapView::setData(std::shared_ptr<const MapData> content) {
  d->data = std::move(content);
  d->hovered.reset();
  setMessage(d->data == nullptr      ? tr("No analysis yet")
             : d->options.difference ? QString()
                                     : QString::fromStdString(whyNoMap(*d->data)));
  rebuild();
}

void PlasticityMapView::setRange(std::optional<std::pair<double, double>> range) {
  if (range == d->options.range) return;
  d->options.range = range;
  rebuild();
}

std::pair<double, double> PlasticityMapView::range() const {
  return d->options.range.value_or(std::pair(0.0, 1.0));
}

void PlasticityMapView::setRangeFromData() {
  if (d->data == nullptr) return;
  double low = 1, high = 0;
  for (std::size_t i = 0; i < d->data->mean.size(); ++i) {
    if (d->data->count[i] < d->data->minCount) continue;
    low = std::min(low, d->data->mean[i]);
    high = std::max(high, d->data->mean[i]);
  }
  setRange(low < high ? std::optional(std::pair{low, high}) : std::nullopt);
}

void PlasticityMapView::setCountsShown(bool shown) {
  d->options.counts = shown;
  rebuild();
}

void PlasticityMapView::setMarked(std::optional<MapCell> cell) {
  d->marked = cell;
  replotOverlay();
}

void PlasticityMapView::setTipAddition(std::function<QString(qint64, qint64)> addition) {
  d->tipAddition = std::move(addition);
}

void PlasticityMapView::setDifference(const MapData& difference, double most) {
  d->options.difference = true;
  d->options.range = std::pair{-most, most};
  setData(std::make_shared<const MapData>(difference));
}

std::optional<Plot> PlasticityMapView::makePlot() const {
  if (d->data == nullptr) return std::nullopt;
  return mapPlot(*d->data, d->options);
}

void PlasticityMapView::paintOverlay(QPainter& painter) const {
  const auto cell = static_cast<double>(d->data->cell);
  const auto corner = [&](std::int64_t column, std::int64_t row) {
    const QPointF at = pixelOf(static_cast<double>(column) * cell, static_cast<double>(row) * cell);
    return QPointF(std::round(at.x()), std::round(at.y()));
  };
  const auto frame = [&](const MapCell& at, double width) {
    const QRectF box(corner(at.column, at.row + 1), corner(at.column + 1, at.row));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen(QColor("#101214"), width + 2));
    painter.drawRect(box);
    painter.setPen(pen(plotStyle().colours.selection, width));
    painter.drawRect(box);
  };
  if (d->hovered && d->hovered != d->marked) frame(*d->hovered, 1);
  if (d->marked) frame(*d->marked, 2);
}

std::optional<MapCell> PlasticityMapView::cellAt(const QPointF& position) const {
  if (boxes().empty()) return std::nullopt;
  const auto found = plastiscope::itemAt(boxes().front().box->marks.front(),
                                         BoxMap(*boxes().front().rect, plotStyle(), false, 1), position, 0);
  if (!found) return std::nullopt;
  const auto item = static_cast<std::int64_t>(found->item);
  return MapCell{item % d->data->columns, item / d->data->columns};
}

void PlasticityMapView::hovered(const QPointF& position, const QPoint& global) {
  const auto cell = cellAt(position);
  if (cell == d->hovered) return;
  d->hovered = cell;
  replotOverlay();
  if (!cell) return showTip({}, global);
  QString tip = QString::fromStdString(mapTip(*d->data, cell->column, cell->row, d->options.difference));
  if (d->tipAddition) tip += d->tipAddition(cell->column, cell->row);
  showTip(tip, global);
  Q_EMIT cellHovered(cell->column, cell->row);
}

void PlasticityMapView::clicked(const QPointF& position) {
  if (const auto cell = cellAt(position)) activate(cell->column, cell->row);
}

void PlasticityMapView::activate(qint64 column, qint64 row) {
  d->marked = MapCell{column, row};
  replotOverlay();
  Q_EMIT cellActivated(column, row);
}

void PlasticityMapView::keyPressEvent(QKeyEvent* event) {
  struct Step {
    int key, columns, rows;
  };
  static constexpr Step kSteps[] = {
      {Qt::Key_Left, -1, 0}, {Qt::Key_Right, 1, 0}, {Qt::Key_Up, 0, 1}, {Qt::Key_Down, 0, -1}};
  const auto* step = std::ranges::find(kSteps, event->key(), &Step::key);
  if (step == std::end(kSteps) || d->data == nullptr) return PlotView::keyPressEvent(event);
  if (!d->marked) return activate(0, 0);
  activate(std::clamp<qint64>(d->marked->column + step->columns, 0, d->data->columns - 1),
           std::clamp<qint64>(d->marked->row + step->rows, 0, d->data->rows - 1));
}

}  // namespace plastiscope

#include "moc_plasticity_map_view.cpp"
