#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/capture/head_choice.h"
#include "core/store/output_place.h"
#include "core/store/qk_sniffer/qk_import.h"

namespace plastiscope {

namespace {

struct ImportOptions {
  QkImportRequest request;
  std::string folder, out, rope, nopeLayers;
  double rate = 0;
  bool force = false;
};

void addFacts(CLI::App& app, ImportOptions& o) {
  QkImportRequest& request = o.request;
  app.add_option("--window", request.window, "Tokens to which the texts were cut")
      ->check(CLI::PositiveNumber);
  app.add_option("--model", request.model,
                 "Model folder, GGUF file or cached name: RoPE, NoPE layers, windows, numbers of heads");
  app.add_option("--query-heads", request.queryHeads,
                 "Query heads per layer, where neither model nor data set says so")
      ->check(CLI::PositiveNumber);
  app.add_option("--key-heads", request.keyHeads, "Key heads per layer, likewise")
      ->check(CLI::PositiveNumber);
  app.add_option("--layers", request.layers, "Layers of the model, likewise")->check(CLI::PositiveNumber);
  app.add_option("--sampler", request.sampler, "Position sampler of the data set (default: as it says)");
  app.add_option("--bucket-size", request.bucketSize, "Its tokens per bucket")->check(CLI::PositiveNumber);
  app.add_option("--rate", o.rate, "Its expected rows per bucket and example (default: 1)")
      ->check(CLI::PositiveNumber);
  app.add_option("--point", request.point, "Where its vectors were taken: post-rope or pre-rope");
  app.add_option("--rope", o.rope, "RoPE settings as a JSON object with the names of config.json");
  app.add_option("--nope-layers", o.nopeLayers, "Layers without RoPE, such as 3,7,11");
}

void finish(ImportOptions& o) {
  o.request.folder = o.folder;
  o.request.out = o.out;
  if (o.rate > 0) o.request.rate = o.rate;
  if (!o.nopeLayers.empty()) o.request.nopeLayers = parseLayerList(o.nopeLayers);
  if (o.rope.empty()) return;
  try {
    o.request.rope = parseJson(o.rope, "--rope");
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
  if (!o.request.rope->is_object()) throw UsageError("--rope: expected a JSON object, found " + o.rope);
}

}  // namespace

CommandRun addImport(CLI::App& app, GlobalOptions& global) {
  auto options = std::make_shared<ImportOptions>();
  app.require_subcommand(1);
  CLI::App* qk = app.add_subcommand("qk-sniffer", "The Parquet layout of qk-sniffer -> capture");
  qk->add_option("FOLDER", options->folder,
                 "Folder with lLLhHHq and lLLhHHk folders, or with one model's folder")
      ->required();
  qk->add_option("--out", options->out, "The capture file to write")->required();
  addForce(*qk, options->force);
  addFacts(*qk, *options);
  qk->add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  qk->footer(
      "What the layout does not say comes from the options or from a model folder. The column token_str is "
      "ignored.\n\n"
      "Example:\n  plastiscope-cli import qk-sniffer sniffed-qk --out study.h5 --window 131072 --model "
      "Llama-3.1-8B");
  return [options](const GlobalOptions& globals, Progress& progress) {
    finish(*options);
    requireOutputPlace(options->out, captureOutput(),
                       {{options->folder, options->request.model}, options->force});
    importQkSniffer(options->request, progress);
    if (!globals.quiet) std::printf("%s\n", sanitized(options->out, kLongestMessage).c_str());
  };
}

}  // namespace plastiscope
