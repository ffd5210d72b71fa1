#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/jobs/run_table.h"

namespace plastiscope {

namespace {

struct RunsOptions {
  std::vector<std::filesystem::path> places;
  std::string filter, sort, columns;
  bool reverse = false, csv = false, json = false;
};

void listRuns(const RunsOptions& o, Progress& progress) {
  RunPlaces places;
  for (const std::filesystem::path& place : o.places)
    (std::filesystem::is_directory(place) ? places.folders : places.files).push_back(place);
  const std::vector<Run> found = RunFinder().find(places, progress);
  std::vector<Run> runs;
  for (const std::size_t row : arrangedRows(runTable(found), o.filter, o.sort, o.reverse))
    runs.push_back(found[row]);
  const Table table = runTable(runs);  // differences of the chosen ones
  const std::vector<std::string> chosen = splitList(o.columns);
  std::vector<std::string> columns = chosen, names;
  for (const RunColumn& column : runColumns()) {
    names.emplace_back(column.name);
    if (chosen.empty() && column.shown) columns.emplace_back(column.name);
  }
  for (const std::string& column : columns) requireWord("--columns", column, names);
  if (o.json)
    std::printf("%s\n", indentedJson(toJson(table)).c_str());
  else if (o.csv)
    std::fputs(toCsv(table).c_str(), stdout);
  else
    printTable(table, columns);
}

}  // namespace

ProgramCommand runsCommand(GlobalOptions& global) {
  auto o = std::make_shared<RunsOptions>();
  std::string columns = "\nColumns:\n";
  for (const RunColumn& column : runColumns())
    columns += "  " + std::string(column.name) + ": " + column.help + "\n";
  return {
      .footer = columns,
      .options = {option("PLACE", &o->places, "Folders of captures and analyses, or such files",
                         {.required = true}),
                  option(
                      "--filter", &o->filter,
                      "Only runs that match, such as \"window > 4096 && model == smollm2-135m\", or a word"),
                  option("--sort", &o->sort, "Column to sort by"),
                  option("--reverse", &o->reverse, "Sort from the largest to the smallest"),
                  option("--columns", &o->columns, "Columns to print, separated by commas"),
                  option("--csv", &o->csv, "Print all columns as CSV"),
                  option("--json", &o->json, "Print all columns as JSON"), progressOption(global)},
      .run = [o](const GlobalOptions&, Progress& progress) { listRuns(*o, progress); }};
}

}  // namespace plastiscope
