#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/setting_options.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/jobs/analyze_job.h"

namespace plastiscope {

namespace {

// The analysis that stands where the new one will, so that only what changed is computed; nothing when there
// is none that can be read.
std::optional<AnalysisFile> earlierAnalysis(const std::filesystem::path& file) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code)) return std::nullopt;
  try {
    if (storedKindOf(file) == StoredKind::Analysis) return readAnalysis(file);
  } catch (const InputError&) {
    // replaced below
  }
  return std::nullopt;
}

}  // namespace

CommandRun addAnalyze(CLI::App& app, GlobalOptions& global) {
  struct Options {
    std::string capture, out, csv;
    GivenSettings settings;
    bool fresh = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("CAPTURE", options->capture, "Capture file")->required();
  app.add_option("--out", options->out, "The analysis file to write")->required();
  app.add_option("--csv", options->csv, "Also write the tables into this folder");
  app.add_flag("--fresh", options->fresh,
               "Compute everything; without it what an analysis at --out already has is kept");
  addSettingOptions(app, options->settings);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    const AnalysisSettings settings = options->settings.resolved();
    const auto capture = openCapture(options->capture);
    const auto earlier = options->fresh ? std::nullopt : earlierAnalysis(options->out);
    const AnalysisFile analysis =
        analyzeCapture(*capture, settings, globals.threads, progress, earlier ? &*earlier : nullptr);
    for (const std::string& warning : analysis.provenance.warnings) progress.warned(warning);
    writeAnalysis(analysis, options->out);
    if (!options->csv.empty()) exportCsv(analysis, options->csv);
    if (!globals.quiet) std::printf("%s\n", sanitized(options->out, kLongestMessage).c_str());
  };
}

}  // namespace plastiscope
