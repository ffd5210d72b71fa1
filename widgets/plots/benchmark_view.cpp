#include "widgets/plots/benchmark_view.h"

#include <QKeyEvent>
#include <QTextDocumentFragment>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/plots/benchmark_figure.h"
#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {

constexpr double kPointReach = 12;  // pixels

QString text(double value) {
  return QString::fromStdString(metricText(value));
}

}  // namespace

BenchmarkView::BenchmarkView(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Predictor against benchmark score"));
  setFocusPolicy(Qt::StrongFocus);
  setMessage(tr("No scores yet"));
}

BenchmarkView::~BenchmarkView() = default;

void BenchmarkView::setData(std::shared_ptr<const BenchmarkData> shown) {
  m_data = std::move(shown);
  m_walked.reset();
  setAccessibleDescription({});
  setMessage({});
  rebuild();
}

void BenchmarkView::build(QCustomPlot& plot) {
  if (m_data == nullptr) return;
  buildBenchmark(plot, *m_data, plotStyle());
  if (plot.axisRectCount() == 0) return;
  new PaintedLayer(*plot.axisRect(0), "overlay", Clip::None, [this](QCPPainter& painter) {
    if (!m_walked) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen(plotStyle().colours.selection, 2));
    painter.drawEllipse(placeOf(m_data->points[*m_walked]), kPointReach, kPointReach);
  });
}

QPointF BenchmarkView::placeOf(const BenchmarkPoint& point) const {
  const QCPAxisRect& rect = *plot().axisRect(0);
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(point.x),
          rect.axis(QCPAxis::atLeft)->coordToPixel(point.y)};
}

QString BenchmarkView::tipOf(const BenchmarkPoint& point) const {
  QString words = tr("<b>%1</b> · %2<br>%3 %4<br>score %5")
                      .arg(QString::fromStdString(point.label()).toHtmlEscaped(),
                           point.own ? tr("own analysis") : tr("the thesis"),
                           QString::fromStdString(m_data->predictor.label), text(point.x), text(point.y));
  if (std::isfinite(point.without)) words += tr("<br><i>r</i> without it %1").arg(text(point.without));
  if (!point.counted) words += tr("<br>not counted: the model stands here already");
  return words;
}

void BenchmarkView::hovered(const QPointF& position, const QPoint& global) {
  if (m_data == nullptr || plot().axisRectCount() == 0) return showTip({}, global);
  const BenchmarkPoint* nearest = nullptr;
  double least = kPointReach;
  for (const BenchmarkPoint& point : m_data->points) {
    const double distance = QLineF(placeOf(point), position).length();
    if (distance >= least) continue;
    least = distance;
    nearest = &point;
  }
  showTip(nearest != nullptr ? tipOf(*nearest) : QString(), global);
}

void BenchmarkView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Left) return walk(-1);
  if (event->key() == Qt::Key_Right) return walk(1);
  PlotView::keyPressEvent(event);
}

// From left to right as they stand in the picture.
void BenchmarkView::walk(int step) {
  if (m_data == nullptr || m_data->points.empty() || plot().axisRectCount() == 0) return;
  std::vector<std::size_t> order(m_data->points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [this](std::size_t i) { return m_data->points[i].x; });
  const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
  const auto now = m_walked ? std::ranges::find(order, *m_walked) - order.begin() : step > 0 ? -1 : last + 1;
  m_walked = order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + step, 0, last))];
  const BenchmarkPoint& point = m_data->points[*m_walked];
  replotOverlay();
  const QString tip = tipOf(point);
  setAccessibleDescription(QTextDocumentFragment::fromHtml(tip).toPlainText());
  showTip(tip, plot().mapToGlobal(placeOf(point).toPoint()));
}

}  // namespace plastiscope
