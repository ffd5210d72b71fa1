// Builds a ModelSpec from a configuration; checks all ranges before computing sizes.
#include "core/model/model_spec.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/model/model_config.h"
#include "core/model/rope_settings.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxLayers = 4096;
constexpr std::int64_t kMaxHeads = 4096;
constexpr std::int64_t kMaxHeadDim = 4096;
constexpr std::int64_t kMaxWidth = 1 << 20;
constexpr std::int64_t kMaxIntermediate = 1 << 24;
constexpr std::int64_t kMaxVocabulary = 1 << 21;
constexpr std::int64_t kMaxSpecContext = std::int64_t{1} << 40;

const std::map<std::string, Activation>& activations() {
  static const std::map<std::string, Activation> kActivations = {
      {"silu", Activation::Silu},
      {"swish", Activation::Silu},
      {"gelu", Activation::Gelu},
      {"gelu_new", Activation::GeluTanh},
      {"gelu_pytorch_tanh", Activation::GeluTanh},
      {"relu2", Activation::ReluSquared},
      {"xielu", Activation::Xielu},
  };
  return kActivations;
}

Activation readActivation(const CheckedJson& values) {
  const std::string key = values.has("hidden_activation") ? "hidden_activation" : "hidden_act";
  const std::string name = values.textOr(key, "silu");
  const auto found = activations().find(name);
  if (found != activations().end()) return found->second;
  values.refuse(key, "one of " + joined(std::views::keys(activations())), "\"" + name + "\"");
}

// Older GGUF files give the sizes of heads under the keys of other families.
void readLatentHeads(const CheckedJson& values, ModelSpec& spec) {
  LatentSpec& latent = spec.latent;
  latent.rank = values.integer("kv_lora_rank", 1, kMaxWidth);
  latent.queryRank = values.integerOr("q_lora_rank", 0, 1, kMaxWidth);
  latent.ropeDim = values.integer("qk_rope_head_dim", 2, kMaxHeadDim);
  const std::int64_t whole =
      values.integerOr("qk_head_dim", values.integerOr("head_dim", 0, 0, kMaxHeadDim), 2, kMaxHeadDim);
  latent.nopeDim = values.integerOr("qk_nope_head_dim", whole - latent.ropeDim, 1, kMaxHeadDim);
  latent.valueDim =
      values.integerOr("v_head_dim", values.integerOr("value_dim", 0, 0, kMaxHeadDim), 1, kMaxHeadDim);
  latent.separateKeyValue = values.flagOr("latent_rows_apart", false);
  spec.keyHeads = spec.queryHeads;
  spec.headDim = latent.nopeDim + latent.ropeDim;
  if (latent.nopeDim < 1 || spec.headDim > kMaxHeadDim)
    values.refuse("qk_nope_head_dim", "a head size from 3 to " + std::to_string(kMaxHeadDim),
                  std::to_string(spec.headDim));
  if (latent.valueDim < 1 || latent.valueDim > spec.headDim)
    values.refuse("v_head_dim", "at most the " + std::to_string(spec.headDim) + " dimensions of a query",
                  std::to_string(latent.valueDim));
}

void readHeads(const CheckedJson& values, ModelSpec& spec) {
  spec.queryHeads = values.integer("num_attention_heads", 1, kMaxHeads);
  if (values.has("kv_lora_rank")) return readLatentHeads(values, spec);
  spec.keyHeads = values.integerOr("num_key_value_heads", spec.queryHeads, 1, kMaxHeads);
  if (spec.queryHeads % spec.keyHeads != 0) {
    values.refuse("num_key_value_heads",
                  "a divisor of the " + std::to_string(spec.queryHeads) + " query heads",
                  std::to_string(spec.keyHeads));
  }
  if (!values.has("head_dim") && spec.hidden % spec.queryHeads != 0) {
    values.refuse("num_attention_heads", "a divisor of hidden size " + std::to_string(spec.hidden),
                  std::to_string(spec.queryHeads));
  }
  spec.headDim = values.integerOr("head_dim", spec.hidden / spec.queryHeads, 2, kMaxHeadDim);
  if (spec.headDim < 2 || spec.headDim > kMaxHeadDim) {
    values.refuse("head_dim", "a head size from 2 to " + std::to_string(kMaxHeadDim),
                  std::to_string(spec.headDim));
  }
  const std::int64_t valueDim = values.integerOr("value_dim", spec.headDim, 1, kMaxHeadDim);
  if (valueDim != spec.headDim) {
    values.refuse("value_dim", "the head size " + std::to_string(spec.headDim), std::to_string(valueDim));
  }
}

