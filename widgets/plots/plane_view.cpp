#include "widgets/plots/plane_view.h"

#include <QImage>
#include <QKeyEvent>
#include <QPainter>

#include "core/figures/figures.h"
#include "widgets/plots/scatter_layer.h"

namespace plastiscope {

namespace {
constexpr double kPickRadius = 9;  // pixels from the pointer to a row
constexpr double kFine = 2;        // subpixels per pixel, for rows inside a line
}  // namespace

QPointF rowPixel(const QCPAxisRect& rect, const PlaneRows& rows, std::size_t row) {
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(rows.x[row])),
          rect.axis(QCPAxis::atLeft)->coordToPixel(static_cast<double>(rows.y[row]))};
}

std::optional<RowRef> nearestRow(const PlaneData& data, const QCPAxisRect& rect, const QPointF& pixel) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  const double px = x.pixelToCoord(pixel.x()), py = y.pixelToCoord(pixel.y());
  const double perX = x.coordToPixel(1) - x.coordToPixel(0), perY = y.coordToPixel(1) - y.coordToPixel(0);
  std::optional<RowRef> best;
  double least = kPickRadius * kPickRadius;
  for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
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

std::vector<std::int64_t> rowsInside(const PlaneRows& rows, const QCPAxisRect& rect, const QPolygonF& line) {
  // The line is filled in an image once; each row looks up its pixel.
  const QRectF box(rect.rect());
  if (box.isEmpty()) return {};
  QImage inside((box.size() * kFine).toSize(), QImage::Format_Grayscale8);
  inside.fill(0);
  QPainter painter(&inside);
  painter.scale(kFine, kFine);
  painter.translate(-box.topLeft());
  painter.setPen(Qt::NoPen);
  painter.setBrush(Qt::white);
  painter.drawPolygon(line, Qt::OddEvenFill);
  painter.end();
  const PixelMap map = pixelMapOf(rect, box, kFine);
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = map.x(static_cast<double>(rows.x[i])), y = map.y(static_cast<double>(rows.y[i]));
    if (!(x >= 0 && y >= 0 && x < inside.width() && y < inside.height())) continue;  // NaN too
    if (inside.constScanLine(static_cast<int>(y))[static_cast<int>(x)] > 127)
      found.push_back(static_cast<std::int64_t>(i));
  }
  return found;
}

