#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <set>

#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"
#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/path_text.h"
#include "core/capture/head_list.h"
#include "core/forward/forward_engine.h"
#include "core/jobs/head_metrics.h"
#include "core/jobs/head_work.h"
#include "core/model/discovery.h"
#include "core/model/model.h"
#include "core/model/model_card.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_parts.h"
#include "core/store/schema.h"
#include "core/store/stored_file.h"
#include "core/text/corpus_file.h"
#include "core/text/token_types.h"
#include "core/text/tokenizer.h"
#include "core/transformers/engine_choice.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

void print(const Lines& lines) {
  std::size_t width = 0;
  for (const auto& [title, value] : lines) width = std::max(width, title.size());
  for (const auto& [title, value] : lines) {
    std::printf("%-*s  %s\n", static_cast<int>(width), title.c_str(),
                sanitized(value, kLongestMessage).c_str());
  }
}

// Memory needed to capture one text of the whole context, and free memory.
struct MemoryNeed {
  std::uint64_t bytes = 0, free = 0;
  std::string sentence(std::int64_t tokens) const {
    return byteText(bytes) + " at " + withCommas(tokens) + " tokens, " +
           (bytes <= free ? "fits" : "does not fit") + " into " + byteText(free) + " free";
  }
};

MemoryNeed memoryNeed(const OpenedModel& opened) {
  const ForwardOptions options;
  const ModelSpec& spec = opened.model->spec;
  const auto engine = opened.engine();
  const std::int64_t tokens = spec.contextLength;
  const DeviceMemory room = engine->memoryOn(engine->resolveDevice(*opened.model, options));
  const ForwardFit fit = engine->fit(spec, {tokens, tokens}, spec.layerCount - 1, room, options);
  return {fit.bytes, room.free.value_or(availableMemoryBytes())};
}

std::string devicesText(const TransformersEngine& engine) {
  return joined(engine.facts().devices, [](const TransformersFacts::Device& device) {
    return device.name + (device.free ? " (" + byteText(*device.free) + " free)" : "");
  });
}

void infoOfModel(const std::string& path, bool json, const EngineOptions& engine, bool followLinks,
                 Progress& progress) {
  const OpenedModel opened = openWithEngine(resolveModelPath(path), engine, {}, followLinks, progress);
  const ModelCard card = cardOf(*opened.model);
  const bool runs = opened.transformers || forwardAvailable();
  if (json) {
    Json value = toJson(card);
    value["kind"] = "model";
    if (runs) {
      const MemoryNeed need = memoryNeed(opened);
      value["memory_bytes"] = need.bytes;
      value["free_memory_bytes"] = need.free;
      value["fits"] = need.bytes <= need.free;
    }
    std::printf("%s\n", indentedJson(value).c_str());
    return;
  }
  Lines lines = cardLines(card);
  if (opened.transformers) lines.emplace_back("Devices", devicesText(*opened.transformers));
  if (runs) lines.emplace_back("Memory", memoryNeed(opened).sentence(card.spec.contextLength));
  print(lines);
}

Json headNames(const CaptureInfo& info, std::vector<std::int64_t> CaptureLayerInfo::*heads) {
  Json names = Json::array();
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    for (const std::int64_t head : layer.*heads) names.push_back(HeadName{layer.layer, head}.text());
  }
  return names;
}

// Lists heads with interventions.
void addInterventions(Lines& lines, const Json& settings) {
  const auto add = [&](const char* key, const char* title, const char* what) {
    if (const std::string heads = textOr(settings, key); !heads.empty())
      lines.emplace_back(title, heads + what);
  };
  add("ablate", "ablated", ": their output is zero");
  add("clamp_bias", "clamped", ": they see keys without their drift along a");
}

void addLosses(Lines& lines, const LossSummary& losses) {
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", value);
    return std::string(text);
  };
  lines.emplace_back(
      "loss", number(losses.all.nll()) + " nats per token, perplexity " + number(std::exp(losses.all.nll())));
  if (losses.repeated.tokens == 0) return;
  lines.emplace_back("repeated", withCommas(losses.repeated.tokens) + " tokens of passages seen before: " +
                                     number(losses.repeated.nll()) + " nats per token, " +
                                     number(losses.first.nll()) + " at their first occurrence");
}

