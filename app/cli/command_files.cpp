// Commands on whole files: merge, verify, import and export.
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/capture/head_list.h"
#include "core/jobs/head_metrics.h"
#include "core/jobs/study_job.h"
#include "core/jobs/study_page.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_parts.h"
#include "core/store/output_place.h"
#include "core/store/qk_sniffer/conversion.h"
#include "core/store/table_folder.h"
#include "core/store/verify.h"
#include "core/views/metric_export.h"
#include "core/views/study_facts.h"
#include "core/views/study_notes.h"

namespace plastiscope {

namespace {

void printPath(const std::string& path, const GlobalOptions& globals) {
  if (!globals.quiet) printLine(path);
}

// ---- verify

void printReport(const std::string& file, const VerifyReport& report, bool quiet) {
  if (!quiet) {
    std::printf("%s: %s\n", sanitized(file, kLongestMessage).c_str(),
                report.problems.empty() ? "intact" : "damaged");
    for (const std::string& check : report.checks)
      std::printf("  ok       %s\n", sanitized(check, kLongestMessage).c_str());
    for (const std::string& note : report.notes)
      std::printf("  note     %s\n", sanitized(note, kLongestMessage).c_str());
  }
  for (const std::string& problem : report.problems) {
    const std::string name = pathText(file) + ": ";
    const bool named = !quiet && problem.starts_with(name);  // the line above names it
    std::printf("  PROBLEM  %s\n",
                sanitized(problem.substr(named ? name.size() : 0), kLongestMessage).c_str());
  }
}

struct VerifyOptions {
  std::vector<std::string> files;
  bool json = false;
  std::string sandbox;
};

void verify(const VerifyOptions& options, const GlobalOptions& globals, Progress& progress) {
  const std::vector<std::string>& files = options.files;
  if (!options.sandbox.empty()) {
    std::printf("%s\n", answerInSandbox(files.front(), options.sandbox).c_str());
    return;
  }
  std::vector<std::string> damaged;
  for (const std::string& file : files) {
    const VerifyReport report = verifyFile(file, progress);
    if (!report.problems.empty()) damaged.push_back(file);
    if (options.json)
      std::printf("%s\n", jsonOf(report).c_str());
    else
      printReport(file, report, globals.quiet);
  }
  if (damaged.size() == 1) throw InputError(damaged.front() + " is damaged: its problems are listed above");
  if (!damaged.empty())
    throw InputError(std::to_string(damaged.size()) + " of " + std::to_string(files.size()) +
                     " files are damaged: their problems are listed above");
}

// ---- import and export

struct ImportOptions {
  QkImportRequest request;
  std::string rope, nopeLayers;
  bool force = false;
};

void finish(ImportOptions& o) {
  if (!o.nopeLayers.empty()) o.request.nopeLayers = parseLayerList(o.nopeLayers);
  if (o.rope.empty()) return;
  try {
    o.request.rope = parseJson(o.rope, "--rope");
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
  if (!o.request.rope->is_object()) throw UsageError("--rope: expected a JSON object, found " + o.rope);
}

ProgramCommand importQkSnifferForm(GlobalOptions& global) {
  auto o = std::make_shared<ImportOptions>();
  QkImportRequest& request = o->request;
  const auto run = [o](const GlobalOptions& globals, Progress& progress) {
    finish(*o);
    requireOutputPlace(o->request.out, captureOutput(), {{o->request.folder, o->request.model}, o->force});
    importQkSniffer(o->request, progress);
    printPath(o->request.out.string(), globals);
  };
  return {
      .name = "qk-sniffer",
      .help = "The Parquet layout of qk-sniffer -> capture",
      .footer =
          "Facts that the layout lacks come from the options or from a model folder. The column token_str is "
          "ignored.\n\nExample:\n  plastiscope-cli import qk-sniffer sniffed-qk --out study.h5 --window "
          "131072 --model Llama-3.1-8B",
      .options =
          {option("FOLDER", &request.folder,
                  "Folder with lLLhHHq and lLLhHHk folders, or with one model's folder", {.required = true}),
           option("--out", &request.out, "The capture file to write", {.required = true}),
           forceOption(o->force),
           option("--window", &request.window, "Tokens to which the texts were cut",
                  {.limit = Limit::Positive}),
           option("--model", &request.model,
                  "Model folder, GGUF file or cached name: RoPE, NoPE layers, windows, numbers of heads"),
           option("--query-heads", &request.queryHeads,
                  "Query heads per layer, if neither the model nor the data set gives them",
                  {.limit = Limit::Positive}),
           option("--key-heads", &request.keyHeads,
                  "Key heads per layer, if neither the model nor the data set gives them",
                  {.limit = Limit::Positive}),
           option("--layers", &request.layers,
                  "Layers of the model, if neither the model nor the data set gives them",
                  {.limit = Limit::Positive}),
           option("--sampler", &request.sampler,
                  "Position sampler of the data set (default: from the data set)"),
           option("--bucket-size", &request.bucketSize, "Tokens per bucket of the sampler",
                  {.limit = Limit::Positive}),
           option("--rate", &request.rate, "Expected rows per bucket and example of the sampler (default: 1)",
                  {.limit = Limit::Positive}),
           option("--point", &request.point, "Point at which the vectors were taken: post-rope or pre-rope"),
           option("--rope", &o->rope, "RoPE settings as a JSON object with the names of config.json"),
           option("--nope-layers", &o->nopeLayers, "Layers without RoPE, such as 3,7,11"),
           progressOption(global)},
      .run = run};
}

ProgramCommand exportQkSnifferForm(GlobalOptions& global) {
  struct QkExportOptions {
    std::string file, out;
    bool preRope = false;
  };
  auto o = std::make_shared<QkExportOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress& progress) {
    exportQkSniffer({o->file, o->out, o->preRope}, progress);
    printPath(o->out, globals);
  };
  return {.name = "qk-sniffer",
          .help = "A capture in the Parquet layout of qk-sniffer",
          .footer = "Example:\n  plastiscope-cli export qk-sniffer study.h5 --out sniffed-qk",
          .options = {option("CAPTURE", &o->file, "Capture file", {.required = true}),
                      option("--out", &o->out, "Folder to create", {.required = true}),
                      option("--pre-rope", &o->preRope,
                             "Export the vectors before RoPE of a capture that has both"),
                      progressOption(global)},
          .run = run};
}

ProgramCommand exportCsvForm(GlobalOptions&) {
  struct CsvOptions {
    std::string file, out;
    bool force = false;
  };
  auto o = std::make_shared<CsvOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress&) {
    const AnalysisFile analysis = readAnalysis(o->file);
    exportCsv(analysis, o->out, {.otherSettings = true, .force = o->force});
    if (!globals.quiet)
      std::printf("%zu tables in %s\n", analysis.tables.size(), sanitized(o->out, kLongestMessage).c_str());
  };
  return {.name = "csv",
          .help = "All tables of an analysis as CSV, with provenance.json",
          .footer = "Example:\n  plastiscope-cli export csv study.analysis.h5 --out tables",
          .options = {option("ANALYSIS", &o->file, "Analysis file", {.required = true}),
                      option("--out", &o->out, "Folder for the tables", {.required = true}),
                      forceOption(o->force)},
          .run = run};
}

ProgramCommand exportPageForm(GlobalOptions& global) {
  struct PageOptions {
    std::string file, out, heads = "all", group;
    std::vector<std::string> compared;
    std::int64_t rows = StudyPageOptions().rows;
    double megabytes = StudyPageOptions().megabytes;
    ApKind plasticity = StudyPageOptions().plasticity;
    bool force = false;
  };
  auto o = std::make_shared<PageOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress& progress) {
    OutputRules rules{{o->file}, o->force};
    rules.inputs.insert(rules.inputs.end(), o->compared.begin(), o->compared.end());
    requireOutputPlace(o->out, studyPageOutput(), rules);
    requireWritableFolderOf(o->out);
    StudyPageOptions options;
    options.rows = o->rows;
    options.plasticity = o->plasticity;
    options.megabytes = o->megabytes;
    if (o->heads != "all") options.heads = parseHeadList(o->heads);
    const auto study = openStudy(o->file, AnalysisSettings(), globals.threads, progress);
    if (!o->group.empty() && o->heads != "all")
      throw UsageError("--heads and --group both choose the heads: give one of them");
    if (!o->group.empty())
      options.heads =
          parseGroups({o->group}, o->file, requiredTable(*study->analysis, "heads")).front().heads;
    std::vector<std::shared_ptr<const Study>> compared;
    for (const std::string& file : o->compared)
      compared.push_back(openStudy(file, AnalysisSettings(), globals.threads, progress));
    writeFileAtomically(o->out, studyPage(study, options, globals.threads, progress, compared));
    printPath(o->out, globals);
  };
  return {
      .name = "page",
      .help = "A study as one HTML page that opens in any browser, for a paper's supplement",
      .footer = "Example:\n  plastiscope-cli export page study.h5 --out study.html",
      .options = {option("STUDY", &o->file, "Capture or analysis file", {.required = true}),
                  option("--out", &o->out, "The page to write", {.required = true}),
                  option("--heads", &o->heads,
                         "Heads shown with their {a, b} plane and plasticity map, such as L12H6,L3H0-7; the "
                         "table and the profiles show all heads"),
                  option("--group", &o->group, "The same as a group: NAME or NAME=HEADS (as in groups)"),
                  option("--rows", &o->rows,
                         "Number of queries, and of keys, in each plane, chosen evenly; 0 omits the planes",
                         {.limit = Limit::NotNegative}),
                  option("--compare", &o->compared, "Captures or analyses that the study is compared with"),
                  option("--size", &o->megabytes,
                         "Largest size of the page, MB; what does not fit is left out, texts first",
                         {.showsDefault = true, .limit = Limit::Positive}),
                  option("--plasticity", choiceOf(o->plasticity),
                         "AP that is shown: aligned, where the analysis has it, or binned, as in the thesis",
                         {.showsDefault = true}),
                  forceOption(o->force), progressOption(global)},
      .run = run};
}

