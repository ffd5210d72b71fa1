#include "core/views/depth_data.h"

#include <cmath>
#include <map>

#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

std::map<std::int64_t, std::size_t> rowsByLayer(const Table& layers) {
  std::map<std::int64_t, std::size_t> rows;
  const NumberColumn layer(layers, "layer");
  for (std::size_t row = 0; row < layers.rows(); ++row) rows[layer.index(row)] = row;
  return rows;
}

}  // namespace

IntervalOver layerIntervals(const AnalysisFile& analysis, const std::string& column) {
  const Table* layers = analysis.find("layers");
  if (layers != nullptr && canResample(analysis) && hasIntervals(*layers, centreColumn(column)))
    return IntervalOver::Examples;
  return usesMedian(column) ? IntervalOver::None : IntervalOver::Heads;
}

LayerMeans layerMeans(const AnalysisFile& analysis, const std::vector<HeadName>& heads,
                      const std::vector<double>& values, const std::string& column, IntervalOver over) {
  std::map<std::int64_t, std::vector<double>> byLayer;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (std::isfinite(values[i])) byLayer[heads[i].layer].push_back(values[i]);
  }
  const Table* layers = analysis.find("layers");
  std::map<std::int64_t, std::size_t> rows;
  if (over == IntervalOver::Examples && layers != nullptr) rows = rowsByLayer(*layers);
  LayerMeans means;
  means.over = over;
  for (const auto& [layer, ofLayer] : byLayer) {
    Interval interval;
    if (over == IntervalOver::Heads) interval = intervalOverHeads(ofLayer);
    if (const auto row = rows.find(layer); row != rows.end())
      interval = intervalOverExamples(*layers, centreColumn(column), row->second);
    means.layer.push_back(layer);
    means.heads.push_back(static_cast<std::int64_t>(ofLayer.size()));
    means.centre.push_back(usesMedian(column) ? medianOfPresent(ofLayer) : meanOfPresent(ofLayer));
    means.low.push_back(interval.low);
    means.high.push_back(interval.high);
  }
  return means;
}

DepthData makeDepth(const AnalysisFile& analysis, const StudyFacts& facts, const std::string& column) {
  const Table& table = requiredTable(analysis, "heads");
  DepthData data;
  data.metric = requiredMetric(table, column);
  data.layers = facts.layers;
  data.examples = exampleCount(analysis);
  data.median = usesMedian(column);
  const HeadColumns names(table);
  const NumberColumn values(table, column);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!std::isfinite(values[row])) continue;
    data.heads.push_back(names[row]);
    data.values.push_back(values[row]);
  }
  data.means = layerMeans(analysis, data.heads, data.values, column, layerIntervals(analysis, column));
  return data;
}

}  // namespace plastiscope