namespace {

constexpr double kChosenRadius = 3, kPointedRadius = 5;
constexpr std::size_t kRingedAtMost = 4000;

using Rows = std::vector<std::int64_t>;

// Draws many selected rows as orange discs in one image, too many for single rings.
void drawMany(QPainter& painter, const QCPAxisRect& rect, const PlaneRows& rows, const Rows& chosen,
              const PlotStyle& style) {
  std::vector<float> x, y;
  for (const std::int64_t row : chosen) {
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size()) continue;
    x.push_back(rows.x[static_cast<std::size_t>(row)]);
    y.push_back(rows.y[static_cast<std::size_t>(row)]);
  }
  const std::vector<std::int32_t> anywhere(x.size(), 0);
  const double dots = painter.device()->devicePixelRatioF();
  const QRectF box(rect.rect());
  QImage image((box.size() * dots).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  drawPoints(image, {x, y, anywhere, {style.colours.selection.rgb()}, 1}, pixelMapOf(rect, box, dots), dots);
  painter.drawImage(box, image);
}

Rows joined(const Rows& a, const Rows& b) {
  Rows all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

struct AbPlaneView::Private {
  std::shared_ptr<const PlaneData> data;
  std::shared_ptr<const RowColouring> colouring;
  ScatterLayer cloud;
  PlaneDisplay display = PlaneDisplay::Auto;
  PlaneTool tool = PlaneTool::Pan, drawing = PlaneTool::Pan;  // drawing: tool of the current drag
  bool adding = false;
  QPolygonF line;  // pixels, of the current drag
  std::optional<RowRef> hovered;
  QPoint hoverPlace;
  QString words;
  std::int64_t from = 0, to = 0;
  std::optional<ViewRange> locked;
  Rows queries, keys;  // selected
  Rows pointedQueries, pointedKeys;

  bool density() const {
    if (display != PlaneDisplay::Auto) return display == PlaneDisplay::Density;
    return data->query.size() + data->key.size() > static_cast<std::size_t>(kDensityAbove);
  }
};

AbPlaneView::AbPlaneView(QWidget* parent) : PlotView(parent), d(std::make_unique<Private>()) {
  setAccessibleName(tr("Plane of queries and keys"));
  setMessage(tr("No head chosen"));
  renderOptions().cloud = [this](QCPPainter& painter, const QCPAxisRect& rect) {
    d->cloud.paint(painter, rect);
  };
  connect(&d->cloud, &ScatterLayer::drawn, this, [this] {
    if (!isEmpty() && isVisible()) plot().layer("main")->replot();
  });
}

AbPlaneView::~AbPlaneView() = default;

bool AbPlaneView::isEmpty() const {
  return d->data == nullptr || plot().axisRectCount() == 0;
}

bool AbPlaneView::drawing() const {
  return d->cloud.drawing();
}

void AbPlaneView::setData(std::shared_ptr<const PlaneData> content,
                          std::shared_ptr<const RowColouring> colouring) {
  d->data = std::move(content);
  d->colouring = std::move(colouring);
  d->hovered.reset();
  d->pointedQueries.clear();
  d->pointedKeys.clear();
  setMessage(d->data == nullptr ? tr("No head chosen") : QString::fromStdString(d->data->missing));
  rebuild();
}

void AbPlaneView::setDisplay(PlaneDisplay display) {
  d->display = display;
  rebuild();
}

void AbPlaneView::setTool(PlaneTool tool) {
  d->tool = tool;
  setCursor(tool == PlaneTool::Pan ? Qt::ArrowCursor : Qt::CrossCursor);
}

PlaneTool AbPlaneView::tool() const {
  return d->tool;
}

void AbPlaneView::setQueryHighlight(std::int64_t from, std::int64_t to) {
  d->from = from;
  d->to = to;
  replotOverlay();
}

void AbPlaneView::setSelectedRows(Rows queries, Rows keys) {
  d->queries = std::move(queries);
  d->keys = std::move(keys);
  replotOverlay();
}

void AbPlaneView::pointAt(const std::vector<qint64>& queries, const std::vector<qint64>& keys) {
  d->pointedQueries.assign(queries.begin(), queries.end());
  d->pointedKeys.assign(keys.begin(), keys.end());
  replotOverlay();
}

void AbPlaneView::setLockedRange(std::optional<ViewRange> range) {
  if (range == d->locked) return;
  d->locked = range;
  if (range) resetView();
}

std::optional<ViewRange> AbPlaneView::wholeRange() const {
  if (d->data == nullptr || !d->data->missing.empty()) return {};
  const PlaneRange& range = d->data->range;
  return d->locked.value_or(ViewRange{range.xLow, range.xHigh, range.yLow, range.yHigh});
}

std::optional<Plot> AbPlaneView::makePlot() const {
  if (d->data == nullptr || !d->data->missing.empty()) return std::nullopt;
  d->cloud.use({d->data, d->colouring}, plotStyle(), d->density());
  Plot plot = planePlot(d->data, d->colouring);
  if (d->locked) {  // overrides the head's own range
    Box& box = plot.boxes.front();
    std::tie(box.x.low, box.x.high) = std::pair(d->locked->xLow, d->locked->xHigh);
    std::tie(box.y.low, box.y.high) = std::pair(d->locked->yLow, d->locked->yHigh);
  }
  return plot;
}

void AbPlaneView::paintOverlay(QPainter& painter) const {
  const PlotStyle& style = plotStyle();
  const QCPAxisRect& rect = *plot().axisRect(0);
  painter.setPen(pen(style.theme == Theme::Light ? QColor("#3a2600") : QColor("#101214"), 0.8));
  painter.setBrush(style.colours.selection);
  const auto ring = [&](const PlaneRows& rows, const Rows& chosen, double radius) {
    if (chosen.size() > kRingedAtMost) return drawMany(painter, rect, rows, chosen, style);
    for (const std::int64_t row : chosen) {
      if (row >= 0 && static_cast<std::size_t>(row) < rows.size())
        painter.drawEllipse(rowPixel(rect, rows, static_cast<std::size_t>(row)), radius, radius);
    }
  };
  ring(d->data->key, d->keys, kChosenRadius);
  ring(d->data->query, d->queries, kChosenRadius);
  if (d->from < d->to) {
    const PlaneRows& rows = d->data->query;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows.position[i] >= d->from && rows.position[i] < d->to)
        painter.drawEllipse(rowPixel(rect, rows, i), kChosenRadius, kChosenRadius);
    }
  }
  const bool chosen = !d->queries.empty() || !d->keys.empty() || d->from < d->to;
  if (chosen) paintDrift(painter);
  ring(d->data->key, d->pointedKeys, kPointedRadius);
  ring(d->data->query, d->pointedQueries, kPointedRadius);
  if (d->hovered)
    painter.drawEllipse(rowPixel(rect, d->data->rows(d->hovered->kind), d->hovered->row), 4.5, 4.5);
  if (d->drawing != PlaneTool::Pan) {
    QColor inside = style.colours.selection;
    inside.setAlphaF(0.12F);
    painter.setPen(pen(style.colours.selection, 1.2, Qt::DashLine));
    painter.setBrush(inside);
    painter.drawPolygon(d->line);
  }
}

