#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/views/metric_help.h"

namespace plastiscope {

namespace {

// The columns that a name means: a column of any table, TABLE.COLUMN, or a whole table. All without a name.
std::vector<MetricInfo> chosenMetrics(const MetricCatalogue& catalogue, const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string table = dot == std::string::npos ? "" : name.substr(0, dot);
  const std::string column = dot == std::string::npos ? name : name.substr(dot + 1);
  std::vector<MetricInfo> chosen;
  std::vector<std::string> known;
  for (const TableInfo& one : catalogue.tables) known.push_back(one.name);
  for (const MetricInfo& metric : catalogue.metrics) {
    known.push_back(metric.column);
    const auto in = [&](const std::string& wanted) {
      return std::find(metric.tables.begin(), metric.tables.end(), wanted) != metric.tables.end();
    };
    const bool named = metric.column == column && (table.empty() || in(table));
    if (name.empty() || named || in(name)) chosen.push_back(metric);
  }
  if (!chosen.empty()) return chosen;
  if (const auto made = catalogue.find(table.empty() ? "heads" : table, column)) return {*made};
  const std::string near = nearestName(column, known);
  throw UsageError("unknown metric or table \"" + name + "\"" +
                   (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace

CommandRun addMetrics(CLI::App& app, GlobalOptions&) {
  struct Options {
    std::string name;
    bool json = false, markdown = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name, "A column, TABLE.COLUMN or a table; without it, everything");
  auto* json = app.add_flag("--json", options->json, "As JSON");
  app.add_flag("--markdown", options->markdown, "The page of all tables and columns")->excludes(json);
  return [options](const GlobalOptions&, Progress&) {
    const MetricCatalogue& catalogue = metricCatalogue();
    if (options->markdown && !options->name.empty())
      throw UsageError("--markdown prints every table: leave " + options->name + " out");
    if (options->markdown) {
      std::fputs(metricsMarkdown(catalogue).c_str(), stdout);
      return;
    }
    const std::vector<MetricInfo> chosen = chosenMetrics(catalogue, options->name);
    Json list = Json::array();
    for (const MetricInfo& metric : chosen) {
      if (options->json) {
        list.push_back(metricJson(metric));
      } else {
        std::fputs(metricLines(metric).c_str(), stdout);
      }
    }
    if (options->json) std::printf("%s\n", indentedJson(list).c_str());
  };
}

}  // namespace plastiscope
