#include "widgets/plots/figure_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextDocumentFragment>
#include <algorithm>
#include <numeric>
#include <utility>

#include "widgets/plots/qcp.h"

namespace plastiscope {

void FigureView::setPlot(Plot plot) {
  m_plot = std::move(plot);
  setMessage({});
  rebuild();
}

std::optional<Plot> FigureView::makePlot() const {
  if (!m_plot || (m_hidden.empty() && !m_isPart)) return m_plot;
  Plot plot = *m_plot;
  for (Mark& mark : plot.boxes.front().marks) mark.clip = mark.clip || m_isPart;
  for (Box& box : plot.boxes)
    std::erase_if(box.marks, [this](const Mark& mark) { return m_hidden.contains(mark.series); });
  for (LegendEntry& entry : plot.legend) {
    if (!m_hidden.contains(entry.text)) continue;
    if (entry.symbol.line) entry.symbol.line->colour = Ink::Border;
    if (entry.symbol.marker) entry.symbol.marker->colour = Ink::Border;
    entry.detail = " (off)";
  }
  return plot;
}

std::optional<ViewRange> FigureView::wholeRange() const {
  if (m_zoomKeys == Qt::NoModifier || !m_plot || m_plot->boxes.empty() || !message().isEmpty()) return {};
  const Box& box = m_plot->boxes.front();
  return ViewRange{box.x.low, box.x.high, box.y.low, box.y.high};
}

// Limits the zoom to the whole range.
bool FigureView::laidOut() {
  const auto whole = wholeRange();
  if (!whole || boxes().empty()) return false;
  const QCPAxisRect& rect = *boxes().front().rect;
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  const QCPRange oldX = x.range(), oldY = y.range();
  const auto fit = [](QCPAxis& axis, double low, double high) {
    const double size = axis.range().size();
    if (size >= (high - low) * (1 - 1e-9)) return axis.setRange(low, high);
    const double first = std::clamp(axis.range().lower, low, high - size);
    axis.setRange(first, first + size);
  };
  fit(x, whole->xLow, whole->xHigh);
  fit(y, whole->yLow, whole->yHigh);
  rect.axis(QCPAxis::atTop)->setRange(x.range());
  rect.axis(QCPAxis::atRight)->setRange(y.range());
  const bool part = shownRange() != whole;
  if (std::exchange(m_isPart, part) != part)  // not during layout
    QMetaObject::invokeMethod(this, [this] { rebuild(); }, Qt::QueuedConnection);
  return x.range() != oldX || y.range() != oldY;
}

void FigureView::setCursor(std::optional<double> x) {
  m_cursor = x;
  replotOverlay();
}

void FigureView::paintOverlay(QPainter& painter) const {
  if (!m_cursor) return;
  const QCPAxisRect& rect = *boxes().front().rect;
  const double at = pixelOf(*m_cursor, 0).x();
  painter.setPen(pen(plotStyle().colours.selection, 1.4, Qt::DotLine));
  painter.drawLine(QLineF(at, rect.top(), at, rect.bottom() + 1));
}

void FigureView::clicked(const QPointF& position) {
  if (boxes().empty()) return;
  if (const LegendEntry* entry = legendEntryAt(position)) {
    const std::string series = entry->text;
    const bool known = std::ranges::any_of(m_plot->boxes, [&series](const Box& box) {
      return std::ranges::count(box.marks, series, &Mark::series) > 0;
    });
    if (!known) return;
    if (m_hidden.erase(series) == 0) m_hidden.insert(series);
    return rebuild();
  }
  const auto place = placeAt(position);
  if (!place) return;
  Q_EMIT placeActivated(place->x());
  Q_EMIT pointActivated(*place);
}

void FigureView::menuAsked(const QPointF& position) {
  if (const auto place = placeAt(position)) Q_EMIT menuAskedAt(*place);
}

std::optional<QPointF> FigureView::placeAt(const QPointF& position) const {
  if (boxes().empty()) return {};
  const QCPAxisRect& rect = *boxes().front().rect;
  if (!rect.rect().contains(position.toPoint())) return {};
  return QPointF(rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x()),
                 rect.axis(QCPAxis::atLeft)->pixelToCoord(position.y()));
}

// --- Attention map --------------------------------------------------------------------------------------

AttentionMapView::AttentionMapView(QWidget* parent) : FigureView(parent) {
  setAccessibleName(tr("Attention map"));
  setFocusPolicy(Qt::StrongFocus);
}

void AttentionMapView::setMap(Plot plot, std::int64_t tokens) {
  m_tokens = tokens;
  setPlot(std::move(plot));
}

void AttentionMapView::setQuery(std::optional<std::int64_t> query) {
  m_query = query;
  replotOverlay();
}

std::optional<ViewRange> AttentionMapView::wholeRange() const {
  if (m_tokens == 0 || !message().isEmpty()) return {};
  const auto end = static_cast<double>(m_tokens);
  return ViewRange{0, end, 0, end};
}

QSize AttentionMapView::boxSize() const {
  if (!boxes().empty() && boxes().front().rect->width() > 1) return boxes().front().rect->size();
  constexpr QSize kAround(150, 80);  // axes and colour scale
  return (size() - kAround).expandedTo(QSize(64, 64));
}

void AttentionMapView::paintOverlay(QPainter& painter) const {
  if (!m_query) return;
  const QCPAxisRect& rect = *boxes().front().rect;
  const double above = pixelOf(0, static_cast<double>(*m_query)).y(),
               below = pixelOf(0, static_cast<double>(*m_query + 1)).y();
  painter.setPen(pen(plotStyle().colours.selection, 1.2));
  if (below - above > 4) {
    painter.drawRect(QRectF(rect.left(), above, rect.width(), below - above));
  } else {
    const double middle = (above + below) / 2;
    painter.drawLine(QLineF(rect.left(), middle, rect.right(), middle));
  }
}

