#include "widgets/plots/components_view.h"

#include <cmath>

#include "core/views/metric_info.h"
#include "widgets/plots/components_figure.h"
#include "widgets/plots/painted_layer.h"

namespace plastiscope {

namespace {

// The whole number on the x axis under the pointer, if it is one of `count`.
std::optional<std::size_t> indexAt(QCustomPlot& plot, const QPointF& position, std::size_t count) {
  for (int i = 0; i < plot.axisRectCount(); ++i) {
    const QCPAxisRect& rect = *plot.axisRect(i);
    if (!rect.rect().contains(position.toPoint())) continue;
    const double at = std::round(rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x()));
    if (at >= 0 && at < static_cast<double>(count)) return static_cast<std::size_t>(at);
  }
  return std::nullopt;
}

}  // namespace

ComponentsView::ComponentsView(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Principal components"));
  setMessage(tr("No head chosen"));
}

ComponentsView::~ComponentsView() = default;

void ComponentsView::setData(std::shared_ptr<const ComponentsData> content) {
  m_data = std::move(content);
  setMessage(m_data == nullptr ? tr("No head chosen") : QString());
  rebuild();
}

void ComponentsView::build(QCustomPlot& plot) {
  if (m_data != nullptr) buildComponents(plot, *m_data, plotStyle());
}

void ComponentsView::hovered(const QPointF& position, const QPoint& global) {
  if (m_data == nullptr) return;
  const auto index = indexAt(plot(), position, m_data->explainedVariance.size());
  if (!index) return showTip({}, global);
  const auto text = [](double value) { return QString::fromStdString(fixedText(value, 3)); };
  showTip(QStringLiteral("<b>PC%1</b> · %2 %<br><i>r</i><sub>Q</sub> %3 &nbsp; <i>r</i><sub>K</sub> %4")
              .arg(*index)
              .arg(QString::fromStdString(fixedText(100 * m_data->explainedVariance[*index], 1)),
                   text(m_data->rQuery[*index]), text(m_data->rKey[*index])),
          global);
}

WeightsView::WeightsView(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Component weights"));
  setMessage(tr("No head chosen"));
}

WeightsView::~WeightsView() = default;

void WeightsView::setData(std::shared_ptr<const ComponentWeightsData> content) {
  m_data = std::move(content);
  setMessage(m_data == nullptr ? tr("No head chosen") : QString());
  rebuild();
}

void WeightsView::build(QCustomPlot& plot) {
  if (m_data != nullptr) buildWeights(plot, *m_data, plotStyle());
}

void WeightsView::hovered(const QPointF& position, const QPoint& global) {
  if (m_data == nullptr) return;
  const auto index = indexAt(plot(), position, m_data->weight.size());
  if (!index) return showTip({}, global);
  const QString pair =
      m_data->pairOf[*index] < 0 ? tr("not rotated") : tr("RoPE pair %1").arg(m_data->pairOf[*index]);
  showTip(QStringLiteral("<b>%1</b> · %2<br>%3 %")
              .arg(tr("dimension %1").arg(*index), pair,
                   QString::fromStdString(fixedText(100 * m_data->weight[*index], 2))),
          global);
}

}  // namespace plastiscope
