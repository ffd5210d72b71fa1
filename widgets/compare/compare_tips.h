#pragma once
// What is said about compared curves at a position, and about the marked cell of compared plasticity maps.
#include <QString>
#include <optional>

#include "core/compare/matching.h"
#include "widgets/compare/compare_model.h"

namespace plastiscope {

// "A 0.612 · B 0.587": the profiles nearest to a position of the first model's window, in the place that the
// axis shows it at: the same share of the window, or the same tokens.
QString profilesAt(const CompareViews& views, std::int64_t position);

// The selection names a cell of the first map that there is; the other maps show the one at the same
// distances. Nothing: none is marked, no map is there, or it lies outside the first map.
std::optional<MapCell> markedCell(const CompareModel& model);

QString cellValue(const ComparedCell& cell);          // "PP 0.612", "no pairs"
QString cellPlace(const MapData& map, MapCell cell);  // where it lies, in tokens
// All models' values at a cell of the map of model `index`, for a tool tip (rich).
QString cellTip(const CompareViews& views, std::size_t index, MapCell cell);

}  // namespace plastiscope
