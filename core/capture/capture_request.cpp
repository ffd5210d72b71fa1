#include "core/capture/capture_request.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <exception>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"
#include "core/capture/head_list.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

namespace {

constexpr double kMaxInField = 1 << 24, kMaxSeedInField = INT32_MAX;
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr const char *kSettings = "Settings", *kAdvanced = "Advanced";  // pages of the dialog

// "8GB", "512 MiB" or plain bytes; kB = 1000 bytes, KiB = 1024.
std::uint64_t bytesOf(const std::string& text) {
  std::uint64_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, bytes);
  std::string unit;
  for (const char* at = number.ptr; at != end; ++at) {
    if (*at != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*at)));
  }
  static constexpr std::string_view kPowers = "kmgtpe";
  const auto power = unit.empty() ? std::string_view::npos : kPowers.find(unit.front());
  const std::string rest = power == std::string_view::npos ? unit : unit.substr(1);
  const bool binary = rest == "i" || rest == "ib";
  bool good = number.ec == std::errc() && (rest.empty() || rest == "b" || (binary && power < kPowers.size()));
  for (std::size_t i = 0; good && power != std::string_view::npos && i <= power; ++i)
    good = !__builtin_mul_overflow(bytes, std::uint64_t{binary ? 1024U : 1000U}, &bytes);
  if (!good) throw UsageError("--memory-limit: expected a size such as 8GB, found \"" + text + "\"");
  return bytes;
}

// Whole MiB, at least one of a limit.
std::int64_t mebibytes(std::uint64_t bytes) {
  return bytes == 0 ? 0 : static_cast<std::int64_t>(std::max(kMebibyte, bytes) / kMebibyte);
}

std::vector<std::string> samplerNames() {
  std::vector<std::string> names;
  for (const PositionSampler& sampler : positionSamplers()) names.emplace_back(sampler.name);
  return names;
}

TextForm jsonText(JsonValue& value, const char* what) {
  return {[&value] { return value->is_null() ? std::string() : value->dump(); },
          [&value, what](const std::string& text) {
            try {
              value = text.empty() ? Json() : parseJson(text, what);
            } catch (const InputError& error) {
              throw UsageError(error.what());
            }
          }};
}

// An option for head lists that may be repeated; the lists are joined to one.
TextsForm headLists(std::string& heads) {
  return {[&heads] { return heads.empty() ? std::vector<std::string>() : std::vector{heads}; },
          [&heads](const std::vector<std::string>& lists) { heads = joined(lists, {}, ","); }};
}

