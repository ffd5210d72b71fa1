#pragma once
// A laid-out plot as LaTeX source: pgfplots axes, curves and marks that read their numbers from a table,
// texts in the fonts of the paper. Elements too large for LaTeX (cells of many colours, clouds) become
// lossless images.
#include <QImage>
#include <string>
#include <string_view>
#include <vector>

#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

struct PgfFigure {
  std::string tex, table;      // the table has a column pair xN, yN for each plot, padded with nan
  std::vector<QImage> images;  // NAME-1.png, NAME-2.png, ...
};

// `name`: base name of the files. GUI thread.
PgfFigure pgfFigure(const LaidOutPlot& plot, const PlotStyle& style, const std::string& name);

// First line of every source.
inline constexpr std::string_view kTexStart = "% Made by Plastiscope ";

}  // namespace plastiscope
