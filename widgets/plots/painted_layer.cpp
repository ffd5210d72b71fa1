#include "widgets/plots/painted_layer.h"

#include "widgets/plots/plot_style.h"

namespace plastiscope {

PaintedLayer::PaintedLayer(QCPAxisRect& rect, const QString& layer, Clip clip, Paint paint)
    : QCPLayerable(rect.parentPlot(), layer), m_rect(&rect), m_clip(clip), m_paint(std::move(paint)) {}

QRect PaintedLayer::clipRect() const {
  return m_clip == Clip::AxisRect ? m_rect->rect() : mParentPlot->viewport();
}

void PaintedLayer::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

void PaintedLayer::draw(QCPPainter* painter) {
  m_paint(*painter);
}

void clearPlot(QCustomPlot& plot, const PlotStyle& style) {
  plot.clearPlottables();
  plot.clearItems();
  for (int i = 0; i < plot.layerCount(); ++i) {
    const QList<QCPLayerable*> children = plot.layer(i)->children();
    for (QCPLayerable* child : children) {
      if (auto* painted = dynamic_cast<PaintedLayer*>(child)) delete painted;
    }
  }
  plot.plotLayout()->clear();
  plot.plotLayout()->simplify();
  qDeleteAll(plot.findChildren<QCPMarginGroup*>(QString(), Qt::FindDirectChildrenOnly));
  plot.plotLayout()->setRowSpacing(style.units(4));
  plot.plotLayout()->setColumnSpacing(style.units(4));
  if (plot.layer("marks") == nullptr) plot.addLayer("marks", plot.layer("axes"), QCustomPlot::limAbove);
  plot.layer("overlay")->setMode(QCPLayer::lmBuffered);
  plot.setBackground(QBrush(style.colours.view));
}

bool isVector(const QCPPainter& painter) {
  return painter.modes().testFlag(QCPPainter::pmVectorized);
}

}  // namespace plastiscope