OptionList planOptions(CapturePlan& plan) {
  return {
      {"--window",
       "window",
       &plan.window,
       "Tokens kept of each example; default: the longest, at most the model's context",
       {.limit = Limit::Positive},
       {.page = kSettings,
        .row = "&Window",
        .tip = "Texts are cut on the right to this length; it is also the "
               "position range of all analyses",
        .special = "longest text",
        .suffix = " tokens",
        .most = kMaxInField,
        .step = 1024}},
      {"--sampler",
       "sampler",
       &plan.sampler,
       "uniform, log_uniform, all or exact_per_bucket",
       {.showsDefault = true, .words = samplerNames()},
       {.page = kSettings, .row = "Sampler", .tip = "Which positions of a text are taken"}},
      {"--bucket-size",
       "bucket_size",
       &plan.bucketSize,
       "Tokens per bucket; default: window / 16",
       {.limit = Limit::Positive},
       {.page = kSettings,
        .row = "Sampler",
        .label = "bucket",
        .tip = "Tokens per bucket; the rate counts rows per bucket and text",
        .most = kMaxInField}},
      {"--rate",
       "rate",
       &plan.rate,
       "Expected rows per bucket and example",
       {.showsDefault = true, .limit = Limit::Positive},
       {.page = kSettings,
        .row = "Sampler",
        .label = "rate",
        .tip = "Expected rows per bucket and text. About 2,000 rows per head give full profiles and maps",
        .least = 0.01,
        .most = 100000,
        .decimals = 2}},
      {"--sample-seed",
       "sample_seed",
       &plan.sampleSeed,
       "Mixed into the sampler's seed; default: none, which samples the same positions as the author's "
       "programs",
       {},
       {.page = kAdvanced,
        .row = "Seeds",
        .label = "positions",
        .tip =
            "Seed of the positions; without one, exactly the positions of the author's programs are sampled",
        .special = "the author's",
        .least = -1,
        .most = kMaxSeedInField}},
      {"--heads",
       "heads",
       &plan.heads,
       "A count, all, stratified:N, or a list such as L12H6,L3H0-7",
       {.showsDefault = true, .words = {"all", "300", "stratified:60"}, .open = true},
       {.page = kSettings,
        .row = "&Heads",
        .tip = "all, a number (the author's random choice), stratified:N, or a list such as L12H6,L3H0-7"}},
      {"--head-seed",
       "head_seed",
       &plan.headSeed,
       "Seed of the head choice",
       {.showsDefault = true},
       {.page = kAdvanced,
        .row = "Seeds",
        .label = "heads",
        .tip = "Seed of the random choice of heads",
        .most = kMaxSeedInField}},
      {"--dense",
       "",
       headLists(plan.dense),
       "Captured heads, or all, whose queries and keys are also kept at every position, beside the sampled "
       "rows: needed for all scores of a query, and for attention scores such as induction",
       {.leftOut = true}},
      {"",
       "dense",
       &plan.dense,
       "",
       {.leftOut = true},
       {.page = kSettings,
        .row = "D&ense",
        .tip = "Heads whose queries and keys are also kept at every position, beside the sampled rows. The "
               "text then shows the scores of all keys, and the heads have entropy, sink and induction "
               "scores. Takes two bytes per token and dimension of a query or key head",
        .special = "no heads, all, or e.g. L12H6,L3H0"}},
      {"--loss",
       "loss",
       &plan.loss,
       "Also run the model to its output, and keep the negative log-likelihood of every token: for its mean "
       "by position, and over passages that occurred earlier in the text",
       {.leftOut = true},
       {.page = kSettings,
        .row = "Vectors",
        .label = "loss",
        .tip = "Also keep the loss (negative log-likelihood) of every token: computes the layers after the "
               "captured ones and the scores of the whole vocabulary"}},
      {"--all-layers",
       "all_layers",
       &plan.allLayers,
       "Also take sliding-window layers",
       {},
       {.page = kSettings,
        .row = "Vectors",
        .label = "sliding layers too",
        .tip = "Also capture layers with a sliding attention window"}},
      {"--no-author-parity",
       "author_parity",
       &plan.authorParity,
       "Draw heads only from layers with vectors (default: from all layers, as the author's programs do)",
       {.clears = true},
       {.page = kAdvanced,
        .row = "Seeds",
        .label = "as in the thesis",
        .tip = "Heads are drawn over all layers, and those without vectors are left out afterwards, as the "
               "author's programs do"}},
      {"--point",
       "point",
       choiceOf(plan.point),
       "post-rope, pre-rope or both",
       {.showsDefault = true},
       {.page = kSettings,
        .row = "Vectors",
        .tip = "Vectors after the rotation by RoPE, before it, or both",
        .words = {"after RoPE", "before RoPE", "both"}}},
      {"--paired",
       "paired",
       &plan.paired,
       "Sample the same positions for queries and keys",
       {},
       {.page = kSettings, .row = "Vectors", .label = "same positions for Q and K"}},
      {"--dtype",
       "dtype",
       &plan.dtype,
       "Compute type: auto, float32, bfloat16 or float16",
       {.showsDefault = true, .words = {"auto", "float32", "bfloat16", "float16"}},
       {.page = kSettings,
        .row = "Compute",
        .tip = "Number format of the computation",
        .words = {"automatic", "float32", "bfloat16", "float16"}}},
      {"--store",
       "store",
       choiceOf(plan.store),
       "float16 or float32",
       {.showsDefault = true},
       {.page = kSettings,
        .row = "Compute",
        .label = "store",
        .tip = "Number format of the vectors in the file"}},
      {"--device",
       "device",
       &plan.device,
       "auto, cpu, cuda, cuda:N, or mps with the engine transformers",
       {.showsDefault = true, .words = {"auto", "cpu", "cuda"}, .open = true},
       {.page = kSettings,
        .row = "Compute",
        .label = "device",
        .tip = "Where the model runs",
        .words = {"automatic", "CPU", "GPU (CUDA)"}}},
      {"--rope-override",
       "",
       jsonText(plan.ropeOverride, "--rope-override"),
       "RoPE settings as a JSON object, in place of the model's own",
       {},
       {.page = kAdvanced,
        .row = "RoPE",
        .tip = "RoPE settings as a JSON object, in place of the model's own, such as {\"rope_type\": "
               "\"yarn\", \"factor\": 4, \"original_max_position_embeddings\": 32768}",
        .special = "model default"}},
      {"", "rope_override",
       JsonForm{[&plan] { return *plan.ropeOverride; },
                [&plan](const Json& value) {
                  if (!value.is_null() && !value.is_object())
                    throw UsageError("capture setting rope_override: expected an object or null");
                  plan.ropeOverride = value;
                }}},
      {"--ablate",
       "ablate",
       &plan.ablate,
       "Query heads whose output is set to zero, such as L12H6,L3H0-7; shows the effect on later layers",
       {.leftOut = true},
       {.page = kAdvanced, .row = "Ablate", .special = "no heads, or e.g. L12H6,L3H0-7"}},
      {"--clamp-bias",
       "clamp_bias",
       &plan.clampBias,
       "Query heads whose keys lose their drift along the position axis: k - a alpha_K (t - (L - 1) / 2), "
       "where L is the window of the analysis. The capture stores the unchanged keys; the effect is in later "
       "layers",
       {.leftOut = true},
       {.page = kAdvanced, .row = "Clamp", .special = "no heads, or e.g. L12H6"}},
  };
}

