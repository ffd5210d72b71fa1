#pragma once
// A figure made of panels in a grid: letters, titles, shared axes, one legend and one colour bar for what the
// panels have in common. Any figure can be a panel.
#include <QString>
#include <functional>
#include <vector>

#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

using FigureBuild = std::function<void(const FigurePlace&, const PlotStyle&)>;

struct FigurePanel {
  QString title;  // rich text; may be empty
  FigureBuild build;
};

struct CompositionOptions {
  int columns = 0;      // 0 = about as many as rows
  bool letters = true;  // (a), (b), ... where there are several panels
  QString note;         // rich text above all: what holds for the whole figure
};

struct PanelGrid {
  int rows = 1, columns = 1;
};
PanelGrid panelGrid(std::size_t panels, int columns);

void buildComposition(const FigurePlace& place, const std::vector<FigurePanel>& panels,
                      const PlotStyle& style, const CompositionOptions& options);

}  // namespace plastiscope
