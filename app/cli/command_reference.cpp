#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/compare/reference_check.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

Table listOfTables() {
  std::vector<std::string> names, contents;
  for (const ReferenceTable& table : referenceTables()) {
    names.push_back(table.name);
    contents.push_back(table.content);
  }
  return {"reference", {{"name", names}, {"content", contents}}};
}

Json describe(const ReferenceTable& table) {
  return {{"name", table.name}, {"content", table.content}, {"caveats", table.caveats}};
}

Json sourcesJson() {
  Json sources = Json::array();
  for (const SourceAccuracy& source : sourceAccuracies())
    sources.push_back(
        {{"source", source.source}, {"meaning", source.meaning}, {"accuracy", source.accuracy}});
  return sources;
}

void printList(bool json) {
  if (!json) {
    printTable(listOfTables(), {"name", "content"});
    return;
  }
  Json tables = Json::array();
  for (const ReferenceTable& table : referenceTables()) tables.push_back(describe(table));
  std::printf("%s\n", indentedJson({{"tables", tables}, {"sources", sourcesJson()}}).c_str());
}

void printOne(const std::string& name, bool json) {
  const ReferenceTable table = requiredReference(name);
  if (!json) {
    std::fwrite(table.csv.data(), 1, table.csv.size(), stdout);
    return;
  }
  Json value = describe(table);
  value["rows"] = toJson(referenceTable(name));
  std::printf("%s\n", indentedJson(value).c_str());
}

void printCheck(const Table& check, bool json) {
  std::printf("%s", json ? (indentedJson(toJson(check)) + "\n").c_str() : toCsv(check).c_str());
}

}  // namespace

CommandRun addReference(CLI::App& app, GlobalOptions& /*global*/) {
  struct Options {
    std::string name;
    TableTarget tables;
    bool json = false, check = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("NAME", options->name, "Print this table as CSV; without it all tables are listed");
  app.add_flag("--json", options->json, "JSON, with caveats");
  app.add_flag("--check", options->check,
               "Compute again what can be computed from the tables, beside what the thesis prints");
  app.add_option("--csv", options->tables.csv, "With --check: write reference_check.csv into this folder");
  addTableTarget(app, options->tables);
  return [options](const GlobalOptions& globals, Progress&) {
    if (options->check && !options->name.empty())
      throw UsageError("--check checks all tables: leave out \"" + options->name + "\"");
    if (!options->tables.csv.empty() && !options->check) throw UsageError("--csv belongs to --check");
    if (!options->check) {
      options->name.empty() ? printList(options->json) : printOne(options->name, options->json);
      return;
    }
    const auto folder = options->tables.open({"reference --check", {}, Json::object()}, {"reference_check"});
    if (isLeft(folder, options->tables, globals)) return;
    const Table check = referenceCheckTable(referenceChecks());
    if (folder)
      folder->write({check}, {{"program_version", kVersion}, {"sources", sourcesJson()}});
    else
      printCheck(check, options->json);
  };
}

}  // namespace plastiscope
