// layers.csv and model.csv: means over heads of the measured columns of heads.csv (method.md section 6).
#include "core/analysis/facets.h"
#include "core/analysis/tables.h"

namespace plastiscope {

Table layersTable(const Table& heads) {
  const std::vector<HeadsGroup> groups = groupsByNumber(heads.integers("layer"));
  std::vector<std::int64_t> layers, counts;
  for (const HeadsGroup& group : groups) {
    layers.push_back(group.number);
    counts.push_back(static_cast<std::int64_t>(group.rows.size()));
  }
  Table table{"layers", {{"layer", layers}, {"heads", counts}}};
  addGroupMeans(table, heads, groups);
  return table;
}

Table modelTable(const Table& heads) {
  HeadsGroup all;
  for (std::size_t row = 0; row < heads.rows(); ++row) all.rows.push_back(row);
  Table table{"model", {{"heads", std::vector<std::int64_t>{static_cast<std::int64_t>(all.rows.size())}}}};
  addGroupMeans(table, heads, {all});
  return table;
}

}  // namespace plastiscope
