#include "core/compare/matching.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plastiscope {

namespace {

double depthShare(std::int64_t index, std::int64_t count) {
  return count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0;
}

std::int64_t indexAt(double share, std::int64_t count) {
  return std::llround(share * static_cast<double>(std::max<std::int64_t>(count - 1, 0)));
}

bool sameShape(const StudyFacts& a, const StudyFacts& b) {
  return a.layers == b.layers && a.queryHeads == b.queryHeads;
}

// Common range of all heads of the grids.
std::pair<double, double> rangeOfGrids(const std::vector<std::shared_ptr<const HeadGridData>>& grids) {
  Extent extent;
  bool isSigned = false;
  for (const auto& grid : grids) {
    if (grid == nullptr) continue;
    isSigned = grid->metric.isSigned;
    for (const HeadGridCell& cell : grid->cells) {
      if (cell.captured) extent.add(cell.value);
    }
  }
  if (!extent.known()) return {0, 1};
  auto [low, high] = extent;
  if (isSigned) {
    high = std::max(std::fabs(low), std::fabs(high));
    low = -high;
  }
  const double half = low == high ? std::max(0.5, std::fabs(low) / 2) : 0;
  return {low - half, high + half};
}

}  // namespace

HeadMatching headMatchingOf(const Comparison& comparison) {
  if (comparison.matching) return *comparison.matching;
  const ComparedModel* leader = leaderOf(comparison);
  const bool same = std::ranges::all_of(comparison.models, [leader](const ComparedModel& model) {
    return model.published || sameShape(leader->facts, model.facts);
  });
  return same ? HeadMatching::SameHead : HeadMatching::RelativeDepth;
}

std::string headMatchingText(HeadMatching matching) {
  return matching == HeadMatching::SameHead ? "Heads are matched by layer and head."
                                            : "The numbers of layers or heads differ: heads are matched by "
                                              "relative depth. Matched heads need not do the same.";
}

std::optional<HeadName> matchedHead(const ComparedModel& from, HeadName head, const ComparedModel& to,
                                    HeadMatching matching) {
  HeadName wanted = head;
  if (matching == HeadMatching::RelativeDepth) {
    wanted.layer = indexAt(depthShare(head.layer, from.facts.layers), to.facts.layers);
    wanted.head = indexAt(depthShare(head.head, from.facts.queryHeads), to.facts.queryHeads);
  }
  std::optional<HeadName> nearest;
  for (const HeadName& candidate : to.heads) {
    if (candidate.layer != wanted.layer) continue;
    const auto distance = [&wanted](HeadName name) { return std::abs(name.head - wanted.head); };
    if (!nearest || distance(candidate) < distance(*nearest)) nearest = candidate;
  }
  if (matching == HeadMatching::SameHead && nearest != wanted) return std::nullopt;
  return nearest;
}

