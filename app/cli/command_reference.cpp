#include <algorithm>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/compare/reference_check.h"
#include "core/compare/reference_data.h"
#include "core/compare/thesis_tables.h"
#include "core/jobs/compare_job.h"
#include "core/views/metric_export.h"
#include "core/views/table_text.h"

namespace plastiscope {

namespace {

Table listOfTables() {
  TableBuilder list("reference", {texts("name"), texts("content")});
  for (const ReferenceTable& table : referenceTables()) list.row({table.name, table.content});
  for (const ThesisTable& table : thesisTables())
    list.row({std::string(table.number), "table of the thesis: " + std::string(table.title)});
  return list.take();
}

Json describeTable(const ReferenceTable& table) {
  return {{"name", table.name}, {"content", table.content}, {"caveats", table.caveats}};
}

Json sourcesJson() {
  Json sources = Json::array();
  for (const SourceAccuracy& source : sourceAccuracies())
    sources.push_back(
        {{"source", source.source}, {"meaning", source.meaning}, {"accuracy", source.accuracy}});
  return sources;
}

void printTables(bool json) {
  if (!json) {
    printTable(listOfTables(), {"name", "content"});
    return;
  }
  Json tables = Json::array();
  for (const ReferenceTable& table : referenceTables()) tables.push_back(describeTable(table));
  Json thesis = Json::array();
  for (const ThesisTable& table : thesisTables())
    thesis.push_back({{"name", table.number}, {"content", table.title}});
  std::printf("%s\n",
              indentedJson({{"tables", tables}, {"thesis", thesis}, {"sources", sourcesJson()}}).c_str());
}

void printTableNamed(const std::string& name, bool json, PrintFormat format) {
  const ReferenceTable table = requiredReference(name);
  if (!json && format != PrintFormat::Csv) {
    std::fputs(printedText(referenceTable(name), format).c_str(), stdout);
    return;
  }
  if (!json) {
    std::fwrite(table.csv.data(), 1, table.csv.size(), stdout);
    return;
  }
  Json value = describeTable(table);
  value["rows"] = toJson(referenceTable(name));
  std::printf("%s\n", indentedJson(value).c_str());
}

// Table of the thesis by its number, followed by rows of the given analyses.
void printThesisTable(const std::string& number, const std::vector<std::string>& files, bool latex,
                      PrintFormat format, Progress& progress) {
  std::optional<Comparison> own;
  if (!files.empty()) {
    CompareRequest request;
    request.files.assign(files.begin(), files.end());
    own = compareFiles(request, 0, progress);
  }
  const Table table = makeThesisTable(number, own ? &*own : nullptr);
  const std::string title = thesisTable(number).title;
  std::fputs((latex ? toLatex(table, title, "tab:" + number) : printedText(table, format)).c_str(), stdout);
}

void printCheck(const Table& check, bool json) {
  std::printf("%s", json ? (indentedJson(toJson(check)) + "\n").c_str() : toCsv(check).c_str());
}

// Columns for a name: a column of any table, TABLE.COLUMN, or a whole table. All for an empty name.
std::vector<MetricInfo> chosenMetrics(const MetricCatalogue& catalogue, const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string table = dot == std::string::npos ? "" : name.substr(0, dot);
  const std::string column = dot == std::string::npos ? name : name.substr(dot + 1);
  std::vector<MetricInfo> chosen;
  std::vector<std::string> known;
  for (const TableInfo& one : catalogue.tables) known.push_back(one.name);
  for (const MetricInfo& metric : catalogue.metrics) {
    known.push_back(metric.column);
    const auto in = [&](const std::string& wanted) { return std::ranges::count(metric.tables, wanted) > 0; };
    const bool named = metric.column == column && (table.empty() || in(table));
    if (name.empty() || named || in(name)) chosen.push_back(metric);
  }
  if (!chosen.empty()) return chosen;
  if (const auto made = catalogue.find(table.empty() ? "heads" : table, column)) return {*made};
  throw UsageError("unknown metric or table \"" + name + "\"" + didYouMean(column, known));
}

void printMetrics(const std::string& name, bool json) {
  Json list = Json::array();
  for (const MetricInfo& metric : chosenMetrics(metricCatalogue(), name)) {
    if (json)
      list.push_back(metricJson(metric));
    else
      std::fputs(metricLines(metric).c_str(), stdout);
  }
  if (json) std::printf("%s\n", indentedJson(list).c_str());
}

}  // namespace

ProgramCommand referenceCommand(GlobalOptions&) {
  struct ReferenceOptions {
    std::string name;
    TableTarget tables;
    bool json = false, check = false, latex = false;
    PrintFormat format = PrintFormat::Csv;
    std::vector<std::string> own;
  };
  auto o = std::make_shared<ReferenceOptions>();
  OptionList options = {
      option("NAME", &o->name, "Print this table as CSV; without it all tables are listed"),
      option("--json", &o->json, "Print as JSON, with caveats"),
      option("--latex", &o->latex,
             "Print a table of the thesis (5.1 to A.2) as LaTeX, with the rules of booktabs"),
      formatOption(o->format),
      option("--own", &o->own, "Captures or analyses whose rows follow in the tables 6.1 and 6.2"),
      option("--check", &o->check,
             "Recompute values from the tables and list them beside those printed in the thesis"),
      option("--csv", &o->tables.csv, "With --check: write reference_check.csv into this folder")};
  addTableTarget(options, o->tables);
  const auto run = [o](const GlobalOptions& globals, Progress& progress) {
    if (isThesisTable(o->name)) {
      if (o->json)
        throw UsageError("a table of the thesis cannot be printed as JSON: leave out --json, or use --latex");
      return printThesisTable(o->name, o->own, o->latex, o->format, progress);
    }
    if (o->latex || !o->own.empty())
      throw UsageError("--latex and --own need a table of the thesis, such as reference 6.1");
    if (o->check && !o->name.empty())
      throw UsageError("--check checks all tables: leave out \"" + o->name + "\"");
    if (!o->tables.csv.empty() && !o->check) throw UsageError("--csv needs --check");
    if (!o->check) {
      o->name.empty() ? printTables(o->json) : printTableNamed(o->name, o->json, o->format);
      return;
    }
    const auto folder = o->tables.open({"reference --check", {}, Json::object()}, {"reference_check"});
    if (isLeft(folder, o->tables, globals)) return;
    const Table check = referenceCheckTable(referenceChecks());
    if (folder)
      folder->write({check}, {{"program_version", kVersion}, {"sources", sourcesJson()}});
    else
      printCheck(check, o->json);
  };
  return {.options = std::move(options), .run = run};
}

ProgramCommand metricsCommand(GlobalOptions&) {
  struct MetricsOptions {
    std::string name;
    bool json = false, markdown = false;
  };
  auto o = std::make_shared<MetricsOptions>();
  const auto run = [o](const GlobalOptions&, Progress&) {
    if (!o->markdown) return printMetrics(o->name, o->json);
    if (!o->name.empty()) throw UsageError("--markdown prints every table: leave " + o->name + " out");
    std::fputs(metricsMarkdown(metricCatalogue()).c_str(), stdout);
  };
  return {.options = {option("NAME", &o->name, "A column, TABLE.COLUMN or a table; default: everything"),
                      option("--json", &o->json, "Print as JSON"),
                      option("--markdown", &o->markdown, "Print the page of all tables and columns",
                             {.excludes = "--json"})},
          .run = run};
}

}  // namespace plastiscope
