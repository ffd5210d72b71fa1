#pragma once
// What stands behind a figure: program version, identity of capture and analysis, all settings.
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// With several studies (or none) one entry of "inputs" for each; else the study's own fields. Dates and
// folders only when not `fixedDate`.
Json figureProvenance(const Studies& studies, const FigureSpec& spec, bool fixedDate);

}  // namespace plastiscope
