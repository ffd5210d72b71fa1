#include "core/views/headvis.h"

#include <algorithm>
#include <cmath>

#include "core/base/checked_json.h"
#include "core/base/descriptor.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

constexpr std::string_view kFirstRow = "[\n{\"layer\":";
constexpr const char *kMaker = "made_by", *kMakerName = "Plastiscope ";
constexpr int kIntervals = 10;  // default of HeadVis, for sequences that only its pipeline makes

// The numeric columns in which at least one head has a value.
std::vector<MetricInfo> knownMetrics(const Table& heads) {
  std::vector<MetricInfo> metrics = metricsOf(heads);
  std::erase_if(metrics, [&](const MetricInfo& metric) {
    const NumberColumn values(heads, metric.column);
    for (std::size_t row = 0; row < heads.rows(); ++row) {
      if (std::isfinite(values[row])) return false;
    }
    return true;
  });
  return metrics;
}

std::string descriptionOf(const MetricInfo& metric) {
  return metric.title + (metric.unit.empty() ? "" : " (" + metric.unit + ")") + ". " + metric.meaning;
}

}  // namespace

std::string headVisRows(const AnalysisFile& analysis) {
  const Table& heads = requiredTable(analysis, "heads");
  const HeadColumns names(heads);
  std::vector<std::pair<std::string, NumberColumn>> columns;
  for (const MetricInfo& metric : knownMetrics(heads))
    columns.emplace_back("," + Json(metric.column).dump() + ":", NumberColumn(heads, metric.column));
  std::string text = "[";
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    const HeadName head = names[row];
    text += std::string(row == 0 ? "" : ",") + "\n{\"layer\":" + std::to_string(head.layer) +
            ",\"head\":" + std::to_string(head.head);
    for (const auto& [key, values] : columns) {
      if (std::isfinite(values[row])) text += key + numberText(values[row]);
    }
    text += "}";
  }
  return text + "\n]\n";
}

OutputKind headVisRowsOutput() {
  return {"metrics of heads as JSON",
          [](const std::filesystem::path& file) { return readStart(file, kFirstRow.size()) == kFirstRow; }};
}

std::string headVisConfig(const AnalysisFile& analysis) {
  const Table& table = requiredTable(analysis, "heads");
  const StudyFacts facts = factsOf(analysis);
  Json heads = Json::array(), metrics = Json::array(), descriptions = Json::object();
  for (const HeadName& head : headsOf(analysis)) heads.push_back({head.layer, head.head});
  for (const MetricInfo& metric : knownMetrics(table)) {
    metrics.push_back(metric.column);
    descriptions[metric.column] = descriptionOf(metric);
  }
  return indentedJson({{"model_name", facts.model},
                       {"heads", std::move(heads)},
                       {"n_layers", facts.layers},
                       {"n_heads", facts.queryHeads},
                       {"n_intervals", kIntervals},
                       {"metrics", std::move(metrics)},
                       {"metric_descriptions", std::move(descriptions)},
                       {"head_data_pattern", "L{layer}H{head}.json"},
                       {"has_umap", false},
                       {"umap_heads", Json::array()},
                       {kMaker, std::string(kMakerName) + kVersion}}) +
         "\n";
}

OutputKind headVisConfigOutput() {
  return {"a config of HeadVis made by this program", [](const std::filesystem::path& file) {
            return textOr(readJsonFile(file), kMaker).starts_with(kMakerName);
          }};
}

}  // namespace plastiscope
