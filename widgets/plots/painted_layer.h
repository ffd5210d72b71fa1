#pragma once
// A part of a figure that paints itself with a function: marks, cells, clouds. Private to widgets/plots.
#include <functional>

#include "widgets/plots/qcp.h"

namespace plastiscope {

enum class Clip { AxisRect, None };

class PaintedLayer : public QCPLayerable {
 public:
  using Paint = std::function<void(QCPPainter&)>;
  // On a layer of the plot: "grid", "main", "axes", "marks" (above the data), "overlay" (moves by itself).
  PaintedLayer(QCPAxisRect& rect, const QString& layer, Clip clip, Paint paint);

 protected:
  QRect clipRect() const override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
  void draw(QCPPainter* painter) override;

 private:
  QCPAxisRect* m_rect;
  Clip m_clip;
  Paint m_paint;
};

// An empty plot in the style: background, layers, spacing. Removes everything that was there.
void clearPlot(QCustomPlot& plot, const struct PlotStyle& style);
// Is the painter's target a file rather than the screen?
bool isVector(const QCPPainter& painter);

}  // namespace plastiscope
