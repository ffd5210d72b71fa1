#include "widgets/plots/plot_view.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QCursor>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>
#include <utility>

#include "widgets/plots/plot_elements.h"
#include "widgets/state/sliced_work.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr double kPointRadius = 14;  // pixels from the pointer to a point

}  // namespace

struct PlotView::Private {
  QCustomPlot* plot = nullptr;
  RenderOptions options;
  RenderedPlot rendered;
  QLabel* message = nullptr;
  std::optional<Theme> theme;
  PlotStyle style;
  bool stale = true;
  bool undrawn = false;  // must be redrawn because of new content or a new size
  QPointF pressed;
  bool clickPossible = false;
  bool ownDrag = false;
  QList<QSize> panelSizes;
  std::optional<ViewRange> zoom;
  SlicedWork* slices = nullptr;  // queue in which it is drawn

  void layOutAgain() {
    for (const auto phase :
         {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
      plot->plotLayout()->update(phase);
    }
  }

  // Repeats the layout when ticks change it: ticks are planned from the previous sizes and ranges.
  void settle(PlotView& view) {
    QList<QSize> sizes;
    for (const QCPAxisRect* rect : plot->axisRects()) sizes.append(rect->size());
    if (sizes != panelSizes) layOutAgain();
    panelSizes = sizes;
    if (view.laidOut()) layOutAgain();
  }
};

PlotView::PlotView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>()) {
  d->slices = new SlicedWork(*this, [this] {
    if (d->stale)
      rebuild();
    else if (std::exchange(d->undrawn, false))
      d->plot->replot(QCustomPlot::rpQueuedRefresh);
    return false;
  });
  d->plot = new QCustomPlot(this);
  d->plot->setMouseTracking(true);
  d->plot->setFocusPolicy(Qt::NoFocus);
  d->plot->setContextMenuPolicy(Qt::NoContextMenu);
  d->plot->setAttribute(Qt::WA_NoMousePropagation, false);  // QCustomPlot would stop right clicks
  d->plot->setNoAntialiasingOnDrag(false);
  d->plot->installEventFilter(this);
  d->plot->hide();
  d->message = new QLabel(this);
  d->message->setTextFormat(Qt::PlainText);
  d->message->setAlignment(Qt::AlignCenter);
  d->message->setWordWrap(true);
  d->message->setMargin(16);
  d->message->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* place = new QGridLayout(this);
  place->setContentsMargins(0, 0, 0, 0);
  place->addWidget(d->plot, 0, 0);
  place->addWidget(d->message, 0, 0);
  connect(d->plot, &QCustomPlot::afterLayout, this, [this] { d->settle(*this); });
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* reset = new QAction(tr("Reset view"), this);
  connect(reset, &QAction::triggered, this, &PlotView::resetView);
  addAction(reset);
  d->style = PlotStyle::screen(themeOf(palette()), font());
}

PlotView::~PlotView() = default;

void PlotView::setMessage(const QString& sentence) {
  d->message->setText(sentence);
  d->message->setVisible(!sentence.isEmpty());
  d->plot->setVisible(sentence.isEmpty());
}

QString PlotView::message() const {
  return d->message->text();
}

void PlotView::setTheme(std::optional<Theme> theme) {
  d->theme = theme;
  d->style = PlotStyle::screen(theme.value_or(themeOf(palette())), font());
  rebuild();
}

const PlotStyle& PlotView::plotStyle() const {
  return d->style;
}
QSize PlotView::sizeHint() const {
  return {420, 340};
}
QSize PlotView::minimumSizeHint() const {
  return {160, 80};
}
RenderOptions& PlotView::renderOptions() const {
  return d->options;
}
QCustomPlot& PlotView::plot() const {
  return *d->plot;
}
const std::vector<RenderedBox>& PlotView::boxes() const {
  return d->rendered.boxes;
}
std::shared_ptr<const Plot> PlotView::shownPlot() const {
  return d->rendered.plot;
}
QPointF PlotView::pixelOf(double x, double y) const {
  return BoxMap(*boxes().front().rect, d->style, false, 1).at(x, y);
}

const LegendEntry* PlotView::legendEntryAt(const QPointF& position) const {
  for (const LegendElement* legend : d->rendered.legends) {
    if (const LegendEntry* entry = legend->entryAt(position)) return entry;
  }
  return nullptr;
}

std::optional<PlotItem> PlotView::itemAt(const QPointF& position) const {
  std::optional<PlotItem> best;
  double least = kPointRadius;
  for (const RenderedBox& box : boxes()) {
    const BoxMap map(*box.rect, d->style, false, 1);
    for (const Mark& mark : box.box->marks) {
      const auto found = plastiscope::itemAt(mark, map, position, kPointRadius);
      if (!found || tipOf(*box.box, mark, found->item).empty()) continue;
      // Points take precedence over bars and cells that contain the pointer.
      const double away =
          found->point ? QLineF(found->at, position).length() : std::nextafter(kPointRadius, 0);
      if (away >= least) continue;
      least = away;
      best = PlotItem{box.box, &mark, found->item};
    }
  }
  return best;
}

void PlotView::hovered(const QPointF& position, const QPoint& global) {
  const auto item = itemAt(position);
  showTip(item ? QString::fromStdString(tipOf(*item->box, *item->mark, item->item)) : QString(), global);
}

void PlotView::replotOverlay() {
  if (isVisible() && !d->stale && d->plot->isVisible()) d->plot->layer("overlay")->replot();
}

