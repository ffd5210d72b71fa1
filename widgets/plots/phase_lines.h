#pragma once
// Where a run changes its window: dashed lines between the models. Private to widgets/plots.
#include <vector>

#include "widgets/plots/panel.h"

namespace plastiscope {

// Models stand at 0, 1, ...; each start is the first model of a phase.
void addPhaseLines(QCPAxisRect& rect, const std::vector<std::size_t>& starts, const PlotStyle& style);

}  // namespace plastiscope
