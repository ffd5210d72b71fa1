#include <cstdio>
#include <cstdlib>

#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/jobs/capture_job.h"
#include "core/store/output_place.h"

namespace plastiscope {

namespace {

struct CaptureOptions {
  CaptureRequest request;
  std::string part, snapshot;
  bool estimate = false, json = false, force = false;
};

// Options of the request and of this command.
OptionList optionsOf(CaptureOptions& o, GlobalOptions& global) {
  OptionList options = captureOptions(o.request);
  const auto insert = [&options](std::string_view before, OptionList more) {
    options.insert(options.begin() + (findOption(options, before) - options.data()), more.begin(),
                   more.end());
  };
  findOption(options, "--part")->value = &o.part;
  insert(
      "--part",
      {option("--estimate", &o.estimate, "Print tokens, time, memory and disk, and stop"),
       option("--json", &o.json, "Print the estimate as JSON"),
       option(
           "--snapshot", &o.snapshot,
           "Write the finished texts of this capture, which may still be running, to this file, and stop")});
  insert("--fresh", {forceOption(o.force)});
  options.push_back(progressOption(global));
  return options;
}

// With --part the output is used as given; tasks of a cluster share one command line, so each gets a separate
// file.
void choosePart(CaptureOptions& o, const GlobalOptions& global) {
  if (!o.part.empty()) {
    o.request.part = CapturePart::parse(o.part);
  } else if (const auto part = clusterPart([](const char* name) { return std::getenv(name); })) {
    o.request.part = *part;
    if (!o.request.out.empty()) o.request.out = partFile(o.request.out, *part);
    tell(global, "part " + std::to_string(part->index) + " of " + std::to_string(part->count) +
                     ", from the environment variables of the job; use --part 0/1 to take all texts");
  }
}

void finish(CaptureOptions& o, const GlobalOptions& global) {
  if (o.request.corpus.files.empty() == o.request.tokens.empty())
    throw UsageError("capture needs either --text or --tokens");
  choosePart(o, global);
  o.request.threads = global.threads;
  if (o.request.out.empty() && !o.estimate) throw UsageError("capture needs --out FILE.h5");
}

// Protects input files and files that are not captures from being overwritten, also for an estimate.
void requirePlaces(const CaptureOptions& o) {
  OutputRules rules{{o.request.model, o.request.tokens, o.request.clampFrom}, o.force};
  rules.inputs.insert(rules.inputs.end(), o.request.corpus.files.begin(), o.request.corpus.files.end());
  if (!o.request.out.empty()) requireOutputPlace(o.request.out, captureOrDamagedOutput(), rules);
  if (!o.snapshot.empty()) requireOutputPlace(o.snapshot, captureOutput(), rules);
}

void printEstimate(const CaptureEstimate& e, const CapturePart& part) {
  if (!part.isWhole())
    std::printf("part      %lld of %lld\n", static_cast<long long>(part.index),
                static_cast<long long>(part.count));
  std::printf("texts     %s, %s tokens, %s after the cut\n", withCommas(e.examples).c_str(),
              withCommas(e.tokens).c_str(), withCommas(e.tokensAfterCut).c_str());
  std::printf("heads     %s query heads, %s key heads\n", withCommas(e.heads).c_str(),
              withCommas(e.keyHeads).c_str());
  std::printf("rows      about %s queries and as many keys per head\n",
              withCommas(static_cast<long long>(e.rowsPerHead)).c_str());
  if (e.denseHeads > 0)
    std::printf("dense     %s query heads at every position, about %s of the file\n",
                withCommas(e.denseHeads).c_str(), byteText(e.denseBytes).c_str());
  std::printf("time      about %s\n", durationText(e.seconds).c_str());
  std::printf("memory    %s of %s allowed\n", byteText(e.memoryBytes).c_str(),
              byteText(e.memoryLimit).c_str());
  if (e.cardBytes > 0)
    std::printf("GPU       %s%s\n", byteText(e.cardBytes).c_str(),
                e.cardFree ? (" of " + byteText(*e.cardFree) + " free").c_str() : "");
  std::printf("disk      at most %s while it runs, about %s afterwards, of %s free\n",
              byteText(e.diskBytes).c_str(), byteText(e.fileBytes).c_str(), byteText(e.freeDisk).c_str());
  std::printf("%s\n", e.fits ? "It fits." : e.advice.c_str());
  if (!e.caution.empty()) std::printf("%s\n", e.caution.c_str());
}

void takeSnapshot(const CaptureOptions& o, const GlobalOptions& globals, Progress& progress) {
  const CaptureSnapshot taken = snapshotCapture(o.request, o.snapshot, progress);
  if (!globals.quiet)
    std::printf("%s of %s texts\n", withCommas(taken.examples).c_str(), withCommas(taken.total).c_str());
}

void estimate(const CaptureOptions& o, Progress& progress) {
  const CaptureEstimate estimate = estimateCapture(o.request, progress);
  if (o.json)
    std::printf("%s\n", canonicalJson(estimate.toJson()).c_str());
  else
    printEstimate(estimate, o.request.part);
}

void capture(const CaptureOptions& o, const GlobalOptions& globals, Progress& progress) {
  CaptureOutcome outcome = CaptureOutcome::Captured;
  try {
    outcome = runCapture(o.request, progress);
  } catch (const Stopped&) {
    throw Stopped("stopped on request; finished work is kept, and the same command continues it");
  }
  if (outcome == CaptureOutcome::WasFinished)
    tell(globals, "already finished with the same settings; use --fresh to capture again");
  if (!globals.quiet) printLine(o.request.out.string());
}

}  // namespace

ProgramCommand captureCommand(GlobalOptions& global) {
  auto o = std::make_shared<CaptureOptions>();
  return {.options = optionsOf(*o, global), .run = [o](const GlobalOptions& globals, Progress& progress) {
            continueWithBackend(globals);
            finish(*o, globals);
            requirePlaces(*o);
            if (!o->snapshot.empty()) return takeSnapshot(*o, globals, progress);
            if (o->estimate) return estimate(*o, progress);
            capture(*o, globals, progress);
          }};
}

}  // namespace plastiscope
