#include "widgets/export/page_canvas.h"

#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr double kPaper = 28;              // pixels around the page
constexpr double kReach = 7, kHandle = 6;  // pixels: snapping; grips on edges
constexpr double kNudge = 0.01;            // of the width, with an arrow key
constexpr double kEmptyHeight = 0.62;      // of a page without panels, and the least that is shown
constexpr QColor kSelection(61, 174, 233), kGuide(217, 138, 0);

Qt::CursorShape cursorOf(const MovedEdges& edges) {
  if (edges.left == edges.right && edges.top == edges.bottom) return Qt::SizeAllCursor;
  if (edges.left == edges.right) return Qt::SizeVerCursor;
  if (edges.top == edges.bottom) return Qt::SizeHorCursor;
  return edges.left == edges.top ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor;
}

const PageFigureMime* figureIn(const QDropEvent& event) {
  return qobject_cast<const PageFigureMime*>(event.mimeData());
}

}  // namespace

PageCanvas::PageCanvas(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("pageCanvas"));
  setAccessibleName(tr("Figure page"));
  setAcceptDrops(true);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

void PageCanvas::show(const PagePlan& plan, double dpi) {
  m_plan = plan;
  m_dpi = dpi;
  m_moving.reset();
  if (m_selected && *m_selected >= plan.panels()) select({});
  setMinimumSize(sizeHint());
  updateGeometry();
  update();
}

void PageCanvas::setPicture(const QImage& picture) {
  m_picture = picture;
  update();
}

void PageCanvas::select(std::optional<std::size_t> panel) {
  if (m_selected == panel) return;
  m_selected = panel;
  update();
  Q_EMIT selectionChanged();
}

double PageCanvas::pageWidth() const {
  return resolveSize(m_plan.spec).widthInches * m_dpi;
}

QSize PageCanvas::sizeHint() const {
  // Room to drop a panel below the others.
  const double height = std::max(kEmptyHeight, m_plan.height() + 0.15) * pageWidth();
  return QSizeF(pageWidth() + 2 * kPaper, height + 2 * kPaper).toSize();
}

QRectF PageCanvas::rectOf(const PanelPlace& place) const {
  const double whole = pageWidth(), left = std::max(kPaper, (width() - whole) / 2);
  return {left + place.x * whole, kPaper + place.y * whole, place.width * whole, place.height * whole};
}

QPointF PageCanvas::ofPage(QPointF pixels) const {
  const QRectF page = rectOf({0, 0, 1, 1});
  return (pixels - page.topLeft()) / page.width();
}

PageCanvas::Grip PageCanvas::gripAt(QPointF at) const {
  const std::vector<PanelPlace> places = m_plan.places();
  for (std::size_t i = places.size(); i-- > 0;) {
    const QRectF rect = rectOf(places[i]);
    if (!rect.adjusted(-kHandle / 2, -kHandle / 2, kHandle / 2, kHandle / 2).contains(at)) continue;
    MovedEdges edges{std::fabs(at.x() - rect.left()) < kHandle, std::fabs(at.y() - rect.top()) < kHandle,
                     std::fabs(at.x() - rect.right()) < kHandle, std::fabs(at.y() - rect.bottom()) < kHandle};
    if (!edges.left && !edges.top && !edges.right && !edges.bottom) edges = {};  // inside: moves the panel
    return {i, edges};
  }
  return {};
}

void PageCanvas::follow(PanelPlace wanted, const MovedEdges& edges, std::optional<std::size_t> moved) {
  std::vector<PanelPlace> others = m_plan.places();
  if (moved) others.erase(others.begin() + static_cast<std::ptrdiff_t>(*moved));
  m_moving = snapped(wanted, edges, others, pageColumns(m_plan.spec), kReach / pageWidth());
  update();
}

void PageCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_grip = gripAt(event->position());
  m_pressed = ofPage(event->position());
  select(m_grip.panel);
}

void PageCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton) || !m_grip.panel) {
    const Grip grip = gripAt(event->position());
    return setCursor(grip.panel ? cursorOf(grip.edges) : Qt::ArrowCursor);
  }
  const QPointF by = ofPage(event->position()) - m_pressed;
  if (!m_moving && by.manhattanLength() * pageWidth() < 3) return;  // a click
  PanelPlace wanted = m_plan.places().at(*m_grip.panel);
  const MovedEdges& edges = m_grip.edges;
  if (edges.left) wanted.x += by.x();
  if (edges.top) wanted.y += by.y();
  if (edges.left != edges.right) wanted.width += edges.left ? -by.x() : by.x();
  if (edges.top != edges.bottom) wanted.height += edges.top ? -by.y() : by.y();
  follow(wanted, edges, m_grip.panel);
}

void PageCanvas::mouseReleaseEvent(QMouseEvent*) {
  const auto moved = std::exchange(m_moving, {});
  const Grip grip = std::exchange(m_grip, {});
  if (moved && grip.panel) Q_EMIT placed(*grip.panel, moved->place);
  update();
}

