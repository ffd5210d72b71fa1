#include "widgets/plots/figure_view.h"

#include <cmath>

#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {
constexpr double kNear = 14;  // pixels
}

void FigureView::setFigure(Build build) {
  m_build = std::move(build);
  setMessage({});
  rebuild();
}

void FigureView::setTips(std::vector<FigureTip> tips) {
  m_tips = std::move(tips);
}

void FigureView::hovered(const QPointF& position, const QPoint& global) {
  const FigureTip* nearest = nullptr;
  double least = kNear;
  for (const FigureTip& tip : m_tips) {
    if (tip.panel >= plot().axisRectCount()) continue;
    const QCPAxisRect& rect = *plot().axisRect(tip.panel);
    if (!rect.rect().contains(position.toPoint())) continue;
    const double away = std::hypot(rect.axis(QCPAxis::atBottom)->coordToPixel(tip.x) - position.x(),
                                   rect.axis(QCPAxis::atLeft)->coordToPixel(tip.y) - position.y());
    if (away >= least) continue;
    least = away;
    nearest = &tip;
  }
  showTip(nearest != nullptr ? nearest->text : QString(), global);
}

void FigureView::build(QCustomPlot& plot) {
  if (m_build) m_build(plot, plotStyle());
}

}  // namespace plastiscope
