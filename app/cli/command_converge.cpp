#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/setting_options.h"
#include "app/cli/table_output.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/converge_job.h"
#include "core/store/capture_parts.h"

namespace plastiscope {

CommandRun addConverge(CLI::App& app, GlobalOptions& global) {
  struct Options {
    std::string capture;
    TableTarget tables;
    GivenSettings settings;
  };
  auto options = std::make_shared<Options>();
  app.add_option("CAPTURE", options->capture, "Capture file")->required();
  app.add_option("--csv", options->tables.csv, "Write convergence.csv and provenance.json into this folder")
      ->required();
  addTableTarget(app, options->tables);
  addSettingOptions(app, options->settings);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    const AnalysisSettings settings = options->settings.resolved();
    const auto capture = openCapture(options->capture);
    warnOfPart(capture->info(), progress);
    const Json resolved = resolvedSettings(settings, capture->info()).toJson();
    const auto folder = options->tables.open({"converge", {sourceOf(*capture)}, resolved}, {"convergence"});
    if (!isLeft(folder, options->tables, globals)) {
      const AnalysisFile runs = convergeCapture(*capture, settings, globals.threads, progress);
      folder->write(runs.tables, runs.provenance.toJson());
    }
    if (!globals.quiet) std::printf("%s\n", sanitized(options->tables.csv, kLongestMessage).c_str());
  };
}

}  // namespace plastiscope
