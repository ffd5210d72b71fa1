// layers.csv and model.csv: means over heads of the measured columns of heads.csv (method.md section 6).
#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/tables.h"

namespace plastiscope {

namespace {

constexpr const char* kHeavyTailed = "slope_ratio";

double medianOf(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double value) { return std::isnan(value); }),
               values.end());
  if (values.empty()) return kMissing;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// One row for every group of head rows.
void addMeasured(Table& table, const Table& heads, const std::vector<std::vector<std::size_t>>& groups) {
  for (const Column& column : heads.columns) {
    const auto* values = std::get_if<std::vector<double>>(&column.values);
    if (values == nullptr) continue;  // places, counts of rows and texts
    std::vector<double> means, medians;
    std::vector<std::int64_t> counts;
    for (const auto& group : groups) {
      std::vector<double> chosen;
      for (const std::size_t row : group) chosen.push_back((*values)[row]);
      std::int64_t present = 0;
      means.push_back(meanOfPresent(chosen, &present));
      counts.push_back(present);
      medians.push_back(medianOf(chosen));
    }
    table.columns.push_back({column.name, std::move(means)});
    table.columns.push_back({column.name + "_heads", std::move(counts)});
    if (column.name == kHeavyTailed) table.columns.push_back({column.name + "_median", std::move(medians)});
  }
}

}  // namespace

Table layersTable(const Table& heads) {
  std::map<std::int64_t, std::vector<std::size_t>> byLayer;
  const auto& layerOf = heads.integers("layer");
  for (std::size_t row = 0; row < layerOf.size(); ++row) byLayer[layerOf[row]].push_back(row);
  std::vector<std::int64_t> layers, counts;
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& [layer, rows] : byLayer) {
    layers.push_back(layer);
    counts.push_back(static_cast<std::int64_t>(rows.size()));
    groups.push_back(rows);
  }
  Table table{"layers", {{"layer", layers}, {"heads", counts}}};
  addMeasured(table, heads, groups);
  return table;
}

Table modelTable(const Table& heads) {
  std::vector<std::size_t> all(heads.rows());
  for (std::size_t row = 0; row < all.size(); ++row) all[row] = row;
  Table table{"model", {{"heads", std::vector<std::int64_t>{static_cast<std::int64_t>(all.size())}}}};
  addMeasured(table, heads, {all});
  return table;
}

}  // namespace plastiscope
