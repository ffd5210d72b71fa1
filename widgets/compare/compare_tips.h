#pragma once
// What is said about the points of compared curves and models under the mouse, and about the marked cell of
// the compared plasticity maps.
#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "core/compare/map_cells.h"
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

// The selection names a cell of the first map that there is; the other maps show the one at the same
// distances. Nothing: none is marked, no map is there, or it lies outside the first map.
std::optional<MapCell> markedCell(const CompareModel& model);
// As PlasticityMapView::setMarked takes it.
std::optional<std::pair<std::int64_t, std::int64_t>> markOf(const ComparedCell& cell);

QString cellValue(const ComparedCell& cell);          // "PP 0.612", "no pairs"
QString cellPlace(const MapData& map, MapCell cell);  // where it lies, in tokens
// All models' values at a cell of the map of model `index`, for a tool tip (rich).
QString cellTip(const CompareViews& views, std::size_t index, MapCell cell);

}  // namespace plastiscope