// Reads `per_layer_config`, {"1": {"head_dim": 512}, ...}: layers that differ from the model.
void readLayerDifferences(const CheckedJson& values, ModelSpec& spec) {
  struct Difference {
    std::string_view name;
    std::int64_t LayerSpec::*member;
    std::int64_t least, most;
  };
  constexpr Difference kDifferences[] = {
      {"head_dim", &LayerSpec::headDim, 2, kMaxHeadDim},
      {"num_key_value_heads", &LayerSpec::keyHeads, 1, kMaxHeads},
      {"intermediate_size", &LayerSpec::intermediate, 1, kMaxIntermediate}};
  const CheckedJson all = values.object("per_layer_config");
  for (const auto& [number, given] : all.json().items()) {
    std::size_t layer = 0;
    while (layer < spec.layers.size() && std::to_string(layer) != number) ++layer;
    const CheckedJson own = all.inside(given, "per_layer_config of layer " + sanitized(number));
    if (layer == spec.layers.size() || !given.is_object()) own.refuse("settings of one of the layers");
    LayerSpec& one = spec.layers[layer];
    for (const auto& [key, unused] : given.items()) {
      const auto known = std::ranges::find(kDifferences, std::string_view(key), &Difference::name);
      if (known == std::end(kDifferences)) own.refuseUnknown(sanitized(key), kDifferences);
      one.*known->member = own.integerOr(key, 0, known->least, known->most);
    }
    if (one.keyHeads > 0 && spec.queryHeads % one.keyHeads != 0) {
      own.refuse("num_key_value_heads",
                 "a divisor of the " + std::to_string(spec.queryHeads) + " query heads",
                 std::to_string(one.keyHeads));
    }
  }
}

// RoPE settings by layer type; under "" if they apply to all layers.
std::map<std::string, Json> ropesByLayerType(const ModelConfig& config, const Json& ropeOverride,
                                             const std::string& place) {
  const auto split = config.architecture->ropeByLayerType;
  Json settings = config.rope;
  const Json defaults = withDefaults(Json::object(), config.architecture->defaults);
  const Json* truncate = config.values.find("truncate");  // default for GGUF files
  if (truncate != nullptr && !settings.contains("truncate")) settings["truncate"] = *truncate;
  for (const char* key : {"rope_theta", "partial_rotary_factor"}) {
    const Json byClass = defaults.value(key, Json());
    if (!byClass.is_null() && !isByLayerType(settings) && !settings.contains(key)) settings[key] = byClass;
  }
  if (!isByLayerType(settings) && split != nullptr) settings = split(config.values, settings);
  const Json* windows = config.values.find("rope_local_base_freq");
  if (!isByLayerType(settings) && windows != nullptr)
    settings = {{"full_attention", settings}, {"sliding_attention", {{"rope_theta", *windows}}}};
  if (!isByLayerType(settings)) {
    return {{"", ropeOverride.is_null() ? settings : overriddenRopeSettings(settings, ropeOverride, place)}};
  }
  std::map<std::string, Json> byType;
  for (const auto& [type, one] : settings.items()) byType[type] = one;
  if (ropeOverride.is_null()) return byType;
  for (const auto& [type, one] : ropeOverride.items()) {
    if (!byType.contains(type)) {
      throw InputError({place, "RoPE override",
                        "settings by layer type (" + joined(std::views::keys(byType)) + ")", type});
    }
    byType[type] = overriddenRopeSettings(byType[type], one, place);
  }
  return byType;
}

