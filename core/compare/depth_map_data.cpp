#include "core/compare/depth_map_data.h"

#include "core/analysis/head_groups.h"
#include "core/compare/measures.h"
#include "core/compare/table_builder.h"

namespace plastiscope {

DepthMapData makeDepthMap(const Comparison& comparison, const std::string& metric) {
  const ComparedColumn column = comparedColumn(comparison, metric);
  DepthMapData data;
  data.metric = column.metric;
  data.median = column.median;
  for (std::size_t m = 0; m < comparison.models.size(); ++m) {
    const ComparedModel& model = comparison.models[m];
    std::array<std::vector<double>, kDepthDeciles> byDecile;
    for (std::size_t h = 0; h < model.heads.size(); ++h) {
      const auto decile = static_cast<std::size_t>(depthDecile(model.heads[h].layer, model.facts.layers));
      byDecile.at(decile).push_back(column.values[m][h]);
    }
    DepthMapRow row;
    row.model = comparedName(model);
    for (std::size_t d = 0; d < kDepthDeciles; ++d) {
      const Spread spread = spreadOf(byDecile[d]);
      row.value[d] = column.median ? spread.median : spread.mean;
      row.heads[d] = spread.count;
    }
    data.rows.push_back(std::move(row));
  }
  return data;
}

Table tableOf(const DepthMapData& data) {
  TableBuilder table(
      "depth-map", {texts("model"), integers("depth_decile"), numbers("heads"), numbers(data.metric.column)});
  for (const DepthMapRow& row : data.rows) {
    for (std::size_t d = 0; d < kDepthDeciles; ++d) {
      const double heads = data.published.empty() ? static_cast<double>(row.heads[d]) : kMissing;
      table.row({row.model.name, static_cast<std::int64_t>(d), heads, row.value[d]});
    }
  }
  return table.take();
}

}  // namespace plastiscope
