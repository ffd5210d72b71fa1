#pragma once
// Texts on compared curves at a position, and on the marked cell of compared plasticity maps.
#include <QString>
#include <optional>

#include "core/compare/matching.h"
#include "widgets/compare/compare_model.h"

namespace plastiscope {

// "A 0.612 · B 0.587": profiles nearest to a position in the first model's window; other models use the same
// share of the window or the same token, depending on the axis.
QString profilesAt(const CompareViews& views, std::int64_t position);

// The selected cell of the first available map; other maps show the cell at the same distances. Nullopt: no
// selected cell, no map, or the cell is outside the first map.
std::optional<MapCell> markedCell(const CompareModel& model);

QString cellValue(const ComparedCell& cell);          // "PP 0.612", "no pairs"
QString cellPlace(const MapData& map, MapCell cell);  // in tokens
// Values of all models at a cell of the map of model `index`, for a tool tip (rich).
QString cellTip(const CompareViews& views, std::size_t index, MapCell cell);

}  // namespace plastiscope