// ---- Head metrics of other programs

std::string counted(std::int64_t count, const std::string& one) {
  return withCommas(count) + " " + one + (count == 1 ? "" : "s");
}

ProgramCommand importHeadMetricsForm(GlobalOptions&) {
  struct ImportMetricsOptions {
    HeadMetricsRequest request;
    std::string analysis, out;
    bool force = false;
  };
  auto o = std::make_shared<ImportMetricsOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress& progress) {
    requireOutputPlace(o->out, analysisOutput(), {{o->request.file, o->analysis}, o->force});
    const ImportedMetrics imported = importHeadMetrics(readAnalysis(o->analysis), o->request);
    if (!imported.leftOut.empty())
      progress.warned("columns without numbers were left out: " +
                      joined(imported.leftOut, [](const std::string& name) { return sanitized(name); }));
    writeAnalysis(imported.analysis, o->out);
    tell(globals, counted(std::ssize(imported.columns), "column") + " for " +
                      counted(imported.heads, "head") +
                      (imported.otherHeads == 0 ? ""
                                                : "; " + counted(imported.otherHeads, "head") +
                                                      " of the file without a match in the analysis"));
    if (!globals.quiet) printLine(o->out);
  };
  return {
      .name = "head-metrics",
      .help = "Numbers about heads from HeadVis or another program -> columns of an analysis",
      .footer =
          "FILE is scatter_data.json of HeadVis, or a folder that has one: a list with one object per head, "
          "{\"layer\": 0, \"head\": 1, NAME: number, ...}; or CSV with the columns layer and head. Heads "
          "without a row have no value. In the window the columns can colour and filter heads and serve as "
          "axes of the view Heads on free axes; compare includes them, too. The analysis records the file "
          "that they came from.\n\nExample:\n  plastiscope-cli import head-metrics data/scatter_data.json "
          "--analysis study.analysis.h5 --out with-headvis.h5",
      .options = {option("FILE", &o->request.file, "JSON or CSV with numbers about heads",
                         {.required = true}),
                  option("--analysis", &o->analysis, "Analysis to which they are added", {.required = true}),
                  option("--out", &o->out, "The analysis file to write", {.required = true}),
                  option("--prefix", &o->request.prefix,
                         "Prefix of the name of each column (default: imported_)"),
                  forceOption(o->force)},
      .run = run};
}

