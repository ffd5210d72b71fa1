#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "app/cli/backend_program.h"
#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/jobs/capture_job.h"
#include "core/jobs/capture_snapshot.h"
#include "core/store/output_place.h"

namespace plastiscope {

namespace {

struct CaptureOptions {
  CaptureRequest request;
  std::vector<std::string> texts, select;
  std::string tokens, out, ropeOverride, memoryLimit, clampFrom, snapshot, part;
  std::optional<std::uint64_t> sampleSeed;
  bool noAuthorParity = false, noTexts = false, estimate = false, json = false, force = false;
};

// "8GB", "512 MiB" or plain bytes.
std::uint64_t bytesOf(const std::string& text) {
  if (text.empty()) return 0;
  const CLI::AsSizeValue asSize(true);  // kB = 1000 bytes, KiB = 1024
  std::string value = text;
  try {
    asSize(value);
    return std::stoull(value);
  } catch (const std::exception&) {
    throw UsageError("--memory-limit: expected a size such as 8GB, found \"" + text + "\"");
  }
}

void addTextOptions(CLI::App& app, CaptureOptions& o) {
  app.add_option("--text", o.texts, "Texts: .txt (one example a file), .jsonl, .json (array), or .parquet");
  app.add_option("--tokens", o.tokens,
                 "Token ids instead: .jsonl with {\"id\": ..., \"tokens\": [...]} a line");
  app.add_option("--text-field", o.request.corpus.textField,
                 "Field with the text (default: text, context, content, document or prompt)");
  app.add_option("--id-field", o.request.corpus.idField,
                 "Field with the id (default: id or _id, else the running index)");
  app.add_option("--max-examples", o.request.corpus.maxExamples, "Use only the first N examples")
      ->check(CLI::PositiveNumber);
  app.add_flag("--no-texts", o.noTexts,
               "Do not store the tokens and their words, which the window shows beside a row");
  app.add_option("--select", o.select, "Keep records with KEY=VALUE; may be repeated");
}

void addPlanOptions(CLI::App& app, CaptureOptions& o) {
  CapturePlan& plan = o.request.plan;
  app.add_option("--window", plan.window,
                 "Tokens kept of each example; default: the longest, at most the model's context")
      ->check(CLI::PositiveNumber);
  app.add_option("--sampler", plan.sampler, "uniform, log_uniform, all or exact_per_bucket")
      ->capture_default_str();
  app.add_option("--bucket-size", plan.bucketSize, "Tokens a bucket; default: window / 16")
      ->check(CLI::PositiveNumber);
  app.add_option("--rate", plan.rate, "Expected rows per bucket and example")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--sample-seed", o.sampleSeed,
                 "Mixed into the sampler's seed; without it the author's masks result");
  app.add_option("--heads", plan.heads, "A count, all, stratified:N, or a list such as L12H6,L3H0-7")
      ->capture_default_str();
  app.add_option("--head-seed", plan.headSeed, "Seed of the head choice")->capture_default_str();
  app.add_flag("--all-layers", plan.allLayers, "Also take sliding-window layers");
  app.add_flag("--no-author-parity", o.noAuthorParity,
               "Leave layers without vectors out before heads are drawn");
  app.add_option("--point", plan.point, "post-rope, pre-rope or both")->capture_default_str();
  app.add_flag("--paired", plan.paired, "Sample the same positions for queries and keys");
  app.add_option("--dtype", plan.dtype, "Compute type: auto, float32, bfloat16 or float16")
      ->capture_default_str();
  app.add_option("--store", plan.store, "float16 or float32")->capture_default_str();
  app.add_option("--device", plan.device, "auto, cpu, cuda or cuda:N")->capture_default_str();
  app.add_option("--rope-override", o.ropeOverride,
                 "RoPE settings as a JSON object, in place of the model's own");
}

void addInterventionOptions(CLI::App& app, CaptureOptions& o) {
  app.add_option(
      "--ablate", o.request.plan.ablate,
      "Query heads whose output is set to zero, such as L12H6,L3H0-7; see what later layers make of it");
  app.add_option(
      "--clamp-bias", o.request.plan.clampBias,
      "Query heads that see keys without their drift along the position axis: k - a alpha_K (t - (L - 1) / "
      "2), L the analysis' window. The capture keeps the key heads' own keys; the effect is in later layers");
  app.add_option("--clamp-from", o.clampFrom, "The analysis with a and alpha_K of the heads of --clamp-bias");
}

// With --part the output is as given; all tasks of a cluster share one command line, so that each has a file
// of its own.
void choosePart(CaptureOptions& o, const GlobalOptions& global) {
  if (!o.part.empty()) {
    o.request.part = CapturePart::parse(o.part);
  } else if (const auto part = clusterPart([](const char* name) { return std::getenv(name); })) {
    o.request.part = *part;
    if (!o.out.empty()) o.request.out = partFile(o.out, *part);
    tell(global, "part " + std::to_string(part->index) + " of " + std::to_string(part->count) +
                     ", as the environment says; --part 0/1 takes all texts");
  }
}

void finish(CaptureOptions& o, const GlobalOptions& global) {
  if (o.texts.empty() == o.tokens.empty()) throw UsageError("capture needs either --text or --tokens");
  o.request.corpus.files.assign(o.texts.begin(), o.texts.end());
  for (const std::string& pair : o.select) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos) throw UsageError("--select: expected KEY=VALUE, found \"" + pair + "\"");
    o.request.corpus.select.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  o.request.tokens = o.tokens;
  o.request.out = o.out;
  choosePart(o, global);
  o.request.storeTexts = !o.noTexts;
  o.request.clampFrom = o.clampFrom;
  o.request.plan.sampleSeed = o.sampleSeed;
  o.request.plan.authorParity = !o.noAuthorParity;
  if (!o.ropeOverride.empty()) {
    try {
      o.request.plan.ropeOverride = parseJson(o.ropeOverride, "--rope-override");
    } catch (const InputError& error) {
      throw UsageError(error.what());
    }
  }
  o.request.memoryLimit = bytesOf(o.memoryLimit);
  o.request.threads = global.threads;
  if (o.out.empty() && !o.estimate) throw UsageError("capture needs --out FILE.h5");
}

