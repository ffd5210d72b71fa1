#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/compare/compared_losses.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/measures.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/compare_job.h"

namespace plastiscope {

namespace {

struct CompareOptions {
  std::vector<std::string> files;
  std::string names, metrics, group, benchmark, referenceModel;
  CompareOrder order = CompareOrder::Given;
  TableTarget tables;
  std::string printed;  // name of the printed table; "" = an overview
  PrintFormat format = PrintFormat::Text;
  ComparisonOptions comparison;
  bool drift = false;
};

CompareRequest requestOf(const CompareOptions& options) {
  CompareRequest request;
  for (const std::string& file : options.files) request.files.emplace_back(file);
  request.names = splitList(options.names);
  request.order = options.order;
  request.group = options.group;
  request.options = options.comparison;
  request.options.metrics = splitList(options.metrics);
  return request;
}

std::vector<Table> allTables(const Comparison& comparison, Progress& progress) {
  std::vector<Table> tables;
  for (const ComparisonTable& table : comparisonTables()) {
    progress.throwIfStopped();
    tables.push_back(table.make(comparison));
  }
  return tables;
}

void addDrift(std::vector<Table>& tables, const CompareOptions& options, int threads, Progress& progress) {
  const auto heads = measureDrift(options.files.at(0), options.files.at(1), threads, progress);
  tables.push_back(driftTable(heads));
  tables.push_back(driftHeadsTable(heads));
}

void addLink(std::vector<Table>& tables, const Comparison& comparison, const Benchmark& benchmark,
             std::uint64_t seed, Progress& progress) {
  CorrelationOptions options;
  options.seed = seed;
  std::vector<Table> link = linkTables(predictorsOf(comparison), benchmark, options);
  if (link.front().rows() == 0)
    progress.warned("no input has a score in " + benchmark.name +
                    ": models are matched by their names, which --names can set");
  tables.insert(tables.end(), link.begin(), link.end());
}

void addDeviation(std::vector<Table>& tables, const Comparison& comparison, const std::string& reference) {
  const std::vector<Deviation> deviations = compareWithReference(comparison, reference);
  if (!reference.empty() || !deviations.empty()) tables.push_back(deviationTable(deviations));
}

Json marginJson(const ComparisonOptions& options) {
  return options.margin ? Json(*options.margin) : Json();
}

TableOrigin originOf(const CompareOptions& options) {
  TableOrigin origin{"compare", {}, Json::object()};
  for (const std::string& file : options.files) origin.inputs.push_back(sourceOfStudy(file));
  if (!options.benchmark.empty()) origin.inputs.push_back(sourceOfScores(options.benchmark));
  origin.settings = Json{{"names", textOfBytes(options.names)},
                         {"order", nameOf(options.order)},
                         {"metrics", options.metrics},
                         {"group", options.group},
                         {"benchmark", textOfBytes(options.benchmark)},
                         {"reference_model", options.referenceModel},
                         {"seed", options.comparison.seed},
                         {"resamples", options.comparison.resamples},
                         {"interval", nameOf(options.comparison.interval)},
                         {"margin", marginJson(options.comparison)},
                         {"drift", options.drift}};
  return origin;
}

std::optional<TableFolder> openTables(const CompareOptions& options) {
  if (options.tables.csv.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const ComparisonTable& table : comparisonTables()) names.emplace_back(table.name);
  return options.tables.open(originOf(options), names);
}

Json provenanceOf(const Comparison& comparison, const CompareOptions& options) {
  Json inputs = Json::array();
  for (const ComparedModel& model : comparison.models) {
    Json input = model.analysis->provenance.toJson();
    input["name"] = model.name;
    inputs.push_back(std::move(input));
  }
  return {{"program_version", kVersion},
          {"inputs", inputs},
          {"order", nameOf(options.order)},
          {"metrics", comparison.metrics},
          {"group", comparison.options.group ? groupsToJson({*comparison.options.group}) : Json()},
          {"seed", comparison.options.seed},
          {"resamples", comparison.options.resamples},
          {"interval", nameOf(comparison.options.interval)},
          {"margin", marginJson(comparison.options)},
          {"benchmark", textOfBytes(options.benchmark)},
          {"reference_model", options.referenceModel},
          {"warnings", comparisonWarnings(comparison)}};
}

// Prints the effect of the drift on the predictions.
void printPerplexity(const ComparedLosses& losses) {
  const std::string change = perplexityChange(losses.models.at(0), losses.models.at(1));
  std::puts(change.empty() ? "no perplexity: both captures need --loss" : change.c_str());
}

void printNamed(const std::vector<Table>& tables, const CompareOptions& options) {
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  const Table* table = findTable(tables, options.printed);
  if (table == nullptr)
    throw UsageError("--table: there is no table \"" + sanitized(options.printed) + "\" here" +
                     didYouMean(options.printed, names, ": there are " + joined(names)));
  printTable(*table, {}, options.format);
}

void compare(const CompareOptions& options, const GlobalOptions& globals, Progress& progress) {
  if (options.drift && options.files.size() != 2)
    throw UsageError("--drift compares two captures, found " + std::to_string(options.files.size()) +
                     " inputs");
  Benchmark benchmark;
  if (!options.benchmark.empty()) benchmark = loadBenchmark(options.benchmark);
  const std::optional<TableFolder> folder = openTables(options);
  if (isLeft(folder, options.tables, globals)) return;
  std::vector<Table> extra;
  if (options.drift) addDrift(extra, options, globals.threads, progress);
  const Comparison comparison = compareFiles(requestOf(options), globals.threads, progress);
  if (options.comparison.interval != DifferencesOver::ByHeads) {
    const std::string untested = untestedText(comparison);
    if (!untested.empty()) progress.warned(untested);
  }
  std::vector<Table> tables = allTables(comparison, progress);
  if (!options.benchmark.empty()) addLink(tables, comparison, benchmark, options.comparison.seed, progress);
  addDeviation(tables, comparison, options.referenceModel);
  tables.insert(tables.end(), extra.begin(), extra.end());
  if (folder) folder->write(tables, provenanceOf(comparison, options));
  if (globals.quiet) return;
  if (!options.printed.empty()) return printNamed(tables, options);
  printTable(tables.front(),
             {"model", "window", "heads", "ap_overall", "ap_first20", "ap_last20", "ap_drop", "bias_window",
              "plane_var_fraction", "slope_ratio_median"},
             options.format);
  if (options.format != PrintFormat::Text) return;
  if (options.drift) printPerplexity(compareLosses(comparison));
  if (folder)
    std::printf("%zu tables in %s\n", tables.size(), sanitized(options.tables.csv, kLongestMessage).c_str());
}

std::string tableList() {
  std::string text = "\nTables (resources/help/comparing.md):\n";
  for (const ComparisonTable& table : comparisonTables())
    text += "  " + std::string(table.name) + ": " + table.content + "\n";
  return text;
}

}  // namespace

ProgramCommand compareCommand(GlobalOptions& global) {
  auto o = std::make_shared<CompareOptions>();
  OptionList options = {
      option("FILE", &o->files, "Analyses, or captures (analysed with default settings)", {.required = true}),
      option("--csv", &o->tables.csv, "Write all tables into this folder")};
  addTableTarget(options, o->tables);
  const OptionList rest = {
      option("--table", &o->printed, "Print this table instead of the overview"),
      formatOption(o->format),
      option("--names", &o->names, "Names of the inputs, separated by commas"),
      option("--order", choiceOf(o->order), "Order of the inputs: given, name, or tokens (by window)",
             {.showsDefault = true}),
      option("--metrics", &o->metrics, "Only these columns of heads.csv, separated by commas"),
      option(
          "--group", &o->group,
          "Only the heads of this group of the first input, NAME or NAME=HEADS (as in groups), and the heads "
          "of the others that match them"),
      option("--benchmark", &o->benchmark, "Correlate with longbench_pro, ruler, ruler_base or a CSV file",
             {.words = benchmarkNames(), .open = true}),
      option(
          "--reference-model", &o->referenceModel,
          "Compare with the published numbers of this model; default: the one that matches an input's name"),
      option("--interval", choiceOf(o->comparison.interval),
             "Units resampled for intervals of differences: texts, heads (as in version 1.0), or "
             "texts-and-heads, for statements about other heads",
             {.showsDefault = true}),
      option("--margin", &o->comparison.margin,
             "Largest difference that counts as negligible, in the unit of the metrics; default: 0.02 for "
             "AP, none for others",
             {.limit = Limit::Positive}),
      option("--seed", &o->comparison.seed, "Seed of sign flips and resampled heads", {.showsDefault = true}),
      option("--resamples", &o->comparison.resamples, "Resamples of --interval heads",
             {.showsDefault = true, .limit = Limit::Between, .least = 0, .most = 1000000}),
      option("--drift", &o->drift,
             "Also compare the vectors of two captures of the same rows: angles and norms"),
      progressOption(global)};
  options.insert(options.end(), rest.begin(), rest.end());
  return {.footer = tableList(),
          .options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) { compare(*o, globals, progress); }};
}

}  // namespace plastiscope
