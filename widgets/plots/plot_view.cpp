#include "widgets/plots/plot_view.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QCursor>
#include <QEvent>
#include <QGridLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>
#include <utility>

#include "widgets/plots/plot_elements.h"
#include "widgets/state/empty_state.h"
#include "widgets/state/sliced_work.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr double kPointRadius = 14;  // pixels from the pointer to a point

}  // namespace

void PlotView::layOutAgain() {
  for (const auto phase :
       {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
    m_canvas->plotLayout()->update(phase);
  }
}

// Repeats the layout when ticks change it: ticks are planned from the previous sizes and ranges.
void PlotView::settle() {
  QList<QSize> sizes;
  for (const QCPAxisRect* rect : m_canvas->axisRects()) sizes.append(rect->size());
  if (sizes != m_panelSizes) layOutAgain();
  m_panelSizes = sizes;
  if (laidOut()) layOutAgain();
}

PlotView::PlotView(QWidget* parent)
    : QWidget(parent), m_canvas(new QCustomPlot(this)), m_message(new EmptyState(this)) {
  m_slices = new SlicedWork(*this, [this] {
    if (m_stale)
      rebuild();
    else if (std::exchange(m_undrawn, false))
      m_canvas->replot(QCustomPlot::rpQueuedRefresh);
    return false;
  });
  m_canvas->setMinimumSize(1, 1);  // a picture without pixels cannot be painted
  m_canvas->setMouseTracking(true);
  m_canvas->setFocusPolicy(Qt::NoFocus);
  m_canvas->setContextMenuPolicy(Qt::NoContextMenu);
  m_canvas->setAttribute(Qt::WA_NoMousePropagation, false);  // QCustomPlot would stop right clicks
  m_canvas->setNoAntialiasingOnDrag(false);
  m_canvas->installEventFilter(this);
  m_canvas->hide();
  auto* place = new QGridLayout(this);
  place->setContentsMargins(0, 0, 0, 0);
  place->addWidget(m_canvas, 0, 0);
  place->addWidget(m_message, 0, 0);
  connect(m_canvas, &QCustomPlot::afterLayout, this, &PlotView::settle);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* reset = new QAction(tr("Reset view"), this);
  connect(reset, &QAction::triggered, this, &PlotView::resetView);
  addAction(reset);
  m_style = PlotStyle::screen(themeOf(palette()), font());
}

void PlotView::setMessage(const QString& sentence) {
  m_message->setText(sentence);
  m_message->setVisible(!sentence.isEmpty());
  m_canvas->setVisible(sentence.isEmpty());
}

QString PlotView::message() const {
  return m_message->text();
}

void PlotView::setTheme(std::optional<Theme> theme) {
  m_theme = theme;
  m_style = PlotStyle::screen(theme.value_or(themeOf(palette())), font());
  rebuild();
}

QPointF PlotView::pixelOf(double x, double y) const {
  return BoxMap(*boxes().front().rect, m_style, false, 1).at(x, y);
}

const LegendEntry* PlotView::legendEntryAt(const QPointF& position) const {
  for (const LegendElement* legend : m_rendered.legends) {
    if (const LegendEntry* entry = legend->entryAt(position)) return entry;
  }
  return nullptr;
}

std::optional<PlotItem> PlotView::itemAt(const QPointF& position) const {
  std::optional<PlotItem> best;
  double least = kPointRadius;
  for (const RenderedBox& box : boxes()) {
    const BoxMap map(*box.rect, m_style, false, 1);
    for (const Mark& mark : box.box->marks) {
      const auto found = plastiscope::itemAt(mark, map, position, kPointRadius);
      if (!found || tipOf(*box.box, mark, found->item).empty()) continue;
      // Points take precedence over lines through them, and both over bars and cells that contain the
      // pointer.
      const double distance = QLineF(found->at, position).length();
      const bool line = std::holds_alternative<SegmentMarks>(mark.kind);
      const double away = !found->point ? std::nextafter(kPointRadius, 0)
                          : line        ? (kPointRadius + distance) / 2
                                        : distance;
      if (away >= least) continue;
      least = away;
      best = PlotItem{box.box, &mark, found->item};
    }
  }
  return best;
}

// The hovered line, on a casing.
void PlotView::paintLine(QCPPainter& painter, const RenderedBox& box) const {
  const auto own = [this](const Mark& mark) { return &mark == m_line; };
  if (m_line == nullptr || std::ranges::none_of(box.box->marks, own)) return;
  Mark broad = *m_line;
  auto& line = std::get<LineMark>(broad.kind);
  line.stroke.width *= 2.2;
  line.stroke.cased = true;
  paintShapes(painter, shapesOf(broad, BoxMap(*box.rect, m_style, false, devicePixelRatioF())));
}

void PlotView::hovered(const QPointF& position, const QPoint& global) {
  const auto item = itemAt(position);
  const bool ofSeries =
      item && !item->mark->series.empty() && std::holds_alternative<LineMark>(item->mark->kind);
  const Mark* line = ofSeries ? item->mark : nullptr;
  if (std::exchange(m_line, line) != line) replotOverlay();
  showTip(item ? QString::fromStdString(tipOf(*item->box, *item->mark, item->item)) : QString(), global);
}

void PlotView::replotOverlay() {
  if (isVisible() && !m_stale && m_canvas->isVisible()) m_canvas->layer("overlay")->replot();
}

std::optional<ViewRange> PlotView::shownRange() const {
  if (!wholeRange() || m_canvas->axisRectCount() == 0) return {};
  const QCPAxisRect& rect = *m_canvas->axisRect(0);
  const QCPRange x = rect.axis(QCPAxis::atBottom)->range(), y = rect.axis(QCPAxis::atLeft)->range();
  return ViewRange{x.lower, x.upper, y.lower, y.upper};
}

void PlotView::showRange(const ViewRange& range) {
  if (m_canvas->axisRectCount() == 0) return;
  QCPAxisRect& rect = *m_canvas->axisRect(0);
  // Labels may be on any side.
  for (const auto side : {QCPAxis::atBottom, QCPAxis::atTop})
    rect.axis(side)->setRange(range.xLow, range.xHigh);
  for (const auto side : {QCPAxis::atLeft, QCPAxis::atRight})
    rect.axis(side)->setRange(range.yLow, range.yHigh);
  m_canvas->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::setZoom(const std::optional<ViewRange>& range) {
  m_zoom = range;
  if (const auto whole = wholeRange()) showRange(range.value_or(*whole));
}

void PlotView::resetView() {
  const auto whole = wholeRange();
  if (!whole) return rebuild();
  showRange(*whole);
  if (std::exchange(m_zoom, std::nullopt)) Q_EMIT zoomed({});
}

void PlotView::tellZoom() {
  auto shown = shownRange();
  if (!shown) return;
  if (shown == wholeRange()) shown.reset();
  if (std::exchange(m_zoom, shown) != shown) Q_EMIT zoomed(shown);
}

void PlotView::rebuild() {
  m_stale = true;
  if (!isVisible()) return;
  m_stale = false;
  m_panelSizes.clear();  // new panels
  m_line = nullptr;
  m_rendered = {};
  if (std::optional<Plot> made = makePlot()) {
    m_rendered = renderPlot(*m_canvas, std::make_shared<const Plot>(std::move(*made)), m_style, m_options);
    if (!boxes().empty())
      new CustomLayer(*boxes().front().rect, "overlay", overlayIsClipped(),
                      [this](QCPPainter& painter) { paintOverlay(painter); });
    for (const RenderedBox& box : boxes()) {
      const bool ofSeries =
          std::ranges::any_of(box.box->marks, [](const Mark& mark) { return !mark.series.empty(); });
      if (ofSeries)
        new CustomLayer(*box.rect, "overlay", true,
                        [this, box](QCPPainter& painter) { paintLine(painter, box); });
    }
  } else {
    clearPlot(*m_canvas, m_style);
  }
  if (wholeRange() && m_canvas->axisRectCount() > 0) {
    m_canvas->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    for (int i = 0; i < m_canvas->axisRectCount(); ++i) {
      const Qt::Orientations ways = i == 0 ? Qt::Horizontal | Qt::Vertical : Qt::Orientations();
      m_canvas->axisRect(i)->setRangeDrag(ways);
      m_canvas->axisRect(i)->setRangeZoom(ways);
    }
    if (m_zoom) showRange(*m_zoom);
  }
  m_undrawn = true;
  m_slices->startLater();
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
  if (event->reason() == QContextMenuEvent::Mouse) menuAsked(m_canvas->mapFrom(this, event->pos()));
  menu->popup(event->globalPos());
}

bool PlotView::eventFilter(QObject* object, QEvent* event) {
  if (object != m_canvas) return QWidget::eventFilter(object, event);
  constexpr double kDragDistance = 4;  // pixels: less is a click
  switch (event->type()) {
    case QEvent::Resize:  // QCustomPlot would redraw at once, which is slow for many views
      m_canvas->setViewport(m_canvas->rect());
      m_undrawn = true;
      m_slices->start();
      return true;
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if ((mouse->position() - m_pressed).manhattanLength() > kDragDistance) m_clickPossible = false;
      if (m_ownDrag) {
        dragMoves(mouse->position());
        return true;
      }
      if (mouse->buttons() == Qt::NoButton) hovered(mouse->position(), mouse->globalPosition().toPoint());
      break;
    }
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      m_pressed = mouse->position();
      m_clickPossible = mouse->button() == Qt::LeftButton;
      setFocus(Qt::MouseFocusReason);
      m_canvas->setInteraction(QCP::iRangeDrag,
                               wholeRange() && (mouse->modifiers() & zoomKeys()) == zoomKeys());
      m_ownDrag = m_clickPossible && dragBegins(mouse->position(), mouse->modifiers());
      if (m_ownDrag) return true;
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
      if (std::exchange(m_ownDrag, false)) {
        dragEnds();
        if (std::exchange(m_clickPossible, false)) clicked(m_pressed);
        return true;
      }
      if (m_clickPossible) clicked(m_pressed);
      m_clickPossible = false;
      break;
    case QEvent::MouseButtonDblClick:
      m_clickPossible = false;
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
    m_style = PlotStyle::screen(m_theme.value_or(themeOf(palette())), font());
    rebuild();
  }
}

void PlotView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_stale || m_undrawn) m_slices->start();
}

std::optional<QRectF> DrawnRectangle::end() {
  constexpr double kClick = 4;  // pixels
  const auto from = std::exchange(m_from, std::nullopt);
  if (!from || (m_to - *from).manhattanLength() <= kClick) return {};
  return QRectF(*from, m_to).normalized();
}

void DrawnRectangle::paint(QPainter& painter, const PlotStyle& style) const {
  if (!m_from) return;
  QColor inside = style.colours.selection;
  inside.setAlphaF(0.2F);
  painter.setBrush(inside);
  painter.setPen(pen(style.colours.selection, 1.2, Qt::DashLine));
  painter.drawRect(QRectF(*m_from, m_to).normalized());
}

std::vector<HeadName> toggled(const std::vector<HeadName>& several, HeadName head,
                              const std::vector<HeadName>& heads) {
  std::vector<HeadName> left = several.empty() ? std::vector{head} : several;
  for (const HeadName& each : heads) {
    if (std::erase(left, each) == 0) left.push_back(each);
  }
  return left;
}

}  // namespace plastiscope

#include "moc_plot_view.cpp"