// Arrows move the selected panel, with Shift they size it.
void PageCanvas::keyPressEvent(QKeyEvent* event) {
  if (!m_selected) return QWidget::keyPressEvent(event);
  if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) return Q_EMIT removeRequested();
  const int across = (event->key() == Qt::Key_Right) - (event->key() == Qt::Key_Left),
            down = (event->key() == Qt::Key_Down) - (event->key() == Qt::Key_Up);
  if (across == 0 && down == 0) return QWidget::keyPressEvent(event);
  PanelPlace place = m_plan.places().at(*m_selected);
  const bool sizes = event->modifiers() & Qt::ShiftModifier;
  (sizes ? place.width : place.x) += kNudge * across;
  (sizes ? place.height : place.y) += kNudge * down;
  const MovedEdges edges = sizes ? MovedEdges{false, false, true, true} : MovedEdges();
  Q_EMIT placed(*m_selected, snapped(place, edges, {}, {}, 0).place);
}

void PageCanvas::dragEnterEvent(QDragEnterEvent* event) {
  if (figureIn(*event)) event->acceptProposedAction();
}

void PageCanvas::dragMoveEvent(QDragMoveEvent* event) {
  const PageFigureMime* dragged = figureIn(*event);
  if (dragged == nullptr) return;
  PanelPlace wanted = usualPlace(dragged->figure().spec);
  const QPointF middle = ofPage(event->position());
  wanted.x = middle.x() - wanted.width / 2;
  wanted.y = middle.y() - wanted.height / 2;
  follow(wanted, {}, {});
  event->acceptProposedAction();
}

void PageCanvas::dragLeaveEvent(QDragLeaveEvent*) {
  m_moving.reset();
  update();
}

void PageCanvas::dropEvent(QDropEvent* event) {
  const PageFigureMime* dragged = figureIn(*event);
  const auto place = std::exchange(m_moving, {});
  if (dragged == nullptr || !place) return;
  event->acceptProposedAction();
  Q_EMIT dropped(dragged->figure(), place->place);
}

// Columns of the page, and lines that the moving panel snapped to.
void PageCanvas::drawGuides(QPainter& painter) const {
  const double whole = pageWidth();
  const QRectF page = rectOf({0, 0, 1, std::max(kEmptyHeight, m_plan.height())});
  if (!m_moving) return;
  painter.setPen(QPen(kGuide, 1, Qt::DashLine));
  for (const double x : m_moving->across)
    painter.drawLine(QPointF(page.left() + x * whole, 0), QPointF(page.left() + x * whole, height()));
  for (const double y : m_moving->down)
    painter.drawLine(QPointF(0, page.top() + y * whole), QPointF(width(), page.top() + y * whole));
}

void PageCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.fillRect(rect(), palette().color(QPalette::Window));
  const bool dark = m_plan.spec.theme == Theme::Dark;
  const QColor paper = dark ? QColor("#1b1e20") : Qt::white,
               faint = dark ? QColor("#4a5055") : QColor("#c9cdd0");
  const QRectF page = rectOf({0, 0, 1, std::max(kEmptyHeight, m_plan.height())});
  painter.fillRect(page.adjusted(-kPaper / 2, -kPaper / 2, kPaper / 2, kPaper / 2), paper);
  const std::vector<PanelPlace> places = m_plan.places();
  if (!m_picture.isNull() && !places.empty())
    painter.drawImage(rectOf({0, 0, 1, m_picture.height() / double(m_picture.width())}), m_picture);
  painter.setPen(QPen(faint, 1, Qt::DotLine));
  painter.drawRect(page);
  for (const PanelPlace& place : places) painter.drawRect(rectOf(place));
  if (places.empty()) {
    painter.setPen(dark ? QColor("#aab0b4") : QColor("#5f666b"));
    painter.drawText(
        page.adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap,
        tr("Drag figures here: from the list, or by the export button in the title bar of a view."));
  }
  if (m_moving) {
    const QRectF target = rectOf(m_moving->place);
    QColor fill = kSelection;
    fill.setAlpha(60);
    painter.fillRect(target, fill);
  }
  drawGuides(painter);
  if (!m_selected && !m_moving) return;
  const QRectF frame = rectOf(m_moving ? m_moving->place : places.at(*m_selected));
  painter.setPen(QPen(kSelection, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(frame);
  painter.setBrush(kSelection);
  for (const double x : {frame.left(), frame.center().x(), frame.right()}) {
    for (const double y : {frame.top(), frame.center().y(), frame.bottom()}) {
      if (x != frame.center().x() || y != frame.center().y())
        painter.drawRect(QRectF(x - kHandle / 2, y - kHandle / 2, kHandle, kHandle));
    }
  }
}

}  // namespace plastiscope

#include "moc_page_canvas.cpp"