std::string probeText(const CaptureFile& capture) {
  const std::size_t tokens = capture.probeTokens().size();
  return tokens == 0 ? ", without a probe" : ", and of a probe of " + withCommas(tokens) + " tokens";
}

// Names of the fields kept with the texts.
std::set<std::string> fieldsOf(const CaptureInfo& info) {
  std::set<std::string> names;
  for (const CaptureExampleInfo& example : info.examples) {
    const Json fields = parseJson(example.fields.empty() ? "{}" : example.fields, "/examples/fields");
    for (const auto& field : fields.items()) names.insert(field.key());
  }
  return names;
}

void infoOfCapture(const StoredFile& file, bool json, Progress& progress) {
  const auto capture = file.capture();
  const CaptureInfo& info = capture->info();
  std::int64_t tokens = 0, leastRows = -1, mostRows = 0;
  for (const CaptureExampleInfo& example : info.examples) tokens += example.tokens;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    leastRows = leastRows < 0 ? layer.queryRows : std::min(leastRows, layer.queryRows);
    mostRows = std::max(mostRows, layer.queryRows);
  }
  const auto bytes = std::filesystem::file_size(file.path());
  const Json heads = headNames(info, &CaptureLayerInfo::queryHeads),
             dense = headNames(info, &CaptureLayerInfo::denseQueryHeads);
  if (json) {
    Json value = modelFieldsJson(info);
    value.update(captureFieldsJson(info));
    value["model"] = info.modelName;
    for (const char* key : {"name", "source", "config", "without_vectors", "head_seed"}) value.erase(key);
    value.update({{"kind", "capture"},
                  {"examples", info.examples.size()},
                  {"tokens", tokens},
                  {"fields", fieldsOf(info)},
                  {"rows_per_head", {leastRows, mostRows}},
                  {"bytes", bytes},
                  {"settings", *info.settings},
                  {"settings_hash", info.settingsHash},
                  {"program_version", info.programVersion},
                  {"created", info.created},
                  {"heads", heads}});
    if (const auto part = partOf(info.settings)) {
      value["part"] = {{"index", part->index}, {"count", part->count}};
      value["examples_of_whole"] = examplesOfWhole(info.settings);
    }
    value["head_scores"] = capture->hasScores();
    value["probe_tokens"] = capture->probeTokens().size();
    if (!dense.empty()) value["dense_heads"] = dense;
    if (const auto losses = lossesOf(*capture)) {
      const auto number = [](const LossMean& mean) { return mean.tokens > 0 ? Json(mean.nll()) : Json(); };
      value["loss"] = {{"tokens", losses->all.tokens},
                       {"nll", number(losses->all)},
                       {"repeated_tokens", losses->repeated.tokens},
                       {"repeated_nll", number(losses->repeated)},
                       {"first_occurrence_nll", number(losses->first)}};
    }
    std::printf("%s\n", indentedJson(value).c_str());
    return;
  }
  const std::string part = partText(info);
  Lines lines{
      {"kind", part.empty() ? "capture" : "capture, " + part},
      {"model", info.modelName + " (" + info.architecture + ")"},
      {"heads", withCommas(static_cast<long long>(heads.size())) + " of " + std::to_string(info.layers) +
                    " layers x " + std::to_string(info.queryHeads) + ", " + std::to_string(info.keyHeads) +
                    " key heads, size " + std::to_string(info.headDim)},
      {"rope", info.positions.empty() ? textOr(mainRope(info.rope), "rope_type", "default")
                                      : "none; positions: " + info.positions},
      {"window", withCommas(info.window) + " tokens"},
      {"sampler",
       info.sampler + ", bucket " + withCommas(info.bucketSize) + ", rate " + canonicalJson(info.rate)},
      {"texts",
       withCommas(static_cast<long long>(info.examples.size())) + ", " + withCommas(tokens) + " tokens"},
      {"rows", withCommas(leastRows) + " to " + withCommas(mostRows) + " queries per head"},
      {"point", info.point},
      {"computed", info.computeDtype + " on " + info.device},
      {"engine", engineText(info.engine)},
      {"size", byteText(bytes)},
      {"created", info.created + " by " + info.programVersion},
      {"fingerprint", info.fingerprint}};
  lines.emplace_back("scores",
                     capture->hasScores()
                         ? "attention scores of every head" + probeText(*capture)
                         : "none, as in recordings and captures of version 1.0: capture the model again");
  if (const auto fields = fieldsOf(info); !fields.empty()) lines.emplace_back("fields", joined(fields));
  if (!dense.empty())
    lines.emplace_back("dense", joined(dense.get<std::vector<std::string>>()) + ": at every position");
  if (const auto losses = lossesOf(*capture)) addLosses(lines, *losses);
  if (const std::string rope = overriddenRopeText(info); !rope.empty())
    std::ranges::find(lines, "rope", &Lines::value_type::first)->second += ", " + rope;
  addInterventions(lines, info.settings);
  print(lines);
  warnOfPart(info, progress);
  if (info.settings->contains(kTokenWarnings))
    for (const Json& warning : info.settings->at(kTokenWarnings)) progress.warned(warning.get<std::string>());
  const std::string warning = contextWarning(info.window, info.trainedContext);
  if (!warning.empty()) progress.warned(warning);
}