std::optional<ViewRange> PlotView::shownRange() const {
  if (!wholeRange() || d->plot->axisRectCount() == 0) return {};
  const QCPAxisRect& rect = *d->plot->axisRect(0);
  const QCPRange x = rect.axis(QCPAxis::atBottom)->range(), y = rect.axis(QCPAxis::atLeft)->range();
  return ViewRange{x.lower, x.upper, y.lower, y.upper};
}

void PlotView::showRange(const ViewRange& range) {
  if (d->plot->axisRectCount() == 0) return;
  QCPAxisRect& rect = *d->plot->axisRect(0);
  // Labels may be on any side.
  for (const auto side : {QCPAxis::atBottom, QCPAxis::atTop})
    rect.axis(side)->setRange(range.xLow, range.xHigh);
  for (const auto side : {QCPAxis::atLeft, QCPAxis::atRight})
    rect.axis(side)->setRange(range.yLow, range.yHigh);
  d->plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::setZoom(const std::optional<ViewRange>& range) {
  d->zoom = range;
  if (const auto whole = wholeRange()) showRange(range.value_or(*whole));
}

void PlotView::resetView() {
  const auto whole = wholeRange();
  if (!whole) return rebuild();
  showRange(*whole);
  if (std::exchange(d->zoom, std::nullopt)) Q_EMIT zoomed({});
}

void PlotView::tellZoom() {
  auto shown = shownRange();
  if (!shown) return;
  if (shown == wholeRange()) shown.reset();
  if (std::exchange(d->zoom, shown) != shown) Q_EMIT zoomed(shown);
}

void PlotView::rebuild() {
  d->stale = true;
  if (!isVisible()) return;
  d->stale = false;
  d->panelSizes.clear();  // new panels
  d->rendered = {};
  if (std::optional<Plot> made = makePlot()) {
    d->rendered = renderPlot(*d->plot, std::make_shared<const Plot>(std::move(*made)), d->style, d->options);
    if (!boxes().empty())
      new CustomLayer(*boxes().front().rect, "overlay", overlayIsClipped(),
                      [this](QCPPainter& painter) { paintOverlay(painter); });
  } else {
    clearPlot(*d->plot, d->style);
  }
  if (wholeRange() && d->plot->axisRectCount() > 0) {
    d->plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    for (int i = 0; i < d->plot->axisRectCount(); ++i) {
      const Qt::Orientations ways = i == 0 ? Qt::Horizontal | Qt::Vertical : Qt::Orientations();
      d->plot->axisRect(i)->setRangeDrag(ways);
      d->plot->axisRect(i)->setRangeZoom(ways);
    }
    if (d->zoom) showRange(*d->zoom);
  }
  d->undrawn = true;
  d->slices->startLater();
}

void PlotView::showTip(const QString& richText, const QPoint& global) {
  if (richText.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(global + QPoint(12, 8), richText, this);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = menuOfActions(*this);
  Q_EMIT menuOpens(menu);
  if (event->reason() == QContextMenuEvent::Mouse) menuAsked(d->plot->mapFrom(this, event->pos()));
  menu->popup(event->globalPos());
}

bool PlotView::eventFilter(QObject* object, QEvent* event) {
  if (object != d->plot) return QWidget::eventFilter(object, event);
  constexpr double kDragDistance = 4;  // pixels: less is a click
  switch (event->type()) {
    case QEvent::Resize:  // QCustomPlot would redraw at once, which is slow for many views
      d->plot->setViewport(d->plot->rect());
      d->undrawn = true;
      d->slices->start();
      return true;
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if ((mouse->position() - d->pressed).manhattanLength() > kDragDistance) d->clickPossible = false;
      if (d->ownDrag) {
        dragMoves(mouse->position());
        return true;
      }
      if (mouse->buttons() == Qt::NoButton) hovered(mouse->position(), mouse->globalPosition().toPoint());
      break;
    }
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      d->pressed = mouse->position();
      d->clickPossible = mouse->button() == Qt::LeftButton;
      setFocus(Qt::MouseFocusReason);
      d->plot->setInteraction(QCP::iRangeDrag,
                              wholeRange() && (mouse->modifiers() & zoomKeys()) == zoomKeys());
      d->ownDrag = d->clickPossible && dragBegins(mouse->position(), mouse->modifiers());
      if (d->ownDrag) return true;
      break;
    }
    case QEvent::Wheel:
      // No zoom here or its keys are not held: a parent may scroll.
      if (!wholeRange() || (static_cast<QWheelEvent*>(event)->modifiers() & zoomKeys()) != zoomKeys()) {
        event->ignore();
        return true;
      }
      QTimer::singleShot(0, this, &PlotView::tellZoom);  // after the plot has handled it
      break;
    case QEvent::MouseButtonRelease:
      QTimer::singleShot(0, this, &PlotView::tellZoom);
      if (std::exchange(d->ownDrag, false)) {
        dragEnds();
        if (std::exchange(d->clickPossible, false)) clicked(d->pressed);
        return true;
      }
      if (d->clickPossible) clicked(d->pressed);
      d->clickPossible = false;
      break;
    case QEvent::MouseButtonDblClick:
      d->clickPossible = false;
      if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) resetView();
      return true;
    case QEvent::Leave:
      hovered({-1, -1}, QCursor::pos());
      break;
    default:
      break;
  }
  return QWidget::eventFilter(object, event);
}

void PlotView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    d->style = PlotStyle::screen(d->theme.value_or(themeOf(palette())), font());
    rebuild();
  }
}

void PlotView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (d->stale || d->undrawn) d->slices->start();
}

}  // namespace plastiscope

#include "moc_plot_view.cpp"
