#include "core/model/model_card.h"

#include <cmath>
#include <map>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/weights/gguf.h"

namespace plastiscope {

namespace {

void readLayers(const std::vector<LayerSpec>& layers, ModelCard& card) {
  std::map<std::pair<std::int64_t, bool>, std::vector<std::int64_t>> windows;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> heads;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto layer = static_cast<std::int64_t>(i);
    if (layers[i].attention == AttentionKind::Cross) {
      card.crossLayers.push_back(layer);
      continue;
    }
    if (layers[i].attention == AttentionKind::Linear) {
      card.linearLayers.push_back(layer);
      continue;
    }
    if (layers[i].headDim != card.spec.headDim || layers[i].keyHeads != card.spec.keyHeads)
      heads[{layers[i].headDim, layers[i].keyHeads}].push_back(layer);
    if (!layers[i].ownKeys()) card.sharingLayers.push_back(layer);
    if (layers[i].window > 0)
      windows[{layers[i].window, layers[i].attention == AttentionKind::Chunked}].push_back(layer);
    if (!layers[i].rope && card.spec.positions == "rope") card.nopeLayers.push_back(layer);
  }
  for (auto& [size, list] : heads) card.ownHeads.push_back({size.first, size.second, std::move(list)});
  for (auto& [kind, list] : windows) card.windows.push_back({kind.first, kind.second, std::move(list)});
}

std::string valueText(const Json& value) {
  if (value.is_array()) return std::to_string(value.size()) + " values";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) {
    const auto number = value.get<double>();
    const bool whole = std::abs(number) < 1e15 && number == std::floor(number);
    return whole ? std::to_string(static_cast<long long>(number)) : numberText(number);
  }
  return canonicalJson(value);
}

}  // namespace

ModelCard cardOf(const Model& model) {
  ModelCard card;
  card.spec = model.spec;
  card.container = dynamic_cast<const GgufFile*>(model.weights.get()) != nullptr ? "GGUF" : "safetensors";
  card.engine = model.engine;
  card.path = model.path;
  readLayers(model.spec.layers, card);
  card.weightTypes = model.weightTypes;
  card.weightBytes = model.weightBytes;
  card.parameters = model.parameters;
  card.fingerprint = model.fingerprint;
  card.warnings = model.warnings;
  card.notes = model.notes;
  return card;
}

std::string ropeText(const RopeSpec& rope) {
  std::string values;
  const Json json = rope.toJson();
  for (const auto& [key, value] : json.items()) {
    if (key != "rope_type" && key != "max_position_embeddings") {
      values += (values.empty() ? "" : ", ") + key + " " + valueText(value);
    }
  }
  return rope.kind + " (" + values + ")";
}

std::string positionsText(const ModelSpec& spec) {
  if (spec.positions != "rope") return spec.positions + ", no RoPE";
  if (!spec.statedRope->is_null() && spec.statedRope->empty()) return "rotated, settings not known";
  return ropeText(spec.ropes);
}

std::string engineText(const Json& engine) {
  if (!engine.is_object()) return "native";
  const std::string reason = textOr(engine, "reason");
  return textOr(engine, "name") + " " + textOr(engine, "transformers") + " (torch " +
         textOr(engine, "torch") + ", Python " + textOr(engine, "python") + ")" +
         (reason.empty() ? "" : ": " + reason);
}

std::string ropeText(const std::vector<RopeSpec>& ropes) {
  const auto ofLayers = [](const RopeSpec& rope) {
    return (rope.layerType.empty() ? "" : rope.layerType + ": ") + ropeText(rope);
  };
  return joined(ropes, ofLayers, "; ");
}

