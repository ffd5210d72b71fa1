#pragma once
// Options of one pgfplots axis environment.
#include <QString>

#include "widgets/plots/recorded_figure.h"

namespace plastiscope {

// "at={(12bp,30bp)}, width=..., xmin=..., xtick={...}, ...": the box where the figure has it.
QString pgfAxisOptions(const RecordedPanel& panel, QSize figure, const PlotStyle& style);

// A number of layout units in big points, from the bottom where `height` is given.
QString bp(double units);

}  // namespace plastiscope
