#include "widgets/plots/figure_place.h"

#include "widgets/plots/painted_layer.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

FigurePlace::FigurePlace(QCustomPlot& plot) : m_plot(&plot), m_grid(plot.plotLayout()) {}

void FigurePlace::clear(const PlotStyle& style) const {
  if (m_furniture == nullptr) clearPlot(*m_plot, style);
  m_grid->setRowSpacing(style.units(4));
  m_grid->setColumnSpacing(style.units(4));
}

}  // namespace plastiscope
