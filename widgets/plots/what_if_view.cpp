#include "widgets/plots/what_if_view.h"

#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"

namespace plastiscope {
namespace {

// A missing value is a gap.
void addLine(QCPAxisRect& rect, const std::vector<double>& x, const std::vector<double>& y,
             const QPen& line) {
  auto* graph = new QCPGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
  graph->setPen(line);
  graph->setData(QVector<double>(x.begin(), x.end()), QVector<double>(y.begin(), y.end()), true);
}

}  // namespace

WhatIfView::WhatIfView(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Profile before and after the change"));
}

void WhatIfView::setData(std::shared_ptr<const WhatIfData> data) {
  m_data = std::move(data);
  rebuild();
}

void WhatIfView::build(QCustomPlot& plot) {
  if (m_data == nullptr) return;
  const PlotStyle& style = plotStyle();
  const FigurePlace place(plot);
  place.clear(style);
  PanelOptions options;
  options.xTitle = tr("query position (tokens)");
  options.yTitle = tr("plasticity AP");
  const auto window = static_cast<double>(std::max<std::int64_t>(1, m_data->window));
  options.lastXLabel = numberLabel(window, 0);
  QCPAxisRect& rect = addPanel(place, 1, 0, style, options);
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  x.setTicker(QSharedPointer<TokenTicker>::create(x));
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  x.setRange(0, window);
  y.setRange(0, 1);
  const QPen before = dashedPen(style.colours.muted, style.thinWidth * 1.4),
             after = pen(style.colours.selection, style.lineWidth * 1.3);
  addLine(rect, m_data->tau, m_data->before, before);
  addLine(rect, m_data->tau, m_data->after, after);
  addLegend(place, 0, 0, style, rect, {lineEntry(tr("as it is"), before), lineEntry(tr("changed"), after)});
}

}  // namespace plastiscope