ProgramCommand importCausesForm(GlobalOptions&) {
  struct ImportCausesOptions {
    std::filesystem::path folder;
    std::string analysis, out;
    bool force = false;
  };
  auto o = std::make_shared<ImportCausesOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress&) {
    requireOutputPlace(o->out, analysisOutput(), {{o->analysis}, o->force});
    const ImportedCauses imported = importCauses(readAnalysis(o->analysis), o->folder);
    writeAnalysis(imported.analysis, o->out);
    tell(globals, "tables: " + joined(imported.tables));
    if (!globals.quiet) printLine(o->out);
  };
  return {
      .name = "causes",
      .help = "Tables of probe, study or composition -> tables of an analysis, shown by its panels",
      .footer =
          "The window and `plastiscope render` draw them: figures probes, retrieval, doses and "
          "composition. The retrieval score becomes the column probe_retrieval_score of heads.csv, "
          "which can colour, rank and filter heads.\n\nExample:\n  plastiscope-cli import causes "
          "probes --analysis study.analysis.h5 --out with-probes.h5",
      .options = {option("FOLDER", &o->folder, "Folder that probe, study or composition wrote",
                         {.required = true}),
                  option("--analysis", &o->analysis, "Analysis to which they are added", {.required = true}),
                  option("--out", &o->out, "The analysis file to write", {.required = true}),
                  forceOption(o->force)},
      .run = run};
}