// What is read stays, and so does what is no capture: the estimate says so already.
void requirePlaces(const CaptureOptions& o) {
  OutputRules rules{{o.request.model, o.tokens, o.clampFrom}, o.force};
  rules.inputs.insert(rules.inputs.end(), o.texts.begin(), o.texts.end());
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
  std::printf("rows      about %s a head and kind\n",
              withCommas(static_cast<long long>(e.rowsPerHead)).c_str());
  std::printf("time      about %s\n", durationText(e.seconds).c_str());
  std::printf("memory    %s of %s allowed\n", byteText(e.memoryBytes).c_str(),
              byteText(e.memoryLimit).c_str());
  std::printf("disk      at most %s while it runs, about %s afterwards, of %s free\n",
              byteText(e.diskBytes).c_str(), byteText(e.fileBytes).c_str(), byteText(e.freeDisk).c_str());
  std::printf("%s\n", e.fits ? "It fits." : e.advice.c_str());
  if (!e.caution.empty()) std::printf("%s\n", e.caution.c_str());
}

}  // namespace

CommandRun addCapture(CLI::App& app, GlobalOptions& global) {
  auto options = std::make_shared<CaptureOptions>();
  CaptureOptions& o = *options;
  app.add_option("--model", o.request.model, "Model folder, GGUF file or cached name")->required();
  addTextOptions(app, o);
  app.add_option("--out", o.out, "The capture file to write");
  addPlanOptions(app, o);
  addInterventionOptions(app, o);
  app.add_option("--memory-limit", o.memoryLimit, "For example 8GB; default: 80 % of what is free");
  app.add_flag("--estimate", o.estimate, "Print tokens, time, memory and disk, and stop");
  app.add_flag("--json", o.json, "The estimate as JSON");
  app.add_option("--snapshot", o.snapshot,
                 "Write what is finished of this capture, which may run, into a file of its own, and stop");
  app.add_option("--part", o.part,
                 "Share I of N of the texts, I from 0, such as 0/4; merge joins the parts. Default: what the "
                 "environment of an array job, torchrun or MPI says; 0/1 takes all texts there too");
  addForce(app, o.force);
  app.add_flag("--fresh", o.request.fresh,
               "Discard unfinished work of the same output, and replace a finished capture");
  app.add_option(
         "--checkpoint-every", o.request.checkpointSeconds,
         "Seconds of work after which texts that are half done are kept on disk too; default: 20, and "
         "more where that would cost more than 2 % of the time")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    continueWithBackend(globals.arguments);
    finish(*options, globals);
    requirePlaces(*options);
    if (!options->snapshot.empty()) {
      const CaptureSnapshot taken = snapshotCapture(options->request, options->snapshot, progress);
      if (!globals.quiet)
        std::printf("%s of %s texts\n", withCommas(taken.examples).c_str(), withCommas(taken.total).c_str());
      return;
    }
    if (!options->estimate) {
      CaptureOutcome outcome = CaptureOutcome::Captured;
      try {
        outcome = runCapture(options->request, progress);
      } catch (const Stopped&) {
        throw Stopped("stopped on request; finished work is kept, and the same command goes on with it");
      }
      if (outcome == CaptureOutcome::WasFinished)
        tell(globals, "finished already, with the same settings; --fresh captures it again");
      if (!globals.quiet)
        std::printf("%s\n", sanitized(options->request.out.string(), kLongestMessage).c_str());
      return;
    }
    const CaptureEstimate estimate = estimateCapture(options->request, progress);
    if (options->json) {
      std::printf("%s\n", canonicalJson(estimate.toJson()).c_str());
    } else {
      printEstimate(estimate, options->request.part);
    }
  };
}

}  // namespace plastiscope
