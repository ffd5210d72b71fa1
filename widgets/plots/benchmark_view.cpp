#include "widgets/plots/benchmark_view.h"

#include <cmath>

#include "widgets/plots/benchmark_figure.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {

constexpr double kReach = 12;  // pixels

QString text(double value) {
  return QString::fromStdString(metricText(value));
}

}  // namespace

BenchmarkView::BenchmarkView(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Predictor against benchmark score"));
  setMessage(tr("No scores yet"));
}

BenchmarkView::~BenchmarkView() = default;

void BenchmarkView::setData(std::shared_ptr<const BenchmarkData> shown) {
  m_data = std::move(shown);
  setMessage({});
  rebuild();
}

void BenchmarkView::build(QCustomPlot& plot) {
  if (m_data != nullptr) buildBenchmark(plot, *m_data, plotStyle());
}

void BenchmarkView::hovered(const QPointF& position, const QPoint& global) {
  if (m_data == nullptr || plot().axisRectCount() == 0) return showTip({}, global);
  const QCPAxisRect& rect = *plot().axisRect(0);
  const BenchmarkPoint* nearest = nullptr;
  double least = kReach;
  for (const BenchmarkPoint& point : m_data->points) {
    const QPointF at(rect.axis(QCPAxis::atBottom)->coordToPixel(point.x),
                     rect.axis(QCPAxis::atLeft)->coordToPixel(point.y));
    const double distance = QLineF(at, position).length();
    if (distance >= least) continue;
    least = distance;
    nearest = &point;
  }
  if (nearest == nullptr) return showTip({}, global);
  QString words =
      tr("<b>%1</b> · %2<br>%3 %4<br>score %5")
          .arg(QString::fromStdString(nearest->label()).toHtmlEscaped(),
               nearest->own ? tr("own analysis") : tr("the thesis"),
               QString::fromStdString(m_data->predictor.label), text(nearest->x), text(nearest->y));
  if (std::isfinite(nearest->without)) words += tr("<br><i>r</i> without it %1").arg(text(nearest->without));
  if (!nearest->counted) words += tr("<br>not counted: the model stands here already");
  showTip(words, global);
}

}  // namespace plastiscope