// Checks the head list of an optional option; "" is valid.
void requireHeadList(const std::string& option, const std::string& heads) {
  if (heads.empty()) return;
  try {
    parseHeadList(heads);
  } catch (const UsageError& error) {
    throw UsageError(option + ": " + error.what());
  }
}

void requireTokens(const char* option, std::int64_t tokens) {
  if (tokens < 0 || tokens > INT32_MAX)
    throw UsageError(std::string(option) + ": expected 1 to 2147483647 tokens, found " +
                     std::to_string(tokens));
}

void requireDevice(const std::string& device) {
  if (device.starts_with("cuda:")) {
    if (parsedNumber<int>(std::string_view(device).substr(5)).value_or(-1) >= 0) return;
  }
  requireWord("--device", device, {"auto", "cpu", "cuda", "cuda:1", "mps"});
}

// The option --select with "KEY=VALUE" conditions on records, stored as pairs.
TextsForm selectForm(CorpusOptions& corpus) {
  return {[&corpus] {
            std::vector<std::string> texts;
            for (const auto& [key, value] : corpus.select) texts.push_back(key + "=" + value);
            return texts;
          },
          [&corpus](const std::vector<std::string>& pairs) {
            for (const std::string& pair : pairs) {
              const auto equals = pair.find('=');
              if (equals == std::string::npos)
                throw UsageError("--select: expected KEY=VALUE, found \"" + pair + "\"");
              corpus.select.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
            }
          }};
}

JsonForm selectJson(CorpusOptions& corpus) {
  return {[&corpus] {
            Json list = Json::array();
            for (const auto& [key, value] : corpus.select) list.push_back({key, value});
            return list;
          },
          [&corpus](const Json& list) {
            corpus.select.clear();
            for (const Json& pair : list)
              corpus.select.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
          }};
}

