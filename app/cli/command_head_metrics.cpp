// Export and import of head metrics for other programs.
#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/jobs/head_metrics.h"
#include "core/store/output_place.h"
#include "core/views/metric_export.h"

namespace plastiscope {

namespace {

std::string counted(std::int64_t count, const std::string& one) {
  return withCommas(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

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
      .options = {{"FILE", "", &o->request.file, "JSON or CSV with numbers about heads", {.required = true}},
                  {"--analysis", "", &o->analysis, "Analysis to which they are added", {.required = true}},
                  {"--out", "", &o->out, "The analysis file to write", {.required = true}},
                  {"--prefix", "", &o->request.prefix,
                   "Prefix of the name of each column (default: imported_)"},
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
      .options = {{"ANALYSIS", "", &o->file, "Analysis file", {.required = true}},
                  {"--out", "", &o->out, "The rows to write (scatter_data.json)", {.required = true}},
                  {"--config", "", &o->config, "Also write a config.json for them"},
                  forceOption(o->force)},
      .run = run};
}

}  // namespace plastiscope
