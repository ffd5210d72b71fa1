#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/backend_program.h"
#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/jobs/capture_job.h"
#include "core/jobs/capture_snapshot.h"

namespace plastiscope {

namespace {

struct Options {
  CaptureRequest request;
  std::vector<std::string> texts, select;
  std::string tokens, out, ropeOverride, memoryLimit, clampFrom, snapshot;
  std::optional<std::uint64_t> sampleSeed;
  bool noAuthorParity = false, noTexts = false, estimate = false, json = false;
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

void addTextOptions(CLI::App& app, Options& o) {
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

void addPlanOptions(CLI::App& app, Options& o) {
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

void addInterventionOptions(CLI::App& app, Options& o) {
  app.add_option(
      "--ablate", o.request.plan.ablate,
      "Query heads whose output is set to zero, such as L12H6,L3H0-7; see what later layers make of it");
  app.add_option(
      "--clamp-bias", o.request.plan.clampBias,
      "Query heads that see keys without their drift along the position axis: k - a alpha_K (t - (L - 1) / "
      "2), L the analysis' window. The capture keeps the key heads' own keys; the effect is in later layers");
  app.add_option("--clamp-from", o.clampFrom, "The analysis with a and alpha_K of the heads of --clamp-bias");
}

void finish(Options& o, const GlobalOptions& global) {
  if (o.texts.empty() == o.tokens.empty()) throw UsageError("capture needs either --text or --tokens");
  o.request.corpus.files.assign(o.texts.begin(), o.texts.end());
  for (const std::string& pair : o.select) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos) throw UsageError("--select: expected KEY=VALUE, found \"" + pair + "\"");
    o.request.corpus.select.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  o.request.tokens = o.tokens;
  o.request.out = o.out;
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

void printEstimate(const CaptureEstimate& e) {
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
  auto options = std::make_shared<Options>();
  Options& o = *options;
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
  app.add_flag("--fresh", o.request.fresh, "Discard unfinished work of the same output");
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    continueWithBackend(globals.arguments);
    finish(*options, globals);
    if (!options->snapshot.empty()) {
      const CaptureSnapshot taken = snapshotCapture(options->request, options->snapshot, progress);
      if (!globals.quiet)
        std::printf("%s of %s texts\n", withCommas(taken.examples).c_str(), withCommas(taken.total).c_str());
      return;
    }
    if (!options->estimate) {
      try {
        runCapture(options->request, progress);
      } catch (const Stopped&) {
        throw Stopped("stopped on request; finished work is kept, and the same command goes on with it");
      }
      if (!globals.quiet) std::printf("%s\n", sanitized(options->out, kLongestMessage).c_str());
      return;
    }
    const CaptureEstimate estimate = estimateCapture(options->request, progress);
    if (options->json) {
      std::printf("%s\n", canonicalJson(estimate.toJson()).c_str());
    } else {
      printEstimate(estimate);
    }
  };
}

}  // namespace plastiscope
