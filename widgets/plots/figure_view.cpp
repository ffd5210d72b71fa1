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
    QMetaObject::invokeMethod(
        this, [this] { rebuild(); }, Qt::QueuedConnection);
  return x.range() != oldX || y.range() != oldY;
}

void FigureView::forgetPlot() {
  m_plot.reset();
  rebuild();
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

ComponentsView::ComponentsView(QWidget* parent) : FigureView(parent) {
  setAccessibleName(tr("Principal components"));
  setMessage(tr("No head chosen"));
}

void ComponentsView::setData(const std::shared_ptr<const ComponentsData>& content) {
  if (content != nullptr) return setPlot(componentsPlot(*content));
  forgetPlot();
  setMessage(tr("No head chosen"));
}

WeightsView::WeightsView(QWidget* parent) : FigureView(parent) {
  setAccessibleName(tr("Component weights"));
  setMessage(tr("No head chosen"));
}

void WeightsView::setData(const std::shared_ptr<const ComponentWeightsData>& content) {
  if (content != nullptr) return setPlot(weightsPlot(*content));
  forgetPlot();
  setMessage(tr("No head chosen"));
}

WhatIfView::WhatIfView(QWidget* parent) : FigureView(parent) {
  setAccessibleName(tr("Profile before and after the change"));
}

void WhatIfView::setData(const std::shared_ptr<const WhatIfData>& content) {
  if (content != nullptr)
    setPlot(whatIfPlot(*content));
  else
    forgetPlot();
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
