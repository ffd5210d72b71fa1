#pragma once
// One cell of the plasticity map in several maps at once, matched by its distances in tokens.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/views/map_data.h"

namespace plastiscope {

struct MapCell {
  std::int64_t column = 0, row = 0;
  bool operator==(const MapCell&) const = default;
};

// The cell of `to` that holds the middle of a cell of `from`: the same one where the cells have one size.
// Nothing when it lies beyond the window of `to`.
std::optional<MapCell> matchedCell(const MapData& from, MapCell cell, const MapData& to);

// What a map says there.
struct ComparedCell {
  std::optional<MapCell> cell;  // nothing: no map, or beyond its window
  double mean = std::numeric_limits<double>::quiet_NaN();
  std::int64_t pairs = 0;
  bool enough = false;  // as many pairs as a coloured cell needs
};
using ComparedMaps = std::vector<std::shared_ptr<const MapData>>;  // [models]; null: a model without a map
// [models] A cell of the first map that is there, in all of them.
std::vector<ComparedCell> compareCell(const ComparedMaps& maps, MapCell cell);
// That map; null when there is none.
const MapData* firstMap(const ComparedMaps& maps);

}  // namespace plastiscope
