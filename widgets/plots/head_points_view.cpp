#include "widgets/plots/head_points_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/plots/qcp.h"

namespace plastiscope {

void HeadPointsView::setHeads(Plot plot, std::vector<HeadName> heads, Values x, Values y) {
  m_heads = std::move(heads);
  m_x = std::move(x);
  m_y = std::move(y);
  setPlot(std::move(plot));
}

void HeadPointsView::forgetHeads() {
  m_heads.clear();
  forgetPlot();
}

void HeadPointsView::setSelectedHead(std::optional<HeadName> head) {
  m_selected = head;
  replotOverlay();
}

void HeadPointsView::setSeveral(std::vector<HeadName> heads) {
  if (heads == m_several) return;
  m_several = std::move(heads);
  replotOverlay();
}

std::optional<QPointF> HeadPointsView::placeOf(HeadName head) const {
  const auto found = std::ranges::find(m_heads, head);
  if (found == m_heads.end() || boxes().empty()) return {};
  const auto i = static_cast<std::size_t>(found - m_heads.begin());
  return pixelOf(m_x[i], m_y[i]);
}

void HeadPointsView::paintOverlay(QPainter& painter) const {
  painter.setPen(pen(QColor("#101214"), 0.8));
  painter.setBrush(plotStyle().colours.selection);
  for (std::size_t i = 0; i < m_heads.size() && !m_several.empty(); ++i) {
    if (std::ranges::binary_search(m_several, m_heads[i])) painter.drawEllipse(pixelOf(m_x[i], m_y[i]), 3, 3);
  }
  painter.setBrush(Qt::NoBrush);
  if (const auto at = m_selected ? placeOf(*m_selected) : std::nullopt) {
    painter.setPen(pen(QColor("#101214"), 4));
    painter.drawEllipse(*at, 5.5, 5.5);
    painter.setPen(pen(plotStyle().colours.selection, 2));
    painter.drawEllipse(*at, 5.5, 5.5);
  }
  m_rectangle.paint(painter, plotStyle());
}

void HeadPointsView::hovered(const QPointF& position, const QPoint& global) {
  FigureView::hovered(position, global);
  if (const auto item = itemAt(position)) Q_EMIT headHovered(m_heads[static_cast<std::size_t>(item->id())]);
}

void HeadPointsView::clicked(const QPointF& position) {
  const auto item = itemAt(position);
  if (!item) return;
  const HeadName head = m_heads[static_cast<std::size_t>(item->id())];
  if (m_adding && m_selected) {
    Q_EMIT severalSelected(toggled(m_several, *m_selected, {head}));
    return;
  }
  activate(head);
}

void HeadPointsView::menuAsked(const QPointF& position) {
  if (const auto item = itemAt(position)) activate(m_heads[static_cast<std::size_t>(item->id())]);
}

void HeadPointsView::activate(HeadName head) {
  setSelectedHead(head);
  Q_EMIT headActivated(head);
}

bool HeadPointsView::dragBegins(const QPointF& position, Qt::KeyboardModifiers keys) {
  m_adding = keys.testFlag(Qt::ControlModifier);
  if (boxes().empty() || !boxes().front().rect->rect().contains(position.toPoint())) return false;
  m_rectangle.begin(position);
  return true;
}

void HeadPointsView::dragMoves(const QPointF& position) {
  m_rectangle.moveTo(position);
  replotOverlay();
}

void HeadPointsView::dragEnds() {
  const auto drawn = m_rectangle.end();
  replotOverlay();
  if (!drawn) return;
  std::vector<HeadName> heads = m_adding ? m_several : std::vector<HeadName>();
  for (std::size_t i = 0; i < m_heads.size(); ++i) {
    if (drawn->contains(pixelOf(m_x[i], m_y[i]))) heads.push_back(m_heads[i]);
  }
  if (!heads.empty()) Q_EMIT severalSelected(heads);
}

void HeadPointsView::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape || m_several.empty()) return FigureView::keyPressEvent(event);
  Q_EMIT severalSelected({});
}

TaxonomyView::TaxonomyView(QWidget* parent) : HeadPointsView(parent) {
  setAccessibleName(tr("Taxonomy of heads"));
  setMessage(tr("No analysis yet"));
}

void TaxonomyView::setData(const std::shared_ptr<const TaxonomyData>& content) {
  if (content == nullptr) {
    forgetHeads();
    return setMessage(tr("No analysis yet"));
  }
  std::vector<HeadName> heads;
  Values x, y;
  for (const TaxonomyPoint& point : content->points) {
    heads.push_back(point.head);
    x.push_back(point.rQuery);
    y.push_back(point.rKey);
  }
  setHeads(taxonomyPlot(*content), std::move(heads), std::move(x), std::move(y));
}

}  // namespace plastiscope

#include "moc_head_points_view.cpp"
