#include <optional>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/analysis/tables.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/converge_job.h"
#include "core/store/capture_output.h"
#include "core/store/capture_parts.h"
#include "core/store/output_place.h"
#include "core/store/stored_file.h"
#include "core/store/table_folder.h"

namespace plastiscope {

namespace {

struct AnalyzeArguments {
  std::string capture, out;
  TableTarget tables;  // its --fresh and --force also apply to --out
  GivenSettings settings;
};

// The existing analysis at the output path; nullopt when there is none or it is damaged.
std::optional<AnalysisFile> analysisThere(const std::string& file) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code)) return std::nullopt;
  try {
    const StoredFile stored(file);
    if (stored.kind() != FileType::Analysis || stored.seal() != FileSeal::Intact) return std::nullopt;
    return wholeAnalysis(*stored.analysis());
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Settings of an analysis in the terms of this version, for comparison with older ones.
Json settingsOf(const AnalysisProvenance& provenance) {
  try {
    return AnalysisSettings::fromJson(provenance.settings).toJson();
  } catch (const UsageError&) {
    return provenance.settings;
  }
}

// True if the existing analysis is the requested one. UsageError when it has other settings, InputError when
// it is of another capture, unless it may be replaced.
bool isAskedFor(const AnalysisFile& there, const CaptureFile& capture, const AnalysisSettings& settings,
                const AnalyzeArguments& options) {
  const AnalysisProvenance& provenance = there.provenance;
  if (options.tables.fresh) return false;
  if (!belongsTo(provenance, capture.info())) {
    // The analysis of a capture that was made again is outdated.
    if (options.tables.force || isSameFile(provenance.captureFile, capture.path())) return false;
    throw InputError(
        {options.out, "", "a new file or an analysis of " + options.capture,
         "an analysis of " + provenance.captureFile + ". Choose another name, or replace it with --fresh"});
  }
  const Json was = settingsOf(provenance), wanted = resolvedSettings(settings, capture.info()).toJson();
  if (was == wanted) return isOfThisVersion(provenance);
  throw UsageError(options.out + " is an analysis of this capture with other settings (" +
                   settingDifferences(was, wanted) + "). Choose another name, or replace it with --fresh");
}

void analyze(const AnalyzeArguments& options, const GlobalOptions& globals, Progress& progress) {
  const AnalysisSettings settings = options.settings.resolved();
  const auto capture = openCapture(options.capture);
  requireOutputPlace(options.out, analysisOutput(), {{options.capture}, options.tables.force});
  requireWritableFolderOf(options.out);
  const auto there = analysisThere(options.out);
  const bool finished = there && isAskedFor(*there, *capture, settings, options);
  const Json resolved = resolvedSettings(settings, capture->info()).toJson();
  const auto tables = options.tables.open({"analyze", {sourceOf(*capture)}, resolved}, tableNames());
  const AnalysisFile analysis =
      finished ? *there : analyzeCapture(*capture, settings, globals.threads, progress);
  if (finished) {
    tell(globals, options.out +
                      ": this analysis already exists with the same settings and was not changed; use "
                      "--fresh to compute it again");
  } else {
    for (const std::string& warning : analysis.provenance.warnings) progress.warned(warning);
    writeAnalysis(analysis, options.out);
  }
  if (tables && !(finished && isLeft(tables, options.tables, globals)))
    tables->write(analysis.tables, analysis.provenance.toJson());
  if (!globals.quiet) printLine(options.out);
}

struct ConvergeOptions {
  std::string capture;
  TableTarget tables;
  GivenSettings settings;
};

void converge(const ConvergeOptions& options, const GlobalOptions& globals, Progress& progress) {
  const AnalysisSettings settings = options.settings.resolved();
  const auto capture = openCapture(options.capture);
  warnOfPart(capture->info(), progress);
  const Json resolved = resolvedSettings(settings, capture->info()).toJson();
  const auto folder = options.tables.open({"converge", {sourceOf(*capture)}, resolved}, {"convergence"});
  if (!isLeft(folder, options.tables, globals)) {
    const AnalysisFile runs = convergeCapture(*capture, settings, globals.threads, progress);
    folder->write(runs.tables, runs.provenance.toJson());
  }
  if (!globals.quiet) printLine(options.tables.csv);
}

}  // namespace

ProgramCommand analyzeCommand(GlobalOptions& global) {
  auto o = std::make_shared<AnalyzeArguments>();
  OptionList options = {
      option("CAPTURE", &o->capture, "Capture file", {.required = true}),
      option("--out", &o->out, "The analysis file to write", {.required = true}),
      option("--csv", &o->tables.csv, "Also write the tables into this folder"),
      option("--fresh", &o->tables.fresh,
             "Compute everything again, and replace an analysis of other settings or of another capture at "
             "--out, and tables of other settings. Default: keep finished results"),
      forceOption(o->tables.force)};
  addSettingOptions(options, o->settings);
  options.push_back(progressOption(global));
  return {.options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) { analyze(*o, globals, progress); }};
}

ProgramCommand convergeCommand(GlobalOptions& global) {
  auto o = std::make_shared<ConvergeOptions>();
  OptionList options = {
      option("CAPTURE", &o->capture, "Capture file", {.required = true}),
      option("--csv", &o->tables.csv, "Write convergence.csv and provenance.json into this folder",
             {.required = true})};
  addTableTarget(options, o->tables);
  addSettingOptions(options, o->settings);
  options.push_back(progressOption(global));
  return {.options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) { converge(*o, globals, progress); }};
}

}  // namespace plastiscope
