#include "core/compare/map_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plastiscope {

namespace {

// Twice the middle of a cell, so that it is a whole number of tokens.
std::int64_t twiceMiddle(std::int64_t cell, std::int64_t size) {
  return (2 * cell + 1) * size;
}

}  // namespace

std::optional<MapCell> matchedCell(const MapData& from, MapCell cell, const MapData& to) {
  if (to.cell <= 0) return std::nullopt;
  const MapCell match{twiceMiddle(cell.column, from.cell) / (2 * to.cell),
                      twiceMiddle(cell.row, from.cell) / (2 * to.cell)};
  const bool inside = match.column >= 0 && match.row >= 0 && match.column < to.columns && match.row < to.rows;
  return inside ? std::optional(match) : std::nullopt;
}

const MapData* firstMap(const ComparedMaps& maps) {
  for (const auto& map : maps) {
    if (map != nullptr) return map.get();
  }
  return nullptr;
}

std::vector<ComparedCell> compareCell(const ComparedMaps& maps, MapCell cell) {
  const MapData* first = firstMap(maps);
  std::vector<ComparedCell> cells;
  for (const auto& map : maps) {
    ComparedCell& one = cells.emplace_back();
    if (map == nullptr) continue;
    one.cell = matchedCell(*first, cell, *map);
    if (!one.cell) continue;
    const std::size_t index = map->index(one.cell->column, one.cell->row);
    one.mean = map->mean[index];
    one.pairs = map->count[index];
    one.enough = one.pairs >= map->minCount;
  }
  return cells;
}

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
