#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/setting_options.h"
#include "core/base/foreign_text.h"
#include "core/jobs/converge_job.h"

namespace plastiscope {

CommandRun addConverge(CLI::App& app, GlobalOptions& global) {
  struct Options {
    std::string capture, csv;
    GivenSettings settings;
  };
  auto options = std::make_shared<Options>();
  app.add_option("CAPTURE", options->capture, "Capture file")->required();
  app.add_option("--csv", options->csv, "Write convergence.csv and provenance.json into this folder")
      ->required();
  addSettingOptions(app, options->settings);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    const AnalysisSettings settings = options->settings.resolved();
    const auto capture = openCapture(options->capture);
    exportCsv(convergeCapture(*capture, settings, globals.threads, progress), options->csv);
    if (!globals.quiet) std::printf("%s\n", sanitized(options->csv, kLongestMessage).c_str());
  };
}

}  // namespace plastiscope
