#include "core/views/head_metrics.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

std::pair<double, double> rangeOf(const std::vector<double>& values, bool isSigned) {
  Extent extent;
  for (const double value : values) extent.add(value);
  auto [low, high] = extent.known() ? extent : Extent{0, 1};
  if (isSigned) {
    high = std::max(std::fabs(low), std::fabs(high));
    low = -high;
  }
  if (low == high) high = low + 1;
  return {low, high};
}

}  // namespace

HeadMetricsData makeHeadMetrics(const AnalysisFile& analysis, const HeadAxes& axes) {
  const Table& table = requiredTable(analysis, "heads");
  HeadMetricsData data;
  data.x = requiredMetric(table, axes.x);
  data.y = requiredMetric(table, axes.y);
  if (!axes.colour.empty()) data.colour = requiredMetric(table, axes.colour);
  data.classes = taxonomyClasses();
  const HeadColumns names(table);
  const NumberColumn x(table, axes.x), y(table, axes.y);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!std::isfinite(x[row]) || !std::isfinite(y[row])) continue;
    data.heads.push_back(names[row]);
    data.across.push_back(x[row]);
    data.up.push_back(y[row]);
    if (data.colour) data.shade.push_back(numberAt(table, axes.colour, row));
    const auto of = std::ranges::find(data.classes, textAt(table, "taxonomy", row), &TaxonomyClass::name);
    if (of != data.classes.end()) ++of->heads;
    data.classOf.push_back(static_cast<std::size_t>(of - data.classes.begin()));
  }
  if (data.colour) data.shadeRange = rangeOf(data.shade, data.colour->isSigned);
  data.contours = densityContours(data.across, data.up, HeadMetricsData::kShares);
  return data;
}

Table tableOf(const HeadMetricsData& data) {
  Table table{"head-metrics", {}};
  std::vector<std::int64_t> layers, heads;
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < data.heads.size(); ++i) {
    layers.push_back(data.heads[i].layer);
    heads.push_back(data.heads[i].head);
    classes.push_back(data.classOf[i] < data.classes.size() ? data.classes[data.classOf[i]].name : "");
  }
  table.columns = {{"layer", layers}, {"head", heads}, {data.x.column, data.across}};
  if (data.y.column != data.x.column) table.columns.push_back({data.y.column, data.up});
  if (!data.colour)
    table.columns.push_back({"taxonomy", classes});
  else if (table.find(data.colour->column) == nullptr)
    table.columns.push_back({data.colour->column, data.shade});
  return table;
}

}  // namespace plastiscope
