#pragma once
// Fills a plot with a plasticity map: used by the widget and by the export.
#include <optional>
#include <utility>

#include "core/views/map_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

struct MapOptions {
  std::optional<std::pair<double, double>> range;  // of the colours; nothing = locked to 0..1
  bool counts = false;                             // pairs written into the cells
  bool difference = false;                         // of PP between two maps: diverging colours
};

void buildMap(const FigurePlace& place, const MapData& data, const PlotStyle& style,
              const MapOptions& options = {});

}  // namespace plastiscope