std::optional<HeadName> headMatchedBy(const ComparedModel& from, const ComparedModel& to, HeadName head,
                                      HeadMatching matching) {
  using Distance = std::pair<std::int64_t, std::int64_t>;  // layers first
  std::optional<HeadName> nearest;
  Distance least;
  for (const HeadName& candidate : from.heads) {
    const auto match = matchedHead(from, candidate, to, matching);
    if (!match) continue;
    const Distance distance{std::abs(match->layer - head.layer), std::abs(match->head - head.head)};
    if (nearest && distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

HeadGroup carriedGroup(const HeadGroup& group, const ComparedModel& from, const ComparedModel& to,
                       HeadMatching matching) {
  HeadGroup carried = group;
  carried.heads.clear();
  for (const HeadName& head : group.heads) {
    if (const auto match = matchedHead(from, head, to, matching)) carried.heads.push_back(*match);
  }
  std::ranges::sort(carried.heads);
  carried.heads.erase(std::unique(carried.heads.begin(), carried.heads.end()), carried.heads.end());
  return carried;
}

HeadGroups carriedGroups(const HeadGroups& groups, const AnalysisFile& from, const AnalysisFile& to) {
  ComparedModel first, other;
  first.facts = factsOf(from);
  other.facts = factsOf(to);
  other.heads = headsOf(to);
  const bool same = sameShape(first.facts, other.facts);
  HeadGroups carried;
  for (const HeadGroup& group : groups) {
    carried.push_back(
        carriedGroup(group, first, other, same ? HeadMatching::SameHead : HeadMatching::RelativeDepth));
    if (carried.back().heads.empty()) carried.pop_back();
  }
  return carried;
}

ComparedGrids compareGrids(const Comparison& comparison, const std::string& metric) {
  ComparedGrids data;
  for (const ComparedModel& model : comparison.models) {
    const bool known = !model.published && requiredTable(*model.analysis, "heads").find(metric) != nullptr;
    data.grids.push_back(
        known ? std::make_shared<const HeadGridData>(makeHeadGrid(model.analysis, model.facts, metric))
              : nullptr);
  }
  data.range = rangeOfGrids(data.grids);
  return data;
}

namespace {

// Labels a grid whose cells are differences, on colours symmetric around 0.
void showDifferences(HeadGridData& grid) {
  grid.source = nullptr;  // its details would be those of one model only
  grid.metric.label = "difference of " + grid.metric.label;
  grid.metric.isSigned = true;
  grid.metric.range.reset();
  double reach = 0;
  for (const HeadGridCell& cell : grid.cells) {
    if (cell.captured && std::isfinite(cell.value)) reach = std::max(reach, std::fabs(cell.value));
  }
  grid.high = reach > 0 ? reach : 0.5;
  grid.low = -grid.high;
}

}  // namespace

std::shared_ptr<const HeadGridData> differenceGrid(const HeadGridData& first, const HeadGridData& other) {
  if (first.layers != other.layers || first.heads != other.heads) return nullptr;
  auto grid = std::make_shared<HeadGridData>(first);
  grid->shown = grid->missing = grid->notCaptured = 0;
  for (std::size_t i = 0; i < grid->cells.size(); ++i) {
    HeadGridCell& cell = grid->cells[i];
    cell.captured = cell.captured && other.cells[i].captured;
    cell.value = cell.captured ? other.cells[i].value - first.cells[i].value : 0;
    ++(!cell.captured ? grid->notCaptured : std::isfinite(cell.value) ? grid->shown : grid->missing);
  }
  showDifferences(*grid);
  grid->ranked.clear();
  findSpreads(*grid);
  return grid;
}

std::shared_ptr<const HeadGridData> differenceGrid(const ComparedModel& firstModel, const HeadGridData& first,
                                                   const ComparedModel& otherModel,
                                                   const HeadGridData& other) {
  if (auto same = differenceGrid(first, other)) return same;
  auto grid = std::make_shared<HeadGridData>(other);
  for (const HeadName& head : otherModel.heads) {
    HeadGridCell& cell = grid->cells[static_cast<std::size_t>(head.layer * other.heads + head.head)];
    const auto match = matchedHead(otherModel, head, firstModel, HeadMatching::RelativeDepth);
    cell.value = match ? cell.value - first.at(match->layer, match->head).value : kMissing;
  }
  showDifferences(*grid);
  return grid;
}

// ---- Maps

std::optional<MapCell> matchedCell(const MapData& from, MapCell cell, const MapData& to) {
  if (to.cell <= 0) return std::nullopt;
  const auto placeOf = [&](std::int64_t index) {  // twice the middle of a cell is an integer
    return (2 * index + 1) * from.cell / (2 * to.cell);
  };
  const MapCell match{placeOf(cell.column), placeOf(cell.row)};
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

bool MapDifference::isEmpty() const {
  return std::ranges::none_of(map.count, [](std::int64_t pairs) { return pairs > 0; });
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
    map.mean[i] = map.count[i] > 0 ? other.mean[i] - first.mean[i] : kMissing;
  }
  difference->reach = largestIn(map);
  if (difference->reach == 0) difference->reach = 0.5;
  return difference;
}

std::shared_ptr<const MapData> differenceByShare(const MapData& first, const MapData& other) {
  if (const auto same = differenceMap(first, other)) return {same, &same->map};
  auto difference = std::make_shared<MapData>(other);
  const auto cellAt = [](std::int64_t index, const MapData& from, const MapData& to) {
    const double share = (static_cast<double>(index) + 0.5) * static_cast<double>(from.cell) /
                         static_cast<double>(from.window);
    return static_cast<std::int64_t>(share * static_cast<double>(to.window) / static_cast<double>(to.cell));
  };
  for (std::int64_t row = 0; row < other.rows; ++row) {
    for (std::int64_t column = 0; column < other.columns; ++column) {
      const std::size_t index = other.index(column, row);
      const std::int64_t x = cellAt(column, other, first), y = cellAt(row, other, first);
      const bool inside = x < first.columns && y < first.rows;
      const std::size_t from = inside ? first.index(x, y) : 0;
      const bool enough = inside && first.count[from] >= std::max<std::int64_t>(1, first.minCount);
      difference->mean[index] = enough ? other.mean[index] - first.mean[from] : kMissing;
      if (!enough) difference->count[index] = 0;
    }
  }
  return difference;
}

double largestIn(const MapData& map) {
  double largest = 0;
  for (std::size_t i = 0; i < map.mean.size(); ++i) {
    if (map.count[i] >= map.minCount && std::isfinite(map.mean[i]))
      largest = std::max(largest, std::fabs(map.mean[i]));
  }
  return largest;
}

}  // namespace plastiscope
