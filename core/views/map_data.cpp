#include "core/views/map_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxSide = 4096;  // cells per side; a finer map is not visible

MapData emptyMap(const AnalysisFile& analysis) {
  MapData map;
  const StudyFacts facts = factsOf(analysis);
  const AnalysisSettings settings = settingsOf(analysis);
  map.window = facts.window;
  map.cell = settings.mapCell > 0 ? settings.mapCell : facts.bucketSize;
  if (map.window <= 0 || map.cell <= 0)
    throw InputError("this analysis does not state its window and map cell");
  map.columns = map.rows = (map.window + map.cell - 1) / map.cell;
  if (map.columns > kMaxSide) {
    throw InputError("a map of " + withCommas(map.columns) + " x " + withCommas(map.rows) +
                     " cells: expected at most " + withCommas(kMaxSide) + " a side");
  }
  const auto cells = static_cast<std::size_t>(map.columns * map.rows);
  map.mean.assign(cells, 0);
  map.count.assign(cells, 0);
  map.pairsText = settings.pairs == 0 ? "all pairs" : withCommas(settings.pairs) + " pairs per bin";
  return map;
}

// Adds rows of a table: sum of PP in map.mean, pairs in map.count.
void addRows(MapData& map, const Table& table, const std::vector<RowRun>& rows) {
  const NumberColumn column(table, "distance_cell"), row(table, "midpoint_cell"), pairs(table, "pairs"),
      pp(table, "pp");
  for (const RowRun& run : rows) {
    for (std::size_t i = run.first; i < run.end; ++i) {
      const std::int64_t count = pairs.index(i);
      if (count == 0 || !std::isfinite(pp[i])) continue;
      const std::size_t cell = map.index(column.index(i, map.columns), row.index(i, map.rows));
      map.mean[cell] += static_cast<double>(count) * pp[i];
      map.count[cell] += count;
    }
  }
}

// Keys that a query cannot see form no pairs, so the map ends at the layer's window.
std::string reachText(const AnalysisFile& analysis, HeadName head, const MapData& map) {
  const Table& heads = requiredTable(analysis, "heads");
  const auto row = headRow(analysis, head);
  const std::string attention = row ? textAt(heads, "attention", *row) : "";
  if (attention != "sliding" && attention != "chunked") return {};
  std::int64_t columns = 0;
  for (std::int64_t column = 0; column < map.columns; ++column) {
    for (std::int64_t at = 0; at < map.rows; ++at) {
      if (map.count[map.index(column, at)] > 0) columns = column + 1;
    }
  }
  return attention + " attention: no pairs " +
         (columns == 0 ? "here" : "beyond " + withCommas(columns * map.cell) + " tokens");
}

}  // namespace

MapData makeMap(const AnalysisFile& analysis, const HeadScope& scope, ApKind plasticity) {
  requireScope(analysis, scope);
  MapData map = emptyMap(analysis);
  map.scopeText = scope.text();
  map.plasticity = plasticity;
  map.note = plasticityNote(analysis, scope, plasticity);
  const Table* model = analysis.find(placeOf(plasticity).mapModel);
  if (!scope.head && !scope.layer && scope.several.empty() && model != nullptr) {
    addRows(map, *model, {{0, model->rows()}});
  } else {
    const Table& table = requiredTable(analysis, placeOf(plasticity).map);
    addRows(map, table, rowsIn(scope, analysis, table));
  }
  for (std::size_t i = 0; i < map.mean.size(); ++i) {
    map.mean[i] = map.count[i] == 0 ? std::numeric_limits<double>::quiet_NaN()
                                    : map.mean[i] / static_cast<double>(map.count[i]);
  }
  if (scope.head) map.reach = reachText(analysis, *scope.head, map);
  return map;
}

std::int64_t MapData::cellsBelowMinimum() const {
  return std::count_if(count.begin(), count.end(), [this](std::int64_t n) { return n > 0 && n < minCount; });
}

KeyDistances keyDistances(const MapData& map, std::int64_t column, std::int64_t row) {
  const auto cell = static_cast<double>(map.cell);
  const double between = (static_cast<double>(column) + 0.5) * cell;
  const double midpoint = (static_cast<double>(row) + 0.5) * cell;
  return {std::max(0.0, midpoint - between / 2), midpoint + between / 2};
}

std::string neededRows() {
  const AnalysisSettings standard;
  return std::to_string(standard.minQueries) + " queries and " + std::to_string(standard.minPairs) +
         " key pairs";
}

std::string whyNoMap(const MapData& map) {
  if (std::ranges::any_of(map.count, [](std::int64_t pairs) { return pairs > 0; })) return {};
  if (!map.reach.empty())
    return "This layer has " + map.reach +
           ". Its queries see too few captured keys: capture more rows to see them.";
  return "Too few rows: no bin has " + neededRows() + ", so there are no pairs to show.";
}

}  // namespace plastiscope
