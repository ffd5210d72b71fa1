#include "widgets/plots/phase_lines.h"

namespace plastiscope {

void addPhaseLines(QCPAxisRect& rect, const std::vector<std::size_t>& starts, const PlotStyle& style) {
  if (starts.empty()) return;
  new PaintedLayer(rect, "grid", Clip::AxisRect, [&rect, starts, style](QCPPainter& painter) {
    painter.setPen(dashedPen(style.print ? QColor("#8a9095") : style.colours.muted, style.thinWidth));
    for (const std::size_t start : starts) {
      const double x = rect.axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(start) - 0.5);
      painter.drawLine(QLineF(x, rect.top(), x, rect.bottom() + 1));
    }
  });
}

}  // namespace plastiscope
