#include <cstdio>
#include <limits>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/version.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/inspect_job.h"
#include "core/store/capture_parts.h"
#include "core/store/output_place.h"

namespace plastiscope {

namespace {

struct PairsOptions {
  std::string capture, head, cell, out;
  bool force = false;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  PrintFormat format = PrintFormat::Csv;
  GivenSettings settings;
};

// "3,5" -> 3, 5
std::pair<std::int64_t, std::int64_t> parseCell(const std::string& text) {
  const auto fail = [&] {
    return UsageError("--cell: expected DISTANCE,MIDPOINT as in map.csv, found " + text);
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw fail();
  const auto distance = parsedNumber<std::int64_t>(text.substr(0, comma)),
             midpoint = parsedNumber<std::int64_t>(text.substr(comma + 1));
  if (!distance || !midpoint || *distance < 0 || *midpoint < 0) throw fail();
  return {*distance, *midpoint};
}

Table pairTable(const PairsOptions& options, const CaptureFile& capture, const Progress& progress) {
  const std::vector<HeadName> heads = parseHeadList(options.head);
  if (heads.size() != 1) throw UsageError("--head: expected one head such as L5H1, found " + options.head);
  const AnalysisSettings settings = options.settings.resolved();
  if (options.cell.empty()) return ppSpreadTable(inspectSpread(capture, heads.front(), settings, progress));
  const auto [distance, midpoint] = parseCell(options.cell);
  return pairsTable(
      inspectCell(capture, heads.front(), settings, {distance, midpoint, options.most}, progress),
      capture.info());
}

void pairs(const PairsOptions& options, Progress& progress) {
  const auto capture = openCapture(options.capture);
  warnOfPart(capture->info(), progress);
  if (!options.out.empty()) {
    const Table columns = options.cell.empty() ? ppSpreadTable({}) : pairsTable({}, capture->info());
    requireOutputPlace(options.out, tableOutput(columns), {{options.capture}, options.force});
    requireWritableFolderOf(options.out);
  }
  const std::string text = printedText(pairTable(options, *capture, progress), options.format);
  if (options.out.empty())
    std::fputs(text.c_str(), stdout);
  else
    writeFileAtomically(options.out, text);
}

// ---- what if

struct WhatIfOptions {
  std::string capture, head, drop, clamp;
  TableTarget tables;
  PrintFormat format = PrintFormat::Csv;
  WhatIf change;
  GivenSettings settings;
};

bool changesHead(const WhatIf& change) {
  return change.beta != 1 || change.alphaKey != 1 || change.contentVariance != 1 || change.freezeMean ||
         change.freezeVariance;
}

// The question with its resolved settings.
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

// Tables of a change to one head, or of leaving out heads.
std::vector<Table> editedTables(const WhatIfOptions& options, const CaptureFile& capture, int threads,
                                Progress& progress) {
  const AnalysisSettings settings = options.settings.resolved();
  const bool edits = !options.drop.empty() || !options.clamp.empty();
  if (edits && (!options.head.empty() || changesHead(options.change)))
    throw UsageError("--drop and --clamp-bias cannot be combined with --head and its scales");
  if (edits) return editTables(capture, {options.drop, options.clamp}, settings, threads, progress);
  const std::vector<HeadName> heads =
      options.head.empty() ? std::vector<HeadName>() : parseHeadList(options.head);
  if (heads.size() != 1) throw UsageError("expected --head L5H1, or --drop or --clamp-bias with heads");
  if (options.change.contentVariance < 0)
    throw UsageError("--scale-variance: expected a number of at least 0");
  return whatIfTables(capture, heads.front(), options.change, settings, progress);
}

void whatIf(const WhatIfOptions& options, const GlobalOptions& globals, Progress& progress) {
  const auto capture = openCapture(options.capture);
  warnOfPart(capture->info(), progress);
  TableOrigin origin{"what-if", {sourceOf(*capture)}, questionOf(options, capture->info())};
  const auto folder = options.tables.open(origin, {});
  if (isLeft(folder, options.tables, globals)) return;
  const std::vector<Table> tables = editedTables(options, *capture, globals.threads, progress);
  if (folder)
    folder->write(tables, {{"program_version", kVersion}, {"capture", captureFacts(capture->info())}});
  else
    std::fputs(printedText(tables.front(), options.format).c_str(), stdout);
}

}  // namespace

ProgramCommand pairsCommand(GlobalOptions& global) {
  auto o = std::make_shared<PairsOptions>();
  OptionList options = {
      option("CAPTURE", &o->capture, "Capture file", {.required = true}),
      option("--head", &o->head, "The head, such as L5H1", {.required = true}),
      option("--cell", &o->cell,
             "List the key pairs of this cell of the map: DISTANCE,MIDPOINT as in map.csv. Default: the "
             "distribution of PP over the pairs at every query position"),
      option("--most", &o->most, "List no more pairs than this", {.limit = Limit::NotNegative}),
      option("--out", &o->out, "Write the table into this file instead of printing it"),
      formatOption(o->format),
      forceOption(o->force)};
  addSettingOptions(options, o->settings);
  options.push_back(progressOption(global));
  return {.options = std::move(options),
          .run = [o](const GlobalOptions&, Progress& progress) { pairs(*o, progress); }};
}

ProgramCommand whatIfCommand(GlobalOptions& global) {
  auto o = std::make_shared<WhatIfOptions>();
  WhatIf& change = o->change;
  OptionList options = {
      option("CAPTURE", &o->capture, "Capture file", {.required = true}),
      option("--head", &o->head, "The head to change, such as L5H1"),
      option("--scale-beta", &change.beta, "Scale of the queries' drift; 0: held at the mean position"),
      option("--scale-alpha-k", &change.alphaKey, "Scale of the keys' drift along a; 0: no position bias"),
      option("--scale-variance", &change.contentVariance, "Scale of the variance of the queries' content"),
      option("--freeze-mean", &change.freezeMean, "Use the same mean content in every bin"),
      option("--freeze-variance", &change.freezeVariance, "Use the same variance of content in every bin"),
      option("--drop", &o->drop, "Heads to leave out of the model's means, such as L12H6,L3H0-2"),
      option("--clamp-bias", &o->clamp, "Heads whose keys' drift along a is removed"),
      option("--csv", &o->tables.csv, "Write the tables into this folder instead of printing the first")};
  addTableTarget(options, o->tables);
  options.push_back(formatOption(o->format));
  addSettingOptions(options, o->settings);
  options.push_back(progressOption(global));
  return {.options = std::move(options),
          .run = [o](const GlobalOptions& globals, Progress& progress) { whatIf(*o, globals, progress); }};
}

}  // namespace plastiscope
