#include "widgets/plots/plasticity_map_view.h"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "core/views/empty_views.h"
#include "core/views/metric_info.h"
#include "widgets/plots/map_figure.h"
#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"

namespace plastiscope {

namespace {

struct Cell {
  std::int64_t column = 0, row = 0;
  bool operator==(const Cell&) const = default;
};

}  // namespace

struct PlasticityMapView::Private {
  std::shared_ptr<const MapData> data;
  MapOptions options;
  std::optional<Cell> hovered, marked;
  std::function<QString(qint64, qint64)> tipAddition;

  std::optional<Cell> cellAt(QCustomPlot& plot, const QPointF& position) const {
    if (data == nullptr || plot.axisRectCount() == 0) return {};
    const QCPAxisRect& rect = *plot.axisRect(0);
    if (!rect.rect().contains(position.toPoint())) return {};
    const double x = rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x());
    const double y = rect.axis(QCPAxis::atLeft)->pixelToCoord(position.y());
    const Cell cell{static_cast<std::int64_t>(std::floor(x / static_cast<double>(data->cell))),
                    static_cast<std::int64_t>(std::floor(y / static_cast<double>(data->cell)))};
    if (cell.column < 0 || cell.row < 0 || cell.column >= data->columns || cell.row >= data->rows) return {};
    return cell;
  }
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

void PlasticityMapView::setMarked(std::optional<std::pair<std::int64_t, std::int64_t>> cell) {
  d->marked = cell ? std::optional(Cell{cell->first, cell->second}) : std::nullopt;
  replotOverlay();
}

void PlasticityMapView::setTipAddition(std::function<QString(qint64, qint64)> addition) {
  d->tipAddition = std::move(addition);
}

void PlasticityMapView::setDifference(const MapData& difference, double reach) {
  d->options.difference = true;
  d->options.range = std::pair{-reach, reach};
  setData(std::make_shared<const MapData>(difference));
}

void PlasticityMapView::build(QCustomPlot& plot) {
  if (d->data == nullptr) return;
  buildMap(plot, *d->data, plotStyle(), d->options);
  QCPAxisRect& rect = *plot.axisRect(0);
  new PaintedLayer(rect, "overlay", Clip::AxisRect, [this, &rect](QCPPainter& painter) {
    const auto cell = static_cast<double>(d->data->cell);
    const auto frame = [&](const Cell& at, double width) {
      const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
      const auto column = static_cast<double>(at.column), row = static_cast<double>(at.row);
      const QRectF box(
          QPointF(std::round(x.coordToPixel(column * cell)), std::round(y.coordToPixel((row + 1) * cell))),
          QPointF(std::round(x.coordToPixel((column + 1) * cell)), std::round(y.coordToPixel(row * cell))));
      painter.setBrush(Qt::NoBrush);
      painter.setPen(pen(QColor("#101214"), width + 2));
      painter.drawRect(box);
      painter.setPen(pen(plotStyle().colours.selection, width));
      painter.drawRect(box);
    };
    if (d->hovered && d->hovered != d->marked) frame(*d->hovered, 1);
    if (d->marked) frame(*d->marked, 2);
  });
}

void PlasticityMapView::hovered(const QPointF& position, const QPoint& global) {
  const auto cell = d->cellAt(plot(), position);
  if (cell == d->hovered) return;
  d->hovered = cell;
  replotOverlay();
  if (!cell) {
    showTip({}, global);
    Q_EMIT cellUnhovered();
    return;
  }
  const std::size_t index = d->data->index(cell->column, cell->row);
  const std::int64_t pairs = d->data->count[index];
  const auto tokens = [](double value) { return numberLabel(value, 0); };
  const auto size = static_cast<double>(d->data->cell);
  const KeyDistances distances = keyDistances(*d->data, cell->column, cell->row);
  const QString value = QString::fromStdString(fixedText(d->data->mean[index], 3));
  const QString count = tokens(static_cast<double>(pairs));
  QString tip = pairs == 0              ? tr("no pairs")
                : d->options.difference ? tr("<b>PP differs by %1</b> · at least %2 pairs each").arg(value, count)
                                        : tr("<b>PP %1</b> · %2 pairs").arg(value, count);
  if (pairs > 0 && pairs < d->data->minCount)
    tip += " · " + tr("fewer than %1: not coloured").arg(d->data->minCount);
  tip += "<br>" + tr("keys %1 to %2 tokens apart")
                      .arg(tokens(static_cast<double>(cell->column) * size),
                           tokens(static_cast<double>(cell->column + 1) * size));
  tip += "<br>" + tr("query to nearer key about %1, to farther key about %2 tokens")
                      .arg(tokens(distances.nearer), tokens(distances.farther));
  if (d->tipAddition) tip += d->tipAddition(cell->column, cell->row);
  showTip(tip, global);
  Q_EMIT cellHovered(cell->column, cell->row);
}

void PlasticityMapView::hoverLeft() {
  if (!d->hovered) return;
  d->hovered.reset();
  replotOverlay();
  Q_EMIT cellUnhovered();
}

void PlasticityMapView::clicked(const QPointF& position) {
  if (const auto cell = d->cellAt(plot(), position)) activate(cell->column, cell->row);
}

void PlasticityMapView::activate(qint64 column, qint64 row) {
  d->marked = Cell{column, row};
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
