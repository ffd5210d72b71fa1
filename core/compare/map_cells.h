#pragma once
// Plasticity maps beside each other: one cell in several maps at once, matched by its distances in tokens,
// and the difference of two maps.
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

struct MapDifference {
  // mean: `other` - `first`, NaN where either has no pair; count: pairs of the side that has fewer, so that
  // cells with too few on either side are hatched.
  MapData map;
  double reach = 0;  // largest difference of a cell with enough pairs; the colours go from -reach to reach
};

// Null when window or cells differ.
std::shared_ptr<const MapDifference> differenceMap(const MapData& first, const MapData& other);

}  // namespace plastiscope
