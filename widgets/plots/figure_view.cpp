#include "widgets/plots/figure_view.h"

#include <cmath>

#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"
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

void FigureView::setCursor(std::optional<double> x) {
  m_cursor = x;
  replotOverlay();
}

void FigureView::clicked(const QPointF& position) {
  if (plot().axisRectCount() == 0) return;
  const QCPAxisRect& rect = *plot().axisRect(0);
  if (rect.rect().contains(position.toPoint()))
    Q_EMIT placeActivated(rect.axis(QCPAxis::atBottom)->pixelToCoord(position.x()));
}

void FigureView::build(QCustomPlot& plot) {
  if (!m_build) return;
  m_build(plot, plotStyle());
  if (plot.axisRectCount() == 0) return;
  QCPAxisRect& rect = *plot.axisRect(0);
  new PaintedLayer(rect, "overlay", Clip::AxisRect, [this, &rect](QCPPainter& painter) {
    if (!m_cursor) return;
    const double at = rect.axis(QCPAxis::atBottom)->coordToPixel(*m_cursor);
    painter.setPen(pen(plotStyle().colours.selection, 1.4, Qt::DotLine));
    painter.drawLine(QLineF(at, rect.top(), at, rect.bottom() + 1));
  });
}

}  // namespace plastiscope
