#include "core/views/metric_export.h"

#include <algorithm>
#include <cmath>

#include "core/base/checked_json.h"
#include "core/base/descriptor.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

// Unit and range, where defined.
std::string measureText(const MetricInfo& metric) {
  if (!metric.range) return metric.unit;
  return metric.unit + (metric.unit.empty() ? "" : "; ") + numberText(metric.range->first) + " to " +
         numberText(metric.range->second);
}

struct Line {
  const char* name;
  std::string MetricInfo::*text;
};
constexpr Line kLines[] = {{"formula", &MetricInfo::formula},
                           {"sign", &MetricInfo::sign},
                           {"beware", &MetricInfo::caveat},
                           {"thesis", &MetricInfo::thesis}};

std::string markdownOf(const MetricInfo& metric) {
  const std::string measure = measureText(metric);
  std::string text = "- **`" + metric.column + "`**: " + metric.title +
                     (measure.empty() ? "" : " (" + measure + ")") + ". " + metric.meaning;
  if (!metric.formula.empty()) text += "\n  Formula: `" + metric.formula + "`.";
  if (!metric.sign.empty()) text += "\n  Sign: " + metric.sign;
  if (!metric.caveat.empty()) text += "\n  *" + metric.caveat + "*";
  if (!metric.thesis.empty()) text += "\n  Thesis: " + metric.thesis + ".";
  return text + "\n";
}

}  // namespace

std::string plainLabel(const std::string& label) {
  std::string text;
  bool inTag = false;
  for (const char c : label) {
    if (c == '<') inTag = true;
    if (!inTag) text += c;
    if (c == '>') inTag = false;
  }
  return text;
}

std::string metricLines(const MetricInfo& metric) {
  const std::string measure = measureText(metric);
  std::string text = metric.column + ": " + metric.title + (measure.empty() ? "" : " (" + measure + ")") +
                     "\n  " + metric.meaning + "\n";
  for (const Line& line : kLines) {
    if (!(metric.*line.text).empty()) text += std::string("  ") + line.name + ": " + metric.*line.text + "\n";
  }
  return text + "  tables: " + joined(metric.tables) + "\n";
}

Json metricJson(const MetricInfo& metric) {
  Json json = {{"column", metric.column},   {"title", metric.title},     {"label", plainLabel(metric.label)},
               {"unit", metric.unit},       {"group", metric.group},     {"signed", metric.isSigned},
               {"range", nullptr},          {"formula", metric.formula}, {"sign", metric.sign},
               {"meaning", metric.meaning}, {"caveat", metric.caveat},   {"tables", metric.tables},
               {"thesis", metric.thesis}};
  if (metric.range) json["range"] = {metric.range->first, metric.range->second};
  return json;
}

std::string metricsMarkdown(const MetricCatalogue& catalogue) {
  std::string page =
      "# Tables and columns\n\nEvery table of an analysis and every column in it. Empty cells are missing "
      "values.\n"
      "This page is printed by `plastiscope-cli metrics --markdown`. *Thesis* names the equations, figures "
      "and tables of the thesis to which a column belongs; columns without it are this program's own, or "
      "come from the work that they name.\n";
  for (const TableInfo& table : catalogue.tables) {
    page += "\n## " + table.name + ".csv\n\n" + table.text + " " +
            static_cast<char>(std::toupper(static_cast<unsigned char>(table.rows.front()))) +
            table.rows.substr(1) + ".\n\n";
    std::vector<std::string> elsewhere;
    for (const MetricInfo& metric : catalogue.metrics) {
      if (std::ranges::count(metric.tables, table.name) == 0) continue;
      if (metric.tables.front() == table.name) {
        page += markdownOf(metric);
      } else {
        elsewhere.push_back("`" + metric.column + "` (" + metric.tables.front() + ".csv)");
      }
    }
    if (!elsewhere.empty()) page += "- As elsewhere: " + joined(elsewhere) + ".\n";
  }
  page +=
      "\n## Imported columns\n\nheads.csv of an analysis can have columns of numbers that other programs "
      "computed (`plastiscope-cli import head-metrics`). Their names begin with `imported_` unless another "
      "prefix was given. The other program defines their meaning: Plastiscope neither computes nor checks "
      "them, gives them no unit, range or interval, and leaves them out of layers.csv and the other "
      "summaries. provenance.json and `info` name the file they came from.\n";
  page += "\n## Endings\n\nColumns that are derived from another one:\n\n";
  for (const MetricSuffix& suffix : catalogue.suffixes)
    page += "- **`" + suffix.suffix + "`**: " + suffix.meaning + "\n";
  return page;
}

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