// Draws centre and arrow again, above the selected rows.
void AbPlaneView::paintDrift(QPainter& painter) const {
  const RenderedBox& box = boxes().front();
  const BoxMap map(*box.rect, plotStyle(), false, painter.device()->devicePixelRatioF());
  painter.save();
  for (const Mark& mark : box.box->marks) {
    if (std::holds_alternative<ArrowMark>(mark.kind)) paintShapes(painter, shapesOf(mark, map));
  }
  painter.restore();
}

void AbPlaneView::hovered(const QPointF& position, const QPoint& global) {
  if (isEmpty()) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  const auto found =
      rect.rect().contains(position.toPoint()) ? nearestRow(*d->data, rect, position) : std::nullopt;
  if (found == d->hovered) return;
  d->hovered = found;
  d->hoverPlace = global;
  d->words.clear();
  replotOverlay();
  if (!found) {
    showTip({}, global);
    Q_EMIT rowUnhovered();
    return;
  }
  tellRow();
  Q_EMIT rowHovered(found->kind, static_cast<qint64>(found->row));
}

void AbPlaneView::setTokenContext(const QString& richText) {
  if (!d->hovered) return;
  const QString words = richText + QStringLiteral("<br>");
  if (words == d->words) return;
  d->words = words;
  tellRow();
}

void AbPlaneView::tellRow() {
  const PlaneRows& rows = d->data->rows(d->hovered->kind);
  const std::size_t row = d->hovered->row;
  const auto example = static_cast<std::size_t>(rows.example[row]);
  const QString where = example < d->data->exampleIds.size()
                            ? QString::fromStdString(d->data->exampleIds[example])
                            : tr("example %1").arg(rows.example[row]);
  const bool query = d->hovered->kind == QueryOrKey::Query;
  const QColor colour = query ? plotStyle().colours.query : plotStyle().colours.key;
  showTip(QStringLiteral(
              "<div style='white-space:pre'><b style='color:%1'>%2</b> · %3 · %4<br>%5a %6 &nbsp; b %7</div>")
              .arg(colour.name(), query ? tr("Query") : tr("Key"))
              .arg(tr("position %1").arg(QString::fromStdString(numberLabel(rows.position[row], 0))),
                   where.toHtmlEscaped(), d->words)
              .arg(QString::fromStdString(numberLabel(static_cast<double>(rows.x[row]), 2)))
              .arg(QString::fromStdString(numberLabel(static_cast<double>(rows.y[row]), 2))),
          d->hoverPlace);
}

void AbPlaneView::clicked(const QPointF& position) {
  if (isEmpty()) return;
  const auto found = nearestRow(*d->data, *plot().axisRect(0), position);
  if (found) Q_EMIT rowActivated(found->kind, static_cast<qint64>(found->row));
}

bool AbPlaneView::dragBegins(const QPointF& position, Qt::KeyboardModifiers keys) {
  if (isEmpty() || !plot().axisRect(0)->rect().contains(position.toPoint())) return false;
  d->drawing = keys.testFlag(Qt::ShiftModifier) ? PlaneTool::Lasso : d->tool;
  d->adding = keys.testFlag(Qt::ControlModifier);
  d->line = {position};
  return d->drawing != PlaneTool::Pan;
}

void AbPlaneView::dragMoves(const QPointF& position) {
  if (d->drawing == PlaneTool::Box)
    d->line = QPolygonF(QRectF(d->line.front(), position));
  else
    d->line.append(position);
  replotOverlay();
}

void AbPlaneView::dragEnds() {
  const QPolygonF line = std::exchange(d->line, {});
  d->drawing = PlaneTool::Pan;
  replotOverlay();
  if (isEmpty() || line.size() < 3) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  Rows queries = rowsInside(d->data->query, rect, line), keys = rowsInside(d->data->key, rect, line);
  if (d->adding) {
    queries = joined(queries, d->queries);
    keys = joined(keys, d->keys);
  }
  Q_EMIT rowsSelected({queries.begin(), queries.end()}, {keys.begin(), keys.end()});
}

void AbPlaneView::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return PlotView::keyPressEvent(event);
  Q_EMIT rowsSelected({}, {});
}

}  // namespace plastiscope

#include "moc_plane_view.cpp"
