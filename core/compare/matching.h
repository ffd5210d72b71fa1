#pragma once
// Heads and maps of models beside each other: which head, or cell of a map, of one model stands for that of
// another, and differences of grids and of maps.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/compare/comparison.h"
#include "core/views/head_grid_data.h"
#include "core/views/map_data.h"

namespace plastiscope {

// As the comparison says, else SameHead where all models have the same layers and heads.
HeadMatching headMatchingOf(const Comparison& comparison);
// One sentence for people.
std::string headMatchingText(HeadMatching matching);
// Nothing when the matching layer has no captured head, or, with SameHead, when that head was not captured.
std::optional<HeadName> matchedHead(const ComparedModel& from, HeadName head, const ComparedModel& to,
                                    HeadMatching matching);
// The head of `from` whose match in `to` is `head`, or nearest to it; nothing when none has a match.
std::optional<HeadName> headMatchedBy(const ComparedModel& from, const ComparedModel& to, HeadName head,
                                      HeadMatching matching);

struct ComparedGrids {
  std::vector<std::shared_ptr<const HeadGridData>> grids;  // [models]; null where a model lacks the metric
  std::pair<double, double> range{0, 1};                   // of all values, symmetric for signed metrics
};
ComparedGrids compareGrids(const Comparison& comparison, const std::string& metric);

// `other` - `first`, head by head, on a range symmetric around 0; heads that either lacks count as not
// captured. Null when layers or heads differ in number.
std::shared_ptr<const HeadGridData> differenceGrid(const HeadGridData& first, const HeadGridData& other);

// ---- Plasticity maps: one cell in several maps at once, matched by its distances in tokens

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
  double mean = kMissing;
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
  bool isEmpty() const;  // no cell has pairs on both sides
};

// Null when window or cells differ.
std::shared_ptr<const MapDifference> differenceMap(const MapData& first, const MapData& other);

}  // namespace plastiscope