std::string numberRanges(const std::vector<std::int64_t>& ascending) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < ascending.size(); begin = end) {
    for (end = begin + 1; end < ascending.size() && ascending[end] == ascending[end - 1] + 1;) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(ascending[begin]);
    if (end - begin > 1) text += "-" + std::to_string(ascending[end - 1]);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> cardLines(const ModelCard& card) {
  const ModelSpec& spec = card.spec;
  std::vector<std::pair<std::string, std::string>> lines = {
      {"Model", spec.name},
      {"Path", pathText(card.path)},
      {"Architecture", spec.architecture + " (" + card.container + ")"},
      {"Layers", std::to_string(spec.layerCount)},
      {"Query heads", std::to_string(spec.queryHeads)},
      {"Key/value heads", std::to_string(spec.keyHeads)},
      {"Head size", std::to_string(spec.headDim)},
      {"Hidden size", std::to_string(spec.hidden)},
      {"Vocabulary", withCommas(spec.vocabulary)},
      {"Context", withCommas(spec.contextLength) + " tokens"},
      {spec.positions == "rope" ? "RoPE" : "Positions", positionsText(spec)},
      {"Engine", engineText(card.engine)},
  };
  if (spec.intermediate > 0) lines.emplace_back("MLP size", std::to_string(spec.intermediate));
  for (const auto& own : card.ownHeads) {
    lines.emplace_back("Heads of size " + std::to_string(own.headDim),
                       std::to_string(own.keyHeads) + " key/value heads, layers " + numberRanges(own.layers));
  }
  if (!card.sharingLayers.empty())
    lines.emplace_back("Keys of an earlier layer", "layers " + numberRanges(card.sharingLayers));
  for (const auto& window : card.windows) {
    lines.emplace_back((window.chunked ? "Chunks of " : "Window of ") + withCommas(window.tokens),
                       "layers " + numberRanges(window.layers));
  }
  if (!card.nopeLayers.empty()) lines.emplace_back("No RoPE", "layers " + numberRanges(card.nopeLayers));
  if (!card.crossLayers.empty())
    lines.emplace_back("Cross-attention", "layers " + numberRanges(card.crossLayers));
  if (!card.linearLayers.empty())
    lines.emplace_back("Linear attention", "layers " + numberRanges(card.linearLayers) + ", no vectors");
  if (spec.experts.count > 0) {
    lines.emplace_back("Experts", std::to_string(spec.experts.count) +
                                      ", used per token: " + std::to_string(spec.experts.used));
  }
  lines.emplace_back("Parameters", withCommas(card.parameters));
  lines.emplace_back("Weights", card.weightTypes + ", " + byteText(card.weightBytes));
  if (card.engine->is_null())
    lines.emplace_back("Embeddings",
                       spec.tiedEmbeddings ? "tied with the output" : "separate from the output");
  for (const std::string& warning : card.warnings) lines.emplace_back("Warning", warning);
  for (const std::string& note : card.notes) lines.emplace_back("Note", note);
  return lines;
}

Json toJson(const ModelCard& card) {
  const ModelSpec& spec = card.spec;
  Json windows = Json::array();
  for (const auto& window : card.windows)
    windows.push_back({{"tokens", window.tokens}, {"chunked", window.chunked}, {"layers", window.layers}});
  Json json = {{"kind", "model"},
               {"name", spec.name},
               {"path", pathText(card.path)},
               {"architecture", spec.architecture},
               {"container", card.container},
               {"layers", spec.layerCount},
               {"query_heads", spec.queryHeads},
               {"key_heads", spec.keyHeads},
               {"head_dim", spec.headDim},
               {"hidden", spec.hidden},
               {"intermediate", spec.intermediate},
               {"vocabulary", spec.vocabulary},
               {"context_length", spec.contextLength},
               {"rope", ropeJson(spec)},
               {"positions", spec.positions},
               {"engine", card.engine->is_null() ? Json{{"name", "native"}} : *card.engine},
               {"windows", windows},
               {"nope_layers", card.nopeLayers},
               {"cross_layers", card.crossLayers},
               {"linear_layers", card.linearLayers},
               {"experts", spec.experts.count},
               {"used_experts", spec.experts.used},
               {"weight_types", card.weightTypes},
               {"weight_bytes", card.weightBytes},
               {"parameters", card.parameters},
               {"tied_embeddings", spec.tiedEmbeddings},
               {"fingerprint", card.fingerprint},
               {"notes", card.notes}};
  for (const auto& own : card.ownHeads)
    json["own_heads"].push_back(
        {{"head_dim", own.headDim}, {"key_heads", own.keyHeads}, {"layers", own.layers}});
  if (!card.warnings.empty()) json["warnings"] = card.warnings;
  if (!card.sharingLayers.empty()) json["sharing_layers"] = card.sharingLayers;
  return json;
}

}  // namespace plastiscope
