#pragma once
// A colour bar beside a panel, as vectors without seams. Private to widgets/plots.
#include "widgets/plots/colour_maps.h"
#include "widgets/plots/panel.h"

namespace plastiscope {

struct ColourBarOptions {
  double low = 0, high = 1;
  QString title;     // rich text; "" = none
  double scale = 1;  // labels are divided by it
};

QCPAxisRect& addColourBar(QCustomPlot& plot, int row, int column, const PlotStyle& style, QCPAxisRect& beside,
                          const ColourMap& map, const ColourBarOptions& options);

}  // namespace plastiscope