ProgramCommand exportHeadVisForm(GlobalOptions&) {
  struct HeadVisOptions {
    std::string file, out, config;
    bool force = false;
  };
  auto o = std::make_shared<HeadVisOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress&) {
    requireOutputPlace(o->out, headVisRowsOutput(), {{o->file}, o->force});
    if (!o->config.empty()) requireOutputPlace(o->config, headVisConfigOutput(), {{o->file}, o->force});
    const AnalysisFile analysis = readAnalysis(o->file);
    requireWritableFolderOf(o->out);
    writeFileAtomically(o->out, headVisRows(analysis));
    if (!globals.quiet) printLine(o->out);
    if (o->config.empty()) return;
    requireWritableFolderOf(o->config);
    writeFileAtomically(o->config, headVisConfig(analysis));
    if (!globals.quiet) printLine(o->config);
  };
  return {
      .name = "headvis",
      .help = "Every number of heads.csv as the JSON of HeadVis",
      .footer =
          "The shapes are those that data_pipeline.py of HeadVis describes: scatter_data.json is a list with "
          "one flat object per head, from which missing numbers are left out; --config writes its "
          "config.json with the metrics and what they mean. An analysis has no attention patterns: the files "
          "of sequences (heads/) can only be made by the pipeline of HeadVis.\n\nExample:\n  plastiscope-cli "
          "export headvis study.analysis.h5 --out data/scatter_data.json --config data/config.json",
      .options = {option("ANALYSIS", &o->file, "Analysis file", {.required = true}),
                  option("--out", &o->out, "The rows to write (scatter_data.json)", {.required = true}),
                  option("--config", &o->config, "Also write a config.json for them"), forceOption(o->force)},
      .run = run};
}

}  // namespace

ProgramCommand mergeCommand(GlobalOptions& global) {
  struct MergeOptions {
    std::vector<std::filesystem::path> parts;
    std::string out;
    bool fresh = false, force = false;
  };
  auto o = std::make_shared<MergeOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress& progress) {
    requireOutputPlace(o->out, captureOrDamagedOutput(), {o->parts, o->force});
    const MergeOutcome outcome = mergeCaptures(o->parts, o->out, o->fresh, progress);
    if (outcome == MergeOutcome::WasMerged) tell(globals, "already merged; use --fresh to merge again");
    printPath(o->out, globals);
  };
  return {.options = {option("PART", &o->parts, "All parts of one capture, in any order", {.required = true}),
                      option("--out", &o->out, "The capture file to write", {.required = true}),
                      option("--fresh", &o->fresh,
                             "Replace a finished capture, and discard unfinished work of the output"),
                      forceOption(o->force), progressOption(global)},
          .run = run};
}

ProgramCommand verifyCommand(GlobalOptions&) {
  auto o = std::make_shared<VerifyOptions>();
  return {.options = {option("FILE", &o->files, "Captures and analyses", {.required = true}),
                      option("--json", &o->json,
                             "A line of JSON for each file: file, kind, intact, checks, notes, problems"),
                      // Used by this program itself and by the window (sandboxed_reader.h).
                      option("--sandbox", &o->sandbox, "", {.hidden = true})},
          .run = [o](const GlobalOptions& globals, Progress& progress) { verify(*o, globals, progress); }};
}

ProgramCommand importCommand(GlobalOptions& global) {
  return {.forms = {importCausesForm(global), importHeadMetricsForm(global), importQkSnifferForm(global)}};
}

ProgramCommand exportCommand(GlobalOptions& global) {
  return {.forms = {exportCsvForm(global), exportHeadVisForm(global), exportPageForm(global),
                    exportQkSnifferForm(global)}};
}

}  // namespace plastiscope