void infoOfAnalysis(const StoredFile& file, bool json) {
  const auto held = file.analysis();
  const AnalysisFile& analysis = *held;
  const AnalysisProvenance& p = analysis.provenance;
  const Json tables = analysis.rowsOfTables();
  Json heads = Json::array();
  if (const Table* table = analysis.find("heads")) {
    for (std::size_t row = 0; row < table->rows(); ++row) {
      heads.push_back(HeadName{table->integers("layer")[row], table->integers("head")[row]}.text());
    }
  }
  if (json) {
    Json value = p.toJson();
    value["kind"] = "analysis";
    value["tables"] = tables;
    value["heads"] = heads;
    std::printf("%s\n", indentedJson(value).c_str());
    return;
  }
  std::string names;
  for (const auto& [name, rows] : tables.items()) {
    names += (names.empty() ? "" : ", ") + name + " (" + withCommas(rows.get<long long>()) + ")";
  }
  Lines lines{{"kind", "analysis"},
              {"capture", p.captureFile},
              {"model", textOr(p.capture, "model", textOr(p.capture, "name"))},
              {"heads", withCommas(static_cast<long long>(heads.size()))},
              {"tables", names},
              {"settings", canonicalJson(p.settings)},
              {"created", p.created + " by " + p.programVersion},
              {"fingerprint", p.captureFingerprint}};
  if (const std::vector<std::string> imported = importedColumns(p); !imported.empty())
    lines.emplace_back("imported", joined(imported));
  addInterventions(lines, p.capture);
  if (const auto part = partOf(p.capture))
    lines.emplace_back(
        "part", std::to_string(part->index) + " of " + std::to_string(part->count) + " of the capture");
  print(lines);
}

}  // namespace

ProgramCommand infoCommand(GlobalOptions&) {
  struct InfoOptions {
    std::string path;
    bool json = false, followLinks = false;
    EngineOptions engine;
  };
  auto o = std::make_shared<InfoOptions>();
  const auto run = [o](const GlobalOptions& globals, Progress& progress) {
    std::error_code code;
    const std::filesystem::path path = o->path;
    if (std::filesystem::exists(path, code) && !std::filesystem::is_directory(path, code)) {
      const StoredFile file(path);
      if (file.kind() == FileType::Capture) return infoOfCapture(file, o->json, progress);
      if (file.kind() == FileType::Analysis) return infoOfAnalysis(file, o->json);
      // A text or an empty file named .h5 is not a model either.
      if (path.extension() == ".h5" && !hasHdf5Signature(InputFile(path)))
        file.refuse("a capture, an analysis or a model");
    }
    continueWithBackend(globals);
    infoOfModel(o->path, o->json, o->engine, o->followLinks, progress);
  };
  return {
      .options = {option("PATH", &o->path, "Model folder, GGUF file, cached name, capture or analysis",
                         {.required = true}),
                  option("--json", &o->json, "Print as JSON"),
                  option("--follow-links", &o->followLinks,
                         "Read shards of a model through links that other users created"),
                  option("--engine", choiceOf(o->engine.kind), "What runs the model, as in capture",
                         {.showsDefault = true}),
                  option("--python", &o->engine.python, "Python of the engine transformers, as in capture")},
      .run = run};
}

// ---- models, tokenize

