#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/setting_options.h"
#include "core/jobs/analyze_job.h"

namespace plastiscope {

CommandRun addAnalyze(CLI::App& app, GlobalOptions& global) {
  struct Options {
    std::string capture, out, csv;
    GivenSettings settings;
  };
  auto options = std::make_shared<Options>();
  app.add_option("CAPTURE", options->capture, "Capture file")->required();
  app.add_option("--out", options->out, "The analysis file to write")->required();
  app.add_option("--csv", options->csv, "Also write the tables into this folder");
  addSettingOptions(app, options->settings);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    const AnalysisSettings settings = options->settings.resolved();
    const auto capture = openCapture(options->capture);
    const AnalysisFile analysis = analyzeCapture(*capture, settings, globals.threads, progress);
    for (const std::string& warning : analysis.provenance.warnings) progress.warned(warning);
    writeAnalysis(analysis, options->out);
    if (!options->csv.empty()) exportCsv(analysis, options->csv);
    if (!globals.quiet) std::printf("%s\n", options->out.c_str());
  };
}

}  // namespace plastiscope
