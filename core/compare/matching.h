#pragma once
// Matches heads and map cells between models, and makes differences of grids and maps.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/compare/comparison.h"
#include "core/views/head_grid_data.h"
#include "core/views/head_group.h"
#include "core/views/map_data.h"

namespace plastiscope {

// Matching of the comparison if set, else SameHead if all models have the same layers and heads, else
// RelativeDepth.
HeadMatching headMatchingOf(const Comparison& comparison);
// One sentence that explains the matching.
std::string headMatchingText(HeadMatching matching);
// The head of `to` that matches; nothing if the matching layer has no captured head or, with SameHead, that
// head was not captured.
std::optional<HeadName> matchedHead(const ComparedModel& from, HeadName head, const ComparedModel& to,
                                    HeadMatching matching);
// The head of `from` whose match in `to` is `head`, or nearest to it; nothing if none has a match.
std::optional<HeadName> headMatchedBy(const ComparedModel& from, const ComparedModel& to, HeadName head,
                                      HeadMatching matching);

// A group of heads of `from` as the heads of `to` that match; without heads if none does.
HeadGroup carriedGroup(const HeadGroup& group, const ComparedModel& from, const ComparedModel& to,
                       HeadMatching matching);
// The same for all groups between two analyses, matched as the heads of a comparison; groups without matching
// heads are left out.
HeadGroups carriedGroups(const HeadGroups& groups, const AnalysisFile& from, const AnalysisFile& to);

struct ComparedGrids {
  std::vector<std::shared_ptr<const HeadGridData>> grids;  // [models]; null if a model lacks the metric
  std::pair<double, double> range{0, 1};                   // of all values, symmetric for signed metrics
};
ComparedGrids compareGrids(const Comparison& comparison, const std::string& metric);

// `other` - `first` head by head, on a range symmetric around 0; heads missing in either count as not
// captured. Null if the numbers of layers or heads differ.
std::shared_ptr<const HeadGridData> differenceGrid(const HeadGridData& first, const HeadGridData& other);
// Also for other numbers of layers or heads: each head of `other` minus the head at the same relative depth
// of `first`.
std::shared_ptr<const HeadGridData> differenceGrid(const ComparedModel& firstModel, const HeadGridData& first,
                                                   const ComparedModel& otherModel,
                                                   const HeadGridData& other);

// ---- plasticity maps: cells matched by their distances in tokens

struct MapCell {
  std::int64_t column = 0, row = 0;
  bool operator==(const MapCell&) const = default;
};

// The cell of `to` that contains the middle of a cell of `from`; the same cell if their sizes agree. Nothing
// if it lies beyond the window of `to`.
std::optional<MapCell> matchedCell(const MapData& from, MapCell cell, const MapData& to);

// Value of a map at a matched cell.
struct ComparedCell {
  std::optional<MapCell> cell;  // not set: no map, or beyond its window
  double mean = kMissing;
  std::int64_t pairs = 0;
  bool enough = false;  // has enough pairs for a coloured cell
};
using ComparedMaps = std::vector<std::shared_ptr<const MapData>>;  // [models]; null: no map
// [models] The cell of the first existing map, matched in all maps.
std::vector<ComparedCell> compareCell(const ComparedMaps& maps, MapCell cell);
// The first existing map; null if there is none.
const MapData* firstMap(const ComparedMaps& maps);

struct MapDifference {
  // mean: `other` - `first`, NaN if either has no pair; count: the smaller number of pairs, so that cells
  // with too few on either side are hatched.
  MapData map;
  double reach = 0;      // largest difference of a cell with enough pairs; colours go from -reach to reach
  bool isEmpty() const;  // no cell has pairs on both sides
};

// Null if window or cells differ.
std::shared_ptr<const MapDifference> differenceMap(const MapData& first, const MapData& other);
// Also for other windows or cells: each cell of `other` minus the cell of `first` at the same share of the
// window.
std::shared_ptr<const MapData> differenceByShare(const MapData& first, const MapData& other);
double largestIn(const MapData& map);  // absolute value of a cell with enough pairs; 0 without one

}  // namespace plastiscope