namespace {

Json toJson(const FoundModel& model) {
  Json value{{"name", model.name},
             {"path", pathText(model.path)},
             {"source", model.source},
             {"ref", model.ref},
             {"date", model.date},
             {"bytes", model.bytes},
             {"unfinished", model.unfinished},
             {"architecture", model.architecture}};
  if (model.card) value["card"] = toJson(*model.card);
  if (!model.problem.empty()) value["problem"] = model.problem;
  if (model.otherFamily) value["engine"] = "transformers";
  return value;
}

std::string shapeText(const ModelCard& card) {
  return std::to_string(card.spec.layerCount) + " x " + std::to_string(card.spec.queryHeads) + " / " +
         std::to_string(card.spec.keyHeads) + " heads of " + std::to_string(card.spec.headDim) + ", " +
         withCommas(card.spec.contextLength) + " tokens, " + card.weightTypes;
}

void printModels(const std::vector<FoundModel>& found) {
  if (found.empty()) {
    std::printf(
        "No models found in the Hugging Face cache, LM Studio or Ollama; name folders with --folder.\n");
  }
  for (const FoundModel& model : found) {
    const std::string facts = model.source + ", " +
                              (model.architecture.empty() ? "unknown architecture" : model.architecture) +
                              ", " + byteText(model.bytes) + (model.date.empty() ? "" : ", ") + model.date;
    const std::string more = model.card          ? shapeText(*model.card)
                             : model.otherFamily ? "opened by transformers"
                                                 : model.problem;
    for (const std::string& line : {model.name, "  " + facts, "  " + more}) printLine(line);
  }
}

std::string readText(const std::string& source) {
  if (source == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  return readFile(source);
}

void printTokenIds(const std::vector<std::int32_t>& ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) std::printf("%s%d", i == 0 ? "" : " ", ids[i]);
  std::printf("\n");
}

void printEncoding(const Encoding& encoding) {
  Json offsets = Json::array();
  for (const auto& [begin, end] : encoding.offsets) offsets.push_back({begin, end});
  std::printf("%s\n", canonicalJson({{"tokens", encoding.ids}, {"offsets", offsets}}).c_str());
}

}  // namespace

ProgramCommand modelsCommand(GlobalOptions&) {
  struct ModelsOptions {
    std::vector<std::string> folders;
    bool json = false;
  };
  auto o = std::make_shared<ModelsOptions>();
  const auto run = [o](const GlobalOptions&, Progress&) {
    const auto found = findModels({o->folders.begin(), o->folders.end()});
    if (!o->json) return printModels(found);
    Json list = Json::array();
    for (const FoundModel& model : found) list.push_back(toJson(model));
    std::printf("%s\n", indentedJson(list).c_str());
  };
  return {.options = {option("--folder", &o->folders, "Also search this folder; may be repeated"),
                      option("--json", &o->json, "Print as JSON")},
          .run = run};
}

ProgramCommand tokenizeCommand(GlobalOptions&) {
  struct TokenizeOptions {
    std::string model, tokenizer, text = "-";
    bool noSpecial = false, json = false;
  };
  auto o = std::make_shared<TokenizeOptions>();
  const auto run = [o](const GlobalOptions&, Progress& progress) {
    const auto tokenizer = openTokenizer(o->tokenizer.empty() ? resolveModelPath(o->model)
                                                              : std::filesystem::path(o->tokenizer));
    const std::string text =
        plainTextOf(readText(o->text), o->text == "-" ? "standard input" : o->text, progress);
    const Encoding encoding = tokenizer->encode(text, !o->noSpecial, &progress);
    UnusualTokens unusual;
    unusual.add(*tokenizer, encoding, text);
    for (const std::string& warning : unusual.warnings()) progress.warned(warning);
    o->json ? printEncoding(encoding) : printTokenIds(encoding.ids);
  };
  return {.options =
              {option("--model", &o->model, "Model folder, GGUF file or cached name", {.required = true}),
               option("--tokenizer", &o->tokenizer, "Tokenizer instead of the model's, as in capture"),
               option("--text,TEXT", &o->text, "Text file, or - for standard input", {.showsDefault = true}),
               option("--no-special", &o->noSpecial, "Leave out what the model's template adds (BOS, EOS)"),
               option("--json", &o->json, "Print ids and byte offsets as one JSON object")},
          .run = run};
}

}  // namespace plastiscope
