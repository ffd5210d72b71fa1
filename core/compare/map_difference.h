#pragma once
// The difference of two plasticity maps, cell by cell.
#include <memory>

#include "core/views/map_data.h"

namespace plastiscope {

struct MapDifference {
  // mean: `other` - `first`, NaN where either has no pair; count: pairs of the side that has fewer, so that
  // cells with too few on either side are hatched.
  MapData map;
  double reach = 0;  // largest difference of a cell with enough pairs; the colours go from -reach to reach
};

// Null when window or cells differ.
std::shared_ptr<const MapDifference> differenceMap(const MapData& first, const MapData& other);

}  // namespace plastiscope
