#pragma once
// The marks of compared models as icons for lists and headers, the same as in the plots beside them.
#include <QIcon>
#include <vector>

#include "core/compare/compared_profiles.h"

namespace plastiscope {

// One a model, in the theme that is shown now.
std::vector<QIcon> seriesIcons(const Comparison& comparison);

}  // namespace plastiscope
