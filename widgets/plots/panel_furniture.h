#pragma once
// What a panel of a composition hands over instead of drawing it: its legend and its colour bar, which panels
// may share. Private to widgets/plots.
#include <optional>
#include <vector>

#include "widgets/plots/colour_bar.h"

namespace plastiscope {

struct PanelBar {
  const ColourMap* map = nullptr;
  ColourBarOptions options;
  QCPAxisRect* beside = nullptr;
  int row = 0, column = 0;
};

struct PanelFurniture {
  std::vector<LegendEntry> legend;
  std::optional<PanelBar> bar;
};

}  // namespace plastiscope
