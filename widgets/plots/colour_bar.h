#pragma once
// A colour bar beside a panel, as vectors without seams. Private to widgets/plots.
#include "widgets/plots/colour_maps.h"
#include "widgets/plots/panel.h"

namespace plastiscope {

struct ColourBarOptions {
  double low = 0, high = 1;
  QString title;     // rich text; "" = none
  double scale = 1;  // labels are divided by it
  bool operator==(const ColourBarOptions&) const = default;
};

void addColourBar(const FigurePlace& place, int row, int column, const PlotStyle& style, QCPAxisRect& beside,
                  const ColourMap& map, const ColourBarOptions& options);
// Also in a composition. `beside`: whose box it is as high as; null = the caller sees to it.
QCPAxisRect& layColourBar(const FigurePlace& place, int row, int column, const PlotStyle& style, QCPAxisRect* beside,
                  const ColourMap& map, const ColourBarOptions& options);

}  // namespace plastiscope
