#include "widgets/plots/figure_view.h"

namespace plastiscope {

void FigureView::setFigure(Build build) {
  m_build = std::move(build);
  setMessage({});
  rebuild();
}

void FigureView::build(QCustomPlot& plot) {
  if (m_build) m_build(plot, plotStyle());
}

}  // namespace plastiscope
