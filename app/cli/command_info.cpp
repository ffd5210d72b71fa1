#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/capture/head_choice.h"
#include "core/forward/forward.h"
#include "core/jobs/head_metrics.h"
#include "core/jobs/head_work.h"
#include "core/model/model_card.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_fields.h"
#include "core/store/capture_parts.h"
#include "core/store/stored_file.h"
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

MemoryNeed memoryNeed(const Model& model) {
  const ForwardOptions options;
  const std::int64_t tokens = model.spec.contextLength;
  const DeviceMemory room = memoryOn(resolveDevice(model, options));
  const ForwardFit fit = fitForward(model.spec, {tokens, tokens}, model.spec.layerCount - 1, room, options);
  return {fit.bytes, room.free.value_or(availableMemoryBytes())};
}

void infoOfModel(const std::string& path, bool json, bool followLinks) {
  const auto model = openModel(resolveModelPath(path), {}, followLinks);
  const ModelCard card = cardOf(*model);
  if (json) {
    Json value = toJson(card);
    value["kind"] = "model";
    if (forwardAvailable()) {
      const MemoryNeed need = memoryNeed(*model);
      value["memory_bytes"] = need.bytes;
      value["free_memory_bytes"] = need.free;
      value["fits"] = need.bytes <= need.free;
    }
    std::printf("%s\n", indentedJson(value).c_str());
    return;
  }
  Lines lines = cardLines(card);
  if (forwardAvailable()) lines.emplace_back("Memory", memoryNeed(*model).sentence(card.spec.contextLength));
  print(lines);
}

Json headNames(const CaptureInfo& info, std::vector<std::int64_t> CaptureLayerInfo::* heads) {
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
      {"rope", textOr(mainRope(info.rope), "rope_type", "default")},
      {"window", withCommas(info.window) + " tokens"},
      {"sampler",
       info.sampler + ", bucket " + withCommas(info.bucketSize) + ", rate " + canonicalJson(info.rate)},
      {"texts",
       withCommas(static_cast<long long>(info.examples.size())) + ", " + withCommas(tokens) + " tokens"},
      {"rows", withCommas(leastRows) + " to " + withCommas(mostRows) + " queries per head"},
      {"point", info.point},
      {"computed", info.computeDtype + " on " + info.device},
      {"size", byteText(bytes)},
      {"created", info.created + " by " + info.programVersion},
      {"fingerprint", info.fingerprint}};
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
    infoOfModel(o->path, o->json, o->followLinks);
  };
  return {.options = {{"PATH",
                       "",
                       &o->path,
                       "Model folder, GGUF file, cached name, capture or analysis",
                       {.required = true}},
                      {"--json", "", &o->json, "Print as JSON"},
                      {"--follow-links", "", &o->followLinks,
                       "Read shards of a model through links that other users created"}},
          .run = run};
}

}  // namespace plastiscope
