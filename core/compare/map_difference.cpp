#include "core/compare/map_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plastiscope {

std::shared_ptr<const MapDifference> differenceMap(const MapData& first, const MapData& other) {
  const auto shape = [](const MapData& map) {
    return std::array{map.window, map.cell, map.columns, map.rows};
  };
  if (shape(first) != shape(other)) return nullptr;
  auto difference = std::make_shared<MapDifference>();
  MapData& map = difference->map;
  map = first;
  map.minCount = std::max(first.minCount, other.minCount);
  for (std::size_t i = 0; i < map.mean.size(); ++i) {
    map.count[i] = std::min(first.count[i], other.count[i]);
    map.mean[i] = map.count[i] > 0 ? other.mean[i] - first.mean[i] : std::numeric_limits<double>::quiet_NaN();
    if (map.count[i] >= map.minCount && std::isfinite(map.mean[i]))
      difference->reach = std::max(difference->reach, std::fabs(map.mean[i]));
  }
  if (difference->reach == 0) difference->reach = 0.5;
  return difference;
}

}  // namespace plastiscope
