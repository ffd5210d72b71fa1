#include "core/views/metric_help.h"

#include <algorithm>

#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"

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

}  // namespace plastiscope