// head_dim in layers of a type ("": all).
std::int64_t headDimOf(const std::string& type, const ModelSpec& spec) {
  for (const LayerSpec& layer : spec.layers) {
    if (layer.headDim > 0 && layerTypeNameOf(layer.attention) == type) return layer.headDim;
  }
  return spec.headDim;
}

void readRopes(const ModelConfig& config, const Json& ropeOverride, ModelSpec& spec) {
  const auto& file = config.values.file();
  if (!ropeOverride.is_null() && !ropeOverride.is_object()) {
    throw UsageError("the RoPE override must be a JSON object, it is " + shortJson(ropeOverride));
  }
  if (config.ropeFault && ropeOverride.is_null()) throw InputError(*config.ropeFault);
  const std::string place = (ropeOverride.is_null() ? "" : kRopeOverridePlace) + pathText(file);
  RopeContext context{place, spec.headDim, spec.contextLength, 0, config.architecture->ropeKeys};
  std::int64_t widest = spec.headDim;
  for (const LayerSpec& layer : spec.layers) widest = std::max(widest, layer.headDim);
  const std::int64_t rotaryDim = config.values.integerOr("rotary_dim", spec.latent.ropeDim, 2, widest);
  const std::int64_t ofWindows = config.values.integerOr("rotary_dim_of_windows", rotaryDim, 2, widest);
  for (const auto& [type, settings] : ropesByLayerType(config, ropeOverride, place)) {
    context.headDim = headDimOf(type, spec);
    context.rotaryDim = type == layerTypeNameOf(AttentionKind::Sliding) ? ofWindows : rotaryDim;
    spec.ropes.push_back(readRope(settings, context));
    spec.ropes.back().layerType = type;
    spec.ropes.back().first = spec.latent.nopeDim;
  }
  std::stable_partition(spec.ropes.begin(), spec.ropes.end(), [](const RopeSpec& rope) {
    return rope.layerType == layerTypeNameOf(AttentionKind::Full);
  });
}

// Called when the attention kinds of all layers are set.
void assignRopes(ModelSpec& spec, const CheckedJson& values) {
  if (spec.rope().layerType.empty()) return;
  for (LayerSpec& layer : spec.layers) {
    if (!layer.rope || !layer.hasVectors()) continue;
    const auto found = std::find_if(spec.ropes.begin(), spec.ropes.end(), [&](const RopeSpec& rope) {
      return rope.layerType == layerTypeNameOf(layer.attention);
    });
    if (found == spec.ropes.end()) {
      values.refuse("rope_parameters", "settings for " + std::string(layerTypeNameOf(layer.attention)),
                    "none");
    }
    layer.ropeIndex = static_cast<std::size_t>(found - spec.ropes.begin());
  }
}

// Completes layers with the model's values; refuses inconsistent ones.
void completeLayers(ModelSpec& spec, const CheckedJson& values) {
  for (LayerSpec& layer : spec.layers) {
    if (layer.keyHeads == 0) layer.keyHeads = spec.keyHeads;
    if (layer.headDim == 0) layer.headDim = spec.headDim;
    if (layer.intermediate == 0) layer.intermediate = spec.intermediate;
  }
  for (const LayerSpec& layer : spec.layers) {
    const LayerSpec& owner = layer.ownKeys() ? layer : spec.layer(layer.keysOfLayer);
    if (layer.headDim != owner.headDim || layer.keyHeads != owner.keyHeads)
      values.refuse("per_layer_config", "the same heads in layers that share their keys", "different heads");
    if (layer.rope && layer.hasVectors() &&
        layer.headDim != headDimOf(spec.ropes[layer.ropeIndex].layerType, spec)) {
      values.refuse("per_layer_config", "one head_dim for all layers with the same RoPE",
                    std::to_string(layer.headDim));
    }
  }
}

}  // namespace

