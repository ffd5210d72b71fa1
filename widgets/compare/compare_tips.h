#pragma once
// What is said about the points of compared curves and models under the mouse.
#include <vector>

#include "widgets/compare/compare_model.h"
#include "widgets/plots/figure_view.h"

namespace plastiscope {

std::vector<FigureTip> profileTips(const CompareViews& views);
// "A 0.612 · B 0.587": the profiles nearest to a position of the first model's window, in the place that the
// axis shows it at: the same share of the window, or the same tokens.
QString profilesAt(const CompareViews& views, std::int64_t position);
std::vector<FigureTip> quintileTips(const CompareViews& views);
std::vector<FigureTip> depthTips(const CompareViews& views);
std::vector<FigureTip> checkpointTips(const CompareViews& views);
std::vector<FigureTip> trajectoryTips(const CompareViews& views);

}  // namespace plastiscope