OptionList corpusOptions(CaptureRequest& r) {
  CorpusOptions& corpus = r.corpus;
  return {
      {"--text", "corpus.files", &corpus.files,
       "Texts: .txt (one example per file), .jsonl (.gz, .zst), .json (array), .parquet, .arrow, .csv with a "
       "header, or a folder of datasets.save_to_disk"},
      {"--tokens", "tokens", &r.tokens,
       "Token ids instead: .jsonl with {\"id\": ..., \"tokens\": [...]} per line"},
      {"--tokenizer",
       "tokenizer",
       &r.tokenizer,
       "Tokenizer instead of the model's: tokenizer.json, tokenizer.model, or a folder that holds one",
       {.leftOut = true},
       {.page = kAdvanced, .row = "Tokenizer", .special = "the model's own"}},
      {"--text-field",
       "corpus.text_field",
       &corpus.textField,
       "Field with the text (default: text, context, content, document or prompt)",
       {},
       {.page = kAdvanced, .row = "Records", .label = "text", .special = "text, context, …"}},
      {"--template",
       "corpus.template",
       &corpus.form,
       "Text of several fields: \"{context}\\n\\n{question}\"; {{ and }} are braces, \\n is a line end",
       {.leftOut = true},
       {.page = kAdvanced, .row = "Template", .special = "e.g. {context}\\n\\n{question}"}},
      {"--chat-template",
       "corpus.chat_template",
       &corpus.chat,
       "Messages of a record, or its text as one message of a user, in the model's chat template (jinja2)",
       {.leftOut = true},
       {.page = kAdvanced, .row = "Records", .label = "chat template"}},
      {"--id-field",
       "corpus.id_field",
       &corpus.idField,
       "Field with the id (default: id or _id, else the running index)",
       {},
       {.page = kAdvanced, .row = "Records", .label = "id", .special = "id, _id, number"}},
      {"--max-examples",
       "corpus.max_examples",
       &corpus.maxExamples,
       "Use only the first N examples",
       {.limit = Limit::Positive},
       {.page = kAdvanced,
        .row = "Records",
        .label = "at most",
        .tip = "Only the first texts, in the order of the files",
        .special = "all",
        .most = kMaxSeedInField}},
      {"--no-texts",
       "store_texts",
       &r.storeTexts,
       "Do not store the tokens and their words; the window then cannot show the text beside a row",
       {.clears = true}},
      {"--no-probe",
       "probe",
       &r.probe,
       "Leave out the probe: 256 random tokens, twice, which give every head its probe_induction_score",
       {.clears = true, .leftOut = true}},
      {"--strict",
       "corpus.strict",
       &corpus.strict,
       "Stop at a record without a text (default: leave it out with a warning)",
       {.leftOut = true}},
      {"--no-special",
       "corpus.no_special",
       &corpus.noSpecial,
       "Leave out what the model's template adds to each text (BOS, EOS)",
       {.leftOut = true},
       {.page = kAdvanced,
        .row = "Records",
        .label = "no special tokens",
        .tip = "Leave out what the model's template adds to each text (BOS, EOS)"}},
      {"--select", "", selectForm(corpus), "Keep records with KEY=VALUE; may be repeated"},
      {"", "corpus.select", selectJson(corpus)},
  };
}

// Options that do not change the data: threads, memory, resuming.
OptionList workOptions(CaptureRequest& r) {
  const TextForm memory{[&r] {
                          const std::int64_t limit = mebibytes(r.memoryLimit);
                          return limit == 0 ? std::string() : std::to_string(limit) + "MiB";
                        },
                        [&r](const std::string& text) { r.memoryLimit = text.empty() ? 0 : bytesOf(text); }};
  const JsonForm memoryJson{[&r] { return Json(mebibytes(r.memoryLimit)); },
                            [&r](const Json& value) {
                              const auto limit = value.get<std::int64_t>();
                              r.memoryLimit =
                                  static_cast<std::uint64_t>(std::max<std::int64_t>(0, limit)) * kMebibyte;
                            }};
  const TextForm part{
      [&r] { return r.part.isWhole() ? std::string() : r.part.text(); },
      [&r](const std::string& text) { r.part = text.empty() ? CapturePart() : CapturePart::parse(text); }};
  return {
      {"--clamp-from",
       "clamp_from",
       &r.clampFrom,
       "Analysis file with the axis a and the slope alpha_K of the heads of --clamp-bias",
       {},
       {.page = kAdvanced, .row = "Clamp", .label = "from", .special = "analysis with axis and slope"}},
      {"--memory-limit", "", memory,
       "Most memory that the run may take, such as 8GB; default: 80 % of the free memory"},
      {"",
       "memory_limit",
       memoryJson,
       "",
       {},
       {.page = kAdvanced,
        .row = "RoPE",
        .label = "memory",
        .tip = "Most memory that the capture may take; layers are read from disk when the weights do not fit",
        .special = "80 % of free",
        .suffix = " MiB",
        .most = 1 << 24}},
      {"--part",
       "part",
       part,
       "Share I of N of the texts, I from 0, such as 0/4; merge joins the parts. Default: the part that the "
       "environment of an array job, torchrun or MPI sets, else all texts; 0/1 always takes all texts",
       {.leftOut = true}},
      {"--fresh", "fresh", &r.fresh,
       "Discard unfinished work of the same output, and replace a finished capture"},
      {"--checkpoint-every",
       "",
       &r.checkpointSeconds,
       "Seconds of work after which the state of unfinished texts is saved to disk; default: 20, or longer "
       "where saving would take more than 2 % of the time",
       {.limit = Limit::NotNegative}},
  };
}

}  // namespace

