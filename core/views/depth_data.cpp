#include "core/views/depth_data.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/order_statistics.h"
#include "core/base/error.h"
#include "core/views/table_reading.h"

namespace plastiscope {

namespace {

double meanOf(const std::vector<double>& values) {
  MeanOf mean;
  for (const double value : values) mean.add(value);
  return mean.value();
}

}  // namespace

DepthData makeDepth(const AnalysisFile& analysis, const StudyFacts& facts, const std::string& column) {
  const Table& table = requiredTable(analysis, "heads");
  DepthData data;
  data.metric = requiredMetric(table, column);
  data.layers = facts.layers;
  data.median = column == "slope_ratio";
  const HeadColumns names(table);
  const NumberColumn values(table, column);
  std::map<std::int64_t, std::vector<double>> byLayer;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!std::isfinite(values[row])) continue;
    data.heads.push_back(names[row]);
    data.values.push_back(values[row]);
    byLayer[names[row].layer].push_back(values[row]);
  }
  for (const auto& [layer, ofLayer] : byLayer) {
    data.layer.push_back(layer);
    data.centre.push_back(data.median ? medianOfPresent(ofLayer) : meanOf(ofLayer));
    data.layerHeads.push_back(static_cast<std::int64_t>(ofLayer.size()));
  }
  return data;
}

}  // namespace plastiscope
