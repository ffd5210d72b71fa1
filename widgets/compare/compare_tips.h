#pragma once
// What is said about the points of compared curves under the mouse.
#include <vector>

#include "widgets/compare/compare_model.h"
#include "widgets/plots/figure_view.h"

namespace plastiscope {

std::vector<FigureTip> profileTips(const CompareViews& views);
std::vector<FigureTip> depthTips(const CompareViews& views);

}  // namespace plastiscope
