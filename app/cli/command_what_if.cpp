#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/setting_options.h"
#include "app/cli/table_output.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/what_if_job.h"
#include "core/store/capture_parts.h"

namespace plastiscope {

namespace {

struct WhatIfOptions {
  std::string capture, head, drop, clamp;
  TableTarget tables;
  WhatIf change;
  GivenSettings settings;
};

bool isChanged(const WhatIf& change) {
  return change.beta != 1 || change.alphaKey != 1 || change.contentVariance != 1 || change.freezeMean ||
         change.freezeVariance;
}

// What was asked, with the settings as resolved.
Json questionOf(const WhatIfOptions& options, const CaptureInfo& info) {
  const WhatIf& change = options.change;
  Json question = resolvedSettings(options.settings.resolved(), info).toJson();
  question.update(Json{{"head", options.head},
                       {"drop", options.drop},
                       {"clamp_bias", options.clamp},
                       {"scale_beta", change.beta},
                       {"scale_alpha_k", change.alphaKey},
                       {"scale_variance", change.contentVariance},
                       {"freeze_mean", change.freezeMean},
                       {"freeze_variance", change.freezeVariance}});
  return question;
}

// One of the two questions: about one head, or about leaving heads out.
std::vector<Table> answer(const WhatIfOptions& options, const CaptureFile& capture, int threads,
                          Progress& progress) {
  const AnalysisSettings settings = options.settings.resolved();
  const bool edits = !options.drop.empty() || !options.clamp.empty();
  if (edits && (!options.head.empty() || isChanged(options.change)))
    throw UsageError("--drop and --clamp-bias go without --head and its scales");
  if (edits) return editTables(capture, {options.drop, options.clamp}, settings, threads, progress);
  const std::vector<HeadName> heads =
      options.head.empty() ? std::vector<HeadName>() : parseHeadList(options.head);
  if (heads.size() != 1) throw UsageError("expected --head L5H1, or --drop or --clamp-bias with heads");
  if (options.change.contentVariance < 0)
    throw UsageError("--scale-variance: expected a number of at least 0");
  return whatIfTables(capture, heads.front(), options.change, settings, progress);
}

}  // namespace

CommandRun addWhatIf(CLI::App& app, GlobalOptions& global) {
  auto options = std::make_shared<WhatIfOptions>();
  WhatIf& change = options->change;
  app.add_option("CAPTURE", options->capture, "Capture file")->required();
  app.add_option("--head", options->head, "The head to change, such as L5H1");
  app.add_option("--scale-beta", change.beta, "Scale of the queries' drift; 0: held at the mean position");
  app.add_option("--scale-alpha-k", change.alphaKey, "Scale of the keys' drift along a; 0: no position bias");
  app.add_option("--scale-variance", change.contentVariance, "Scale of the variance of the queries' content");
  app.add_flag("--freeze-mean", change.freezeMean, "The same mean content in every bin");
  app.add_flag("--freeze-variance", change.freezeVariance, "The same variance of content in every bin");
  app.add_option("--drop", options->drop, "Heads to leave out of the model's means, such as L12H6,L3H0-2");
  app.add_option("--clamp-bias", options->clamp, "Heads whose keys' drift along a is taken away");
  app.add_option("--csv", options->tables.csv,
                 "Write the tables into this folder instead of printing the first");
  addTableTarget(app, options->tables);
  addSettingOptions(app, options->settings);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    const auto capture = openCapture(options->capture);
    warnOfPart(capture->info(), progress);
    TableOrigin origin{"what-if", {sourceOf(*capture)}, questionOf(*options, capture->info())};
    const auto folder = options->tables.open(origin, {});
    if (isLeft(folder, options->tables, globals)) return;
    const std::vector<Table> tables = answer(*options, *capture, globals.threads, progress);
    if (folder)
      folder->write(tables, {{"program_version", kVersion}, {"capture", captureFacts(capture->info())}});
    else
      std::fputs(toCsv(tables.front()).c_str(), stdout);
  };
}

}  // namespace plastiscope
