#include <cstdio>
#include <functional>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/compare_job.h"

namespace plastiscope {

namespace {

constexpr const char* kCounterExample = "counter_example";
constexpr const char* kReference = "reference";
constexpr const char* kHowTested =
    "p permutes the scores of models, p_families those of families; p_adjusted is corrected for the number "
    "of predictors. The lengths of one model are ordered and not a random sample: they have no p";

struct CorrelateOptions {
  std::string benchmark = "longbench_pro";
  TableTarget tables;
  PrintFormat format = PrintFormat::Text;
  std::vector<std::string> predictors = {kReference};
  CorrelationOptions correlation;
};

PredictorTable loadPredictors(const std::vector<std::string>& given, int threads, Progress& progress) {
  if (given.size() == 1 && given.front() == kReference) return referencePredictors();
  if (given.size() == 1 && given.front().ends_with(".csv")) return readPredictors(given.front());
  CompareRequest request;
  for (const std::string& file : given) {
    if (file == kReference || file.ends_with(".csv"))
      throw UsageError("--predictors takes reference, one CSV file, or analyses; \"" + file +
                       "\" cannot be combined with other inputs");
    request.files.emplace_back(file);
  }
  return predictorsOf(compareFiles(request, threads, progress));
}

Table rowsWhere(const Table& table, const std::function<bool(std::size_t)>& keep) {
  Table kept{table.name, {}};
  for (const Column& column : table.columns) {
    const auto choose = [&](const auto& values) -> ColumnValues {
      std::decay_t<decltype(values)> chosen;
      for (std::size_t row = 0; row < values.size(); ++row) {
        if (keep(row)) chosen.push_back(values[row]);
      }
      return chosen;
    };
    kept.columns.push_back({column.name, std::visit(choose, column.values)});
  }
  return kept;
}

// Rows with at least three models; of the counter-example only AP_drop.
Table tellingRows(const Table& table) {
  const auto& n = table.integers("n");
  const bool onlyDrop = table.name == kCounterExample;
  return rowsWhere(table, [&](std::size_t row) {
    return n[row] >= 3 && (!onlyDrop || table.texts("predictor")[row] == "ap_drop");
  });
}

void printLink(const std::string& title, const Benchmark& benchmark, const std::vector<Table>& tables) {
  printLine(title);
  std::printf("%s.\n", sanitized(benchmark.content, kLongestMessage).c_str());
  for (const std::string& caveat : benchmark.caveats)
    std::printf("- %s\n", sanitized(caveat, kLongestMessage).c_str());
  std::printf("- %s.\n", kHowTested);
  for (const Table& table : tables) {
    const Table rows = table.find("n") != nullptr ? tellingRows(table) : Table();
    if (rows.rows() == 0) continue;
    std::printf(table.name == kCounterExample
                    ? "\nCounter-example, RULER scores of base models (ruler_base):\n"
                    : "\n");
    printTable(rows, {"suite", "mode", "scope", "model", "length", "predictor", "n", "pearson", "low", "high",
                      "spearman", "p", "p_adjusted", "families", "p_families", "slope", "intercept"});
  }
}

// Correlation over the base models, which has the opposite sign, for comparison with that of the thesis.
std::vector<Table> counterExample(const PredictorTable& predictors, const CorrelationOptions& options) {
  std::vector<Table> tables = linkTables(predictors, loadBenchmark("ruler_base"), options);
  tables.resize(1);
  tables.front().name = kCounterExample;
  return tables;
}

TableSource sourceOfPredictors(const std::string& given) {
  if (given == kReference) return shippedSource(given);
  return given.ends_with(".csv") ? sourceOfFile(given) : sourceOfStudy(given);
}

std::optional<TableFolder> openCorrelationTables(const CorrelateOptions& options) {
  if (options.tables.csv.empty()) return std::nullopt;
  TableOrigin origin{"correlate", {sourceOfScores(options.benchmark)}, Json::object()};
  for (const std::string& given : options.predictors) origin.inputs.push_back(sourceOfPredictors(given));
  origin.settings = Json{{"seed", options.correlation.seed},
                         {"resamples", options.correlation.resamples},
                         {"permutations", options.correlation.permutations}};
  return options.tables.open(std::move(origin), {});
}

void correlate(const CorrelateOptions& options, const GlobalOptions& globals, Progress& progress) {
  const Benchmark benchmark = loadBenchmark(options.benchmark);
  const std::optional<TableFolder> folder = openCorrelationTables(options);
  if (isLeft(folder, options.tables, globals)) return;
  const PredictorTable predictors = loadPredictors(options.predictors, globals.threads, progress);
  std::vector<Table> tables = linkTables(predictors, benchmark, options.correlation);
  if (tables.front().rows() == 0)
    progress.warned("no model of " + predictors.source + " has a score in " + benchmark.name +
                    ": models are matched by their names");
  const bool ofThesis = predictors.source == "the thesis" && benchmark.name == "longbench_pro";
  if (ofThesis) tables.push_back(counterExample(predictors, options.correlation).front());
  if (!folder && options.format != PrintFormat::Text) {
    for (const Table& table : tables) printTable(table, {}, options.format);
    return;
  }
  if (!folder) {
    printLink(benchmark.title + " and " + predictors.source, benchmark, tables);
    return;
  }
  Json predictorFiles = Json::array();
  for (const std::string& file : options.predictors) predictorFiles.push_back(textOfBytes(file));
  tables.push_back(benchmark.toTable());
  tables.back().name = "benchmark";
  folder->write(tables,
                {{"program_version", kVersion},
                 {"benchmark",
                  {{"name", benchmark.name}, {"content", benchmark.content}, {"caveats", benchmark.caveats}}},
                 {"predictors", predictorFiles},
                 {"seed", options.correlation.seed},
                 {"resamples", options.correlation.resamples},
                 {"permutations", options.correlation.permutations}});
}

}  // namespace

ProgramCommand correlateCommand(GlobalOptions&) {
  auto o = std::make_shared<CorrelateOptions>();
  OptionList options = {option("--benchmark", &o->benchmark,
                               "longbench_pro, ruler, ruler_base, or a CSV file with the columns model, "
                               "score [, length, suite, mode, benchmark]",
                               {.showsDefault = true, .words = benchmarkNames(), .open = true}),
                        option("--predictors", &o->predictors,
                               "reference (the thesis' numbers), a CSV file with the column model [, "
                               "family], or analyses and captures",
                               {.showsDefault = true}),
                        option("--csv", &o->tables.csv, "Write the tables into this folder")};
  addTableTarget(options, o->tables);
  options.push_back(formatOption(o->format));
  options.push_back(
      option("--seed", &o->correlation.seed, "Seed of resamples and random orders", {.showsDefault = true}));
  return {.options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) { correlate(*o, globals, progress); }};
}

}  // namespace plastiscope