OptionList captureOptions(CaptureRequest& request) {
  OptionList all = {
      {"--model", "model", &request.model, "Model folder, GGUF file or cached name", {.required = true}}};
  const auto add = [&all](OptionList more) { std::move(more.begin(), more.end(), std::back_inserter(all)); };
  add({{"--follow-links",
        "follow_links",
        &request.followLinks,
        "Read shards of the model through links that other users made",
        {.leftOut = true},
        {.page = kAdvanced, .row = "Model", .label = "follow links of other users"}},
       {"--engine",
        "engine",
        choiceOf(request.engine),
        "What runs the model: native (this program), transformers (a Python of yours with PyTorch and "
        "transformers), or auto: native where it knows the model's family, else transformers",
        {.showsDefault = true, .leftOut = true},
        {.page = kAdvanced,
         .row = "Engine",
         .tip = "What runs the model: this program, or a Python with transformers for families that it does "
                "not know",
         .words = {"automatic", "native", "transformers"}}},
       {"--python",
        "python",
        &request.python,
        "Python with torch and transformers for the engine transformers; default: PLASTISCOPE_PYTHON, the "
        "active environment, or python3",
        {.leftOut = true},
        {.page = kAdvanced, .row = "Engine", .label = "Python", .special = "found by itself"}}});
  add(corpusOptions(request));
  add({{"--out", "out", &request.out, "The capture file to write"}});
  OptionList plan = planOptions(request.plan);
  for (Option& option : plan) {
    if (!option.key.empty()) option.key.insert(0, "plan.");
  }
  add(std::move(plan));
  add(workOptions(request));
  return all;
}

Json CapturePlan::toJson() const {
  CapturePlan plan = *this, standard;
  return plastiscope::toJson(planOptions(plan), planOptions(standard));
}

CapturePlan CapturePlan::fromJson(const Json& value) {
  if (!value.is_object()) throw UsageError("capture settings: expected a JSON object");
  CapturePlan plan;
  const OptionList options = planOptions(plan);
  requireKnownMembers(options, value, "capture setting");
  readMembers(options, value, "capture setting");
  plan.validate();
  return plan;
}

void CapturePlan::validate() const {
  requireTokens("--window", window);
  requireTokens("--bucket-size", bucketSize);
  if (!std::isfinite(rate) || rate <= 0) throw UsageError("--rate: expected a number above 0");
  CapturePlan plan = *this;
  requireWords(planOptions(plan));
  parseHeadRequest(heads);
  requireDevice(device);
  if (dense != kAllHeads) requireHeadList("--dense", dense);
  requireHeadList("--ablate", ablate);
  requireHeadList("--clamp-bias", clampBias);
  if (!ropeOverride->is_null() && !ropeOverride->is_object())
    throw UsageError("--rope-override: expected a JSON object");
}

Json CaptureRequest::toJson() const {
  CaptureRequest request = *this, standard;
  return plastiscope::toJson(captureOptions(request), captureOptions(standard));
}

CaptureRequest CaptureRequest::fromJson(const Json& value) {
  try {
    for (const char* key : {"model", "corpus", "plan", "out"}) (void)value.at(key);
    CaptureRequest request;
    request.plan = CapturePlan::fromJson(value.at("plan"));
    readMembers(captureOptions(request), value, "capture request");
    return request;
  } catch (const Json::exception&) {  // the library's message becomes the cause
    std::throw_with_nested(InputError({{},
                                       "capture request",
                                       "model, corpus, plan and out",
                                       "an object that lacks one of them or has one of another type"}));
  }
}

std::vector<std::string> CaptureRequest::arguments() const {
  CaptureRequest request = *this, standard;
  request.out.clear();
  std::vector<std::string> all = argumentsOf(captureOptions(request), captureOptions(standard));
  if (!out.empty()) all.insert(all.end(), {"--out", pathText(out)});
  return all;
}

}  // namespace plastiscope