void AttentionMapView::hovered(const QPointF& position, const QPoint& global) {
  const auto place = placeAt(position);
  const bool inside = place && m_tip && place->x() >= 0 && place->y() >= 0;
  showTip(inside ? m_tip(static_cast<qint64>(place->y()), static_cast<qint64>(place->x())) : QString(),
          global);
}

// --- Heads as points -----------------------------------------------------------------------------------

void HeadPointsView::setHeads(Plot plot, std::vector<HeadName> heads, Values x, Values y) {
  m_heads = std::move(heads);
  m_x = std::move(x);
  m_y = std::move(y);
  setPlot(std::move(plot));
}

void HeadPointsView::setHeads(const TaxonomyData& taxonomy) {
  std::vector<HeadName> heads;
  Values x, y;
  for (const TaxonomyPoint& point : taxonomy.points) {
    heads.push_back(point.head);
    x.push_back(point.rQuery);
    y.push_back(point.rKey);
  }
  setHeads(taxonomyPlot(taxonomy), std::move(heads), std::move(x), std::move(y));
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

void HeadPointsView::setGroups(HeadGroups groups) {
  if (groups == m_groups) return;
  m_groups = std::move(groups);
  rebuild();
}

std::optional<Plot> HeadPointsView::makePlot() const {
  std::optional<Plot> plot = FigureView::makePlot();
  for (const HeadGroup& group : m_groups) {
    if (plot)
      plot->legend.push_back(pointEntry(richEscaped(group.name),
                                        {Marker::Circle, groupStyle(group, 0).colour, true, 1.5, Rim::Own}));
  }
  return plot;
}

std::optional<QPointF> HeadPointsView::placeOf(HeadName head) const {
  const auto found = std::ranges::find(m_heads, head);
  if (found == m_heads.end() || boxes().empty()) return {};
  const auto i = static_cast<std::size_t>(found - m_heads.begin());
  return pixelOf(m_x[i], m_y[i]);
}

void HeadPointsView::paintOverlay(QPainter& painter) const {
  painter.setBrush(Qt::NoBrush);
  double radius = 4.5;  // larger for each further group, so that all groups of a head are visible
  for (const HeadGroup& group : m_groups) {
    const QColor colour = colourOf(groupStyle(group, 0).colour, plotStyle());
    for (std::size_t i = 0; i < m_heads.size(); ++i) {
      if (!std::ranges::binary_search(group.heads, m_heads[i])) continue;
      for (const QPen& ring : {pen(plotStyle().colours.view, 3), pen(colour, 1.8)}) {
        painter.setPen(ring);
        painter.drawEllipse(pixelOf(m_x[i], m_y[i]), radius, radius);
      }
    }
    radius += 2.5;
  }
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
  if (const auto head = headAt(position)) Q_EMIT headHovered(*head);
}

void HeadPointsView::clicked(const QPointF& position) {
  const auto head = headAt(position);
  if (!head) return;
  if (m_adding && m_selected) {
    Q_EMIT severalSelected(toggled(m_several, *m_selected, {*head}));
    return;
  }
  activate(*head);
}

void HeadPointsView::menuAsked(const QPointF& position) {
  if (const auto head = headAt(position)) activate(*head);
}

std::optional<HeadName> HeadPointsView::headAt(const QPointF& position) const {
  const auto item = itemAt(position);
  if (!item || !std::holds_alternative<PointMarks>(item->mark->kind)) return {};
  return m_heads[static_cast<std::size_t>(item->id())];
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

// --- Benchmarks -----------------------------------------------------------------------------------------

namespace {
constexpr double kFrameRadius = 12;  // pixels
}

BenchmarkView::BenchmarkView(QWidget* parent) : FigureView(parent) {
  setAccessibleName(tr("Predictor against benchmark score"));
  setFocusPolicy(Qt::StrongFocus);
  setMessage(tr("No scores yet"));
}

void BenchmarkView::setData(std::shared_ptr<const BenchmarkData> content) {
  m_data = std::move(content);
  m_walked.reset();
  setAccessibleDescription({});
  setPlot(benchmarkPlot(*m_data));
}

void BenchmarkView::paintOverlay(QPainter& painter) const {
  if (!m_walked) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen(plotStyle().colours.selection, 2));
  painter.drawEllipse(pixelOf(m_data->points[*m_walked].x, m_data->points[*m_walked].y), kFrameRadius,
                      kFrameRadius);
}

void BenchmarkView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left) return walk(-1);
  if (event->key() == Qt::Key_Right) return walk(1);
  PlotView::keyPressEvent(event);
}

// Moves to the next point, from left to right in the plot.
void BenchmarkView::walk(int step) {
  if (m_data == nullptr || m_data->points.empty() || boxes().empty()) return;
  std::vector<std::size_t> order(m_data->points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [this](std::size_t i) { return m_data->points[i].x; });
  const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
  const auto now = m_walked ? std::ranges::find(order, *m_walked) - order.begin() : step > 0 ? -1 : last + 1;
  m_walked = order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + step, 0, last))];
  const BenchmarkPoint& point = m_data->points[*m_walked];
  replotOverlay();
  const QString tip = QString::fromStdString(benchmarkTip(*m_data, point));
  setAccessibleDescription(QTextDocumentFragment::fromHtml(tip).toPlainText());
  showTip(tip, plot().mapToGlobal(pixelOf(point.x, point.y).toPoint()));
}

}  // namespace plastiscope

#include "moc_figure_view.cpp"
