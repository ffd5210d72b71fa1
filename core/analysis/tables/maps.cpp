// map.csv and map_model.csv: PP by distance (method.md section 5).
#include <map>

#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

Table mapTable(const TableInput& input) {
  HeadTable table("map");
  Integers distance, midpoint, pairs;
  Numbers pp;
  for (const HeadResult& head : input.heads) {
    for (const MapCellSum& cell : head.plasticity.cells) {
      table.startRow(head);
      distance.push_back(cell.distanceCell);
      midpoint.push_back(cell.midpointCell);
      pairs.push_back(cell.pairs);
      pp.push_back(cell.sum / static_cast<double>(cell.pairs));
    }
  }
  return table.finish(
      {{"distance_cell", distance}, {"midpoint_cell", midpoint}, {"pairs", pairs}, {"pp", pp}});
}

namespace {

// What the heads put into one cell.
struct ModelCell {
  std::int64_t pairs = 0;
  Numbers sums, means;

  double pp(bool headMean) const {
    if (headMean) return sumOf(means) / static_cast<double>(means.size());
    return sumOf(sums) / static_cast<double>(pairs);
  }
};

}  // namespace

Table mapModelTable(const TableInput& input) {
  std::map<std::pair<std::int64_t, std::int64_t>, ModelCell> cells;
  for (const HeadResult& head : input.heads) {
    for (const MapCellSum& cell : head.plasticity.cells) {
      ModelCell& pool = cells[{cell.distanceCell, cell.midpointCell}];
      pool.pairs += cell.pairs;
      pool.sums.push_back(cell.sum);
      pool.means.push_back(cell.sum / static_cast<double>(cell.pairs));
    }
  }
  const bool headMean = input.context.settings.mapAggregation == "head_mean";
  Integers distance, midpoint, pairs;
  Numbers pp;
  for (const auto& [place, cell] : cells) {
    distance.push_back(place.first);
    midpoint.push_back(place.second);
    pairs.push_back(cell.pairs);
    pp.push_back(cell.pp(headMean));
  }
  return {"map_model",
          {{"distance_cell", distance}, {"midpoint_cell", midpoint}, {"pairs", pairs}, {"pp", pp}}};
}

}  // namespace plastiscope
