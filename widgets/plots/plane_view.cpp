#include "widgets/plots/plane_view.h"

#include <cmath>

#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/plane_figure.h"

namespace plastiscope {

namespace {

constexpr double kReach = 9;  // pixels from the pointer to a row

struct RowRef {
  RowKind kind = RowKind::Query;
  std::size_t row = 0;
  bool operator==(const RowRef&) const = default;
};

QPointF pixelOf(const QCPAxisRect& rect, const PlaneRows& rows, std::size_t row) {
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(rows.x[row])),
          rect.axis(QCPAxis::atLeft)->coordToPixel(static_cast<double>(rows.y[row]))};
}

// The row nearest to a pixel; nothing beyond the reach. Linear in the rows: a million take about a
// millisecond.
std::optional<RowRef> nearestRow(const PlaneData& data, const QCPAxisRect& rect, const QPointF& pixel) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  const double px = x.pixelToCoord(pixel.x()), py = y.pixelToCoord(pixel.y());
  const double perX = x.coordToPixel(1) - x.coordToPixel(0), perY = y.coordToPixel(1) - y.coordToPixel(0);
  std::optional<RowRef> best;
  double least = kReach * kReach;
  for (const RowKind kind : {RowKind::Query, RowKind::Key}) {
    const PlaneRows& rows = data.rows(kind);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double dx = (static_cast<double>(rows.x[i]) - px) * perX,
                   dy = (static_cast<double>(rows.y[i]) - py) * perY;
      const double distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        best = RowRef{kind, i};
      }
    }
  }
  return best;
}

}  // namespace

struct AbPlaneView::Private {
  std::shared_ptr<const PlaneData> data;
  std::optional<RowRef> hovered;
  std::int64_t from = 0, to = 0;
};

AbPlaneView::AbPlaneView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setAccessibleName(tr("Plane of queries and keys"));
  setMessage(tr("No head chosen"));
}

AbPlaneView::~AbPlaneView() = default;

void AbPlaneView::setData(std::shared_ptr<const PlaneData> content) {
  d->data = std::move(content);
  d->hovered.reset();
  setMessage(d->data == nullptr ? tr("No head chosen") : QString::fromStdString(d->data->missing));
  rebuild();
}

void AbPlaneView::setQueryHighlight(std::int64_t from, std::int64_t to) {
  d->from = from;
  d->to = to;
  replotOverlay();
}

void AbPlaneView::resetView() {
  if (d->data == nullptr || plot().axisRectCount() == 0) return;
  const PlaneRange& range = d->data->range;
  plot().axisRect(0)->axis(QCPAxis::atBottom)->setRange(range.xLow, range.xHigh);
  plot().axisRect(0)->axis(QCPAxis::atLeft)->setRange(range.yLow, range.yHigh);
  plot().replot(QCustomPlot::rpQueuedReplot);
}

void AbPlaneView::build(QCustomPlot& plot) {
  if (d->data == nullptr || !d->data->missing.empty()) return;
  buildPlane(plot, d->data, plotStyle());
  plot.setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  QCPAxisRect& rect = *plot.axisRect(0);
  rect.setRangeDrag(Qt::Horizontal | Qt::Vertical);
  rect.setRangeZoom(Qt::Horizontal | Qt::Vertical);
  new PaintedLayer(rect, "overlay", Clip::AxisRect, [this, &rect](QCPPainter& painter) {
    const PlotStyle& style = plotStyle();
    painter.setPen(pen(style.theme == Theme::Light ? QColor("#3a2600") : QColor("#101214"), 0.8));
    painter.setBrush(style.colours.selection);
    if (d->from < d->to) {
      const PlaneRows& rows = d->data->query;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.position[i] >= d->from && rows.position[i] < d->to)
          painter.drawEllipse(pixelOf(rect, rows, i), 3, 3);
      }
    }
    if (d->hovered)
      painter.drawEllipse(pixelOf(rect, d->data->rows(d->hovered->kind), d->hovered->row), 4.5, 4.5);
  });
}

void AbPlaneView::hovered(const QPointF& position, const QPoint& global) {
  if (d->data == nullptr || plot().axisRectCount() == 0) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  const auto found =
      rect.rect().contains(position.toPoint()) ? nearestRow(*d->data, rect, position) : std::nullopt;
  if (found == d->hovered) return;
  d->hovered = found;
  replotOverlay();
  if (!found) {
    showTip({}, global);
    Q_EMIT rowUnhovered();
    return;
  }
  const PlaneRows& rows = d->data->rows(found->kind);
  const auto example = static_cast<std::size_t>(rows.example[found->row]);
  const QString where = example < d->data->exampleIds.size()
                            ? QString::fromStdString(d->data->exampleIds[example])
                            : tr("example %1").arg(rows.example[found->row]);
  const QColor colour = found->kind == RowKind::Query ? plotStyle().colours.query : plotStyle().colours.key;
  showTip(QStringLiteral("<b style='color:%1'>%2</b> · %3 · %4<br>a %5 &nbsp; b %6")
              .arg(colour.name(), found->kind == RowKind::Query ? tr("Query") : tr("Key"))
              .arg(tr("position %1").arg(numberLabel(rows.position[found->row], 0)), where.toHtmlEscaped())
              .arg(numberLabel(static_cast<double>(rows.x[found->row]), 2))
              .arg(numberLabel(static_cast<double>(rows.y[found->row]), 2)),
          global);
  Q_EMIT rowHovered(found->kind, static_cast<qint64>(found->row));
}

void AbPlaneView::hoverLeft() {
  if (!d->hovered) return;
  d->hovered.reset();
  replotOverlay();
  Q_EMIT rowUnhovered();
}

void AbPlaneView::clicked(const QPointF& position) {
  if (d->data == nullptr || plot().axisRectCount() == 0) return;
  const auto found = nearestRow(*d->data, *plot().axisRect(0), position);
  if (found) Q_EMIT rowActivated(found->kind, static_cast<qint64>(found->row));
}

}  // namespace plastiscope