ModelSpec buildSpec(const ModelConfig& config, const Json& ropeOverride) {
  const CheckedJson& values = config.values;
  ModelSpec spec;
  spec.name = config.name;
  spec.architecture = config.architecture->name;
  spec.layerCount = values.integer("num_hidden_layers", 1, kMaxLayers);
  spec.hidden = values.integer("hidden_size", 1, kMaxWidth);
  spec.intermediate = values.integer("intermediate_size", 1, kMaxIntermediate);
  spec.vocabulary = values.integer("vocab_size", 1, kMaxVocabulary);
  spec.contextLength = values.integer("max_position_embeddings", 1, kMaxSpecContext);
  readHeads(values, spec);
  spec.norm.eps = values.number(config.architecture->normEpsKey, 0, 1);
  spec.scoreScale = 1 / std::sqrt(static_cast<double>(spec.headDim));
  spec.activation = readActivation(values);
  spec.attentionBias = values.flagOr("attention_bias", false);
  spec.outputBias = values.flagOr("attention_out_bias", spec.attentionBias);
  spec.mlpBias = values.flagOr("mlp_bias", false);
  spec.tiedEmbeddings = values.flagOr("tie_word_embeddings", false);
  spec.layers.resize(static_cast<std::size_t>(spec.layerCount));
  readLayerDifferences(values, spec);
  if (config.architecture->readLayers != nullptr) config.architecture->readLayers(spec, values);
  readRopes(config, ropeOverride, spec);
  spec.config = config.asRead;
  spec.queryKeyNorm.afterRope = config.architecture->normsAfterRope;
  if (config.architecture->completeSpec != nullptr) config.architecture->completeSpec(spec, values);
  assignRopes(spec, values);
  completeLayers(spec, values);
  return spec;
}

std::int64_t ModelSpec::lastUserOfKeys(std::int64_t number, std::int64_t last) const {
  for (std::int64_t user = std::min(last, layerCount - 1); user > number; --user) {
    if (layer(user).keysOfLayer == number) return user;
  }
  return -1;
}

std::string_view nameOf(AttentionKind kind) {
  static constexpr std::string_view kNames[] = {"full", "sliding", "chunked", "cross", "linear"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view layerTypeNameOf(AttentionKind kind) {
  static constexpr std::string_view kNames[] = {"full_attention", "sliding_attention", "chunked_attention",
                                                "cross_attention", "linear_attention"};
  return kNames[static_cast<std::size_t>(kind)];
}

Json ropeJson(const ModelSpec& spec) {
  if (!spec.statedRope->is_null()) return spec.statedRope;
  if (spec.ropes.size() == 1) return spec.rope().toJson();
  Json json = Json::object();
  for (const RopeSpec& one : spec.ropes) json[one.layerType] = one.toJson();
  return json;
}

Json mainRope(const Json& ropeJson) {
  if (!ropeJson.is_object() || ropeJson.contains("rope_type")) return ropeJson;
  const auto full = ropeJson.find(std::string(layerTypeNameOf(AttentionKind::Full)));
  return full == ropeJson.end() ? ropeJson : *full;
}

namespace {

// Finds a number by its name, or the last part of it, anywhere in an object.
const Json* numberNamed(const Json& object, const std::string& name) {
  if (!object.is_object()) return nullptr;
  for (const auto& [key, value] : object.items()) {
    if (value.is_number() && (key == name || key.ends_with("." + name))) return &value;
    if (const Json* inside = numberNamed(value, name)) return inside;
  }
  return nullptr;
}

double statedNumber(const Json& object, const std::string& name, double otherwise) {
  const Json* number = numberNamed(object, name);
  return number == nullptr ? otherwise : number->get<double>();
}

}  // namespace

QueryTemperature statedTemperature(const Json& config, const Json& rope) {
  const char* const kOriginal = "original_max_position_embeddings";
  const double beta =
      statedNumber(config, "llama_4_scaling_beta", statedNumber(config, "attention.temperature_scale", 0));
  const auto whole = [](double value) { return static_cast<std::int64_t>(std::clamp(value, 1.0, 1e15)); };
  if (beta > 0) return {beta, whole(statedNumber(config, kOriginal, statedNumber(rope, kOriginal, 1))), 0};
  return {statedNumber(config, "attn_scale", 0.1), whole(statedNumber(config, "floor_scale", 8192)), 1};
}

}  // namespace plastiscope
