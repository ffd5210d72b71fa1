#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/model/architecture.h"
#include "core/model/model_config.h"
#include "core/model/rope_settings.h"

namespace plastiscope {

namespace {

// GGUF key after "<architecture>." -> Hugging Face key. A per-layer list of equal values counts as one value.
struct KeyPair {
  const char* gguf;
  const char* hf;
};
constexpr KeyPair kKeys[] = {
    {"block_count", "num_hidden_layers"},
    {"embedding_length", "hidden_size"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.value_length", "value_dim"},
    {"attention.sliding_window", "sliding_window"},
    {"rope.freq_base_swa", "rope_local_base_freq"},
    {"rope.dimension_count_swa", "rotary_dim_of_windows"},
    {"context_length", "max_position_embeddings"},
    {"attention.scale", "attention_multiplier"},
    {"attn_logit_softcapping", "attn_logit_softcapping"},
    {"final_logit_softcapping", "final_logit_softcapping"},
    {"expert_count", "num_local_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"leading_dense_block_count", "first_k_dense_replace"},
};
constexpr KeyPair kRopeKeys[] = {
    {"rope.scaling.type", "rope_type"},
    {"rope.freq_base", "rope_theta"},
    {"rope.scaling.factor", "factor"},
    {"rope.scaling.original_context_length", "original_max_position_embeddings"},
    {"rope.scaling.yarn_beta_fast", "beta_fast"},
    {"rope.scaling.yarn_beta_slow", "beta_slow"},
    {"rope.scaling.yarn_attn_factor", "attention_factor"},
    {"rope.scaling.yarn_log_multiplier", "mscale_all_dim"},
};

// Further RoPE keys: read below, or without effect on queries and keys.
constexpr const char* kOtherRopeKeys[] = {"rope.dimension_count", "rope.scale_linear",
                                          "rope.scaling.attn_factor", "rope.scaling.finetuned"};

Json jsonOf(const GgufValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

bool isList(const GgufValue& value) {
  return value.index() > 3;
}

Json metadataWithoutArrays(const GgufFile& file) {
  Json json = Json::object();
  for (const auto& [key, value] : file.metadata()) {
    if (!isList(value)) json[key] = jsonOf(value);
  }
  return Json::parse(canonicalJson(json));  // replaces invalid UTF-8
}

// Null when the key is absent.
Json valueOf(const GgufFile& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) return nullptr;
  Json value = jsonOf(found->second);
  if (!value.is_array()) return value;
  const bool same = !value.empty() && std::all_of(value.begin(), value.end(),
                                                  [&](const Json& item) { return item == value.front(); });
  return same ? value.front() : value;
}

// Factors of llama3 and longrope, which GGUF files store as tensors.
Json factorsOf(const GgufFile& file, const char* tensorName) {
  const TensorInfo* tensor = file.find(tensorName);
  if (tensor == nullptr) return nullptr;
  if (tensor->elements() > 1 << 16) {
    throw InputError(
        {file.path(), tensorName, "one number per rotated pair", std::to_string(tensor->elements())});
  }
  std::vector<float> factors(static_cast<std::size_t>(tensor->elements()));
  readFloat32(file, *tensor, factors);
  return factors;
}

// GGUF stores YaRN's factor relative to the logarithmic one, longrope's as it is.
void readAttentionFactor(const GgufFile& file, const std::string& prefix, Json& rope) {
  const Json factor = valueOf(file, prefix + "rope.scaling.attn_factor");
  if (!factor.is_number() || !rope.contains("rope_type")) return;
  const auto given = factor.get<double>();
  if (rope["rope_type"] == "longrope") rope["attention_factor"] = given;
  if (rope["rope_type"] == "yarn" && given != 1 && rope.contains("factor") && rope["factor"].is_number()) {
    rope["attention_factor"] = given * (1 + 0.1 * std::log(std::max(1.0, rope["factor"].get<double>())));
  }
}

void refuseUnknownRopeKeys(const GgufFile& file, const Architecture& architecture,
                           const std::string& prefix) {
  std::set<std::string> known;
  for (const auto& [key, unused] : architecture.ggufKeys) known.insert(prefix + key);
  for (const auto& pair : kRopeKeys) known.insert(prefix + pair.gguf);
  for (const auto& pair : kKeys) known.insert(prefix + pair.gguf);
  for (const char* key : kOtherRopeKeys) known.insert(prefix + key);
  for (const auto& [key, value] : file.metadata()) {
    if (key.starts_with(prefix + "rope.") && !known.contains(key)) {
      throw InputError({file.path(), "metadata " + sanitized(key), "", "this RoPE setting is not known"});
    }
  }
}

Json ropeSettingsOf(const GgufFile& file, const Architecture& architecture, const std::string& prefix) {
  refuseUnknownRopeKeys(file, architecture, prefix);
  Json rope = Json::object();
  for (const auto& [gguf, hf] : kRopeKeys) {
    const Json value = valueOf(file, prefix + gguf);
    if (!value.is_null()) rope[hf] = value;
  }
  // Files of Phi models indicate longrope by their tensors only.
  if (!rope.contains("rope_type") && file.find("rope_factors_long.weight") != nullptr)
    rope["rope_type"] = "longrope";
  if (rope.value("rope_type", Json("none")) == "none") {
    for (const char* key : {"rope_type", "factor", "original_max_position_embeddings"}) rope.erase(key);
    const Json linear = valueOf(file, prefix + "rope.scale_linear");  // older files
    if (linear.is_number() && linear != 1) rope.update({{"rope_type", "linear"}, {"factor", linear}});
  }
  const bool tenth = architecture.defaults.contains("kv_lora_rank");  // llama.cpp's converter writes a tenth
  if (tenth && rope.contains("mscale_all_dim") && rope["mscale_all_dim"].is_number())
    rope["mscale_all_dim"] = 10 * rope["mscale_all_dim"].get<double>();
  if (rope.contains("mscale_all_dim"))
    rope["mscale"] = rope["mscale_all_dim"];  // such files have one value for both
  readAttentionFactor(file, prefix, rope);
  const std::pair<const char*, const char*> lists[] = {{"rope_freqs.weight", "frequency_factors"},
                                                       {"rope_factors_short.weight", "short_factor"},
                                                       {"rope_factors_long.weight", "long_factor"}};
  for (const auto& [tensor, key] : lists) {
    const Json factors = factorsOf(file, tensor);
    if (!factors.is_null()) rope[key] = factors;
  }
  return rope;
}

// Layers with a window: a list with one flag per layer, or an interval.
void readWindowPattern(const GgufFile& file, const std::string& prefix, Json& values) {
  const Json pattern = valueOf(file, prefix + "attention.sliding_window_pattern");
  if (pattern.is_null()) return;
  values[pattern.is_number() ? "sliding_window_pattern" : "windowed_layers"] = pattern;
}

// Recurrent layers: a list of flags, or key head counts that are 0 there.
void readRecurrentLayers(const GgufFile& file, const std::string& prefix, Json& values) {
  const Json flags = valueOf(file, prefix + "attention.recurrent_layers");
  if (!flags.is_null()) values["recurrent_layers"] = flags;
  const Json counts = values.value("num_key_value_heads", Json());
  if (!counts.is_array()) return;
  Json recurrent = Json::array(), keyHeads;
  for (const Json& count : counts) {
    recurrent.push_back(count == 0);
    if (count == 0) continue;
    if (!keyHeads.is_null() && keyHeads != count) return;  // layers with different numbers of heads
    keyHeads = count;
  }
  values["recurrent_layers"] = recurrent;
  values["num_key_value_heads"] = keyHeads;
}

// These files count layers for multi-token prediction.
void leaveOutPredictionLayers(const GgufFile& file, const std::string& prefix, Json& values) {
  const Json extra = valueOf(file, prefix + "nextn_predict_layers");
  Json& layers = values["num_hidden_layers"];
  if (extra.is_number_integer() && layers.is_number_integer() && extra > 0 && extra < layers)
    layers = layers.get<std::int64_t>() - extra.get<std::int64_t>();
}

// Settings that config.json states and GGUF files imply by their tensors.
void readFromTensors(const GgufFile& file, const Architecture& architecture, Json& values) {
  values["attention_bias"] =
      file.find("blk.0.attn_q.bias") != nullptr || file.find("blk.0.attn_qkv.bias") != nullptr;
  values["attention_out_bias"] = file.find("blk.0.attn_output.bias") != nullptr;
  values["mlp_bias"] = file.find("blk.0.ffn_up.bias") != nullptr;
  for (const TensorInfo& tensor : file.tensors()) {
    const auto name = tensor.name.find("attn_k.weight");
    if (name != std::string::npos && file.find(tensor.name.substr(0, name) + "attn_v.weight") == nullptr)
      values["attention_k_eq_v"] = true;
  }
  values["latent_rows_apart"] = file.find("blk.0.attn_k_b.weight") != nullptr;
  values["mamba_rms_norm"] = file.find("blk.0.ssm_norm.weight") != nullptr;
  values["tie_word_embeddings"] = file.find("output.weight") == nullptr;
  if (file.find("blk.0.attn_q_norm.weight") != nullptr) values["use_qk_norm"] = true;
  const TensorInfo* embedding = file.find(architecture.ggufEmbedding);
  if (embedding != nullptr && !embedding->shape.empty()) values["vocab_size"] = embedding->shape.front();
}

}  // namespace

void splitLayerLists(Json& values, std::initializer_list<const char*> keys) {
  Json differences = Json::object();
  for (const char* key : keys) {
    const Json list = values.value(key, Json());
    if (!list.is_array() || list.empty() || list.size() != values["num_hidden_layers"]) continue;
    for (std::size_t layer = 0; layer < list.size(); ++layer) {
      if (list[layer] != list.front()) differences[std::to_string(layer)][key] = list[layer];
    }
    values[key] = list.front();
  }
  if (!differences.empty()) values["per_layer_config"] = differences;
}

ModelConfig readGgufConfig(const GgufFile& file) {
  const std::string named = file.text("general.architecture").value_or("");
  const Architecture* architecture = architectureOfGguf(named, [&](const std::string& key) {
    const Json value = valueOf(file, named + "." + key);
    return !value.is_null() && value != 0 && value != false;
  });
  if (architecture == nullptr)
    refuseArchitecture(file.path(), "general.architecture", named.empty() ? "none" : "\"" + named + "\"");
  const std::string prefix = named + ".";
  Json values = Json::object();
  std::map<std::string, std::string> ownNames;
  const auto translate = [&](const std::string& gguf, const std::string& hf) {
    ownNames[hf] = prefix + gguf;
    const Json value = valueOf(file, prefix + gguf);
    if (!value.is_null()) values[hf] = value;
  };
  for (const auto& [gguf, hf] : kKeys) translate(gguf, hf);
  for (const auto& [gguf, hf] : architecture->ggufKeys) translate(gguf, hf);
  readWindowPattern(file, prefix, values);
  readRecurrentLayers(file, prefix, values);
  splitLayerLists(values, {"num_key_value_heads", "intermediate_size"});
  leaveOutPredictionLayers(file, prefix, values);
  values = withDefaults(std::move(values), architecture->ggufDefaults);
  values.emplace("num_key_value_heads", nullptr);  // default: number of query heads
  const bool subtractsMean = file.metadata().contains(prefix + "attention.layer_norm_epsilon");
  translate(subtractsMean ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon",
            architecture->normEpsKey);
  const Json rotated = valueOf(file, prefix + "rope.dimension_count");
  if (!rotated.is_null()) values["rotary_dim"] = rotated;
  ownNames["rotary_dim"] = prefix + "rope.dimension_count";
  ownNames["vocab_size"] = architecture->ggufEmbedding;
  readFromTensors(file, *architecture, values);
  return {architecture,
          CheckedJson(withDefaults(std::move(values), architecture->defaults), file.path(), "", ownNames),
          ropeSettingsOf(file, *architecture, prefix),
          textOfBytes(file.text("general.name").value_or(file.path().stem().string())),
          metadataWithoutArrays(file)};
}

}  // namespace plastiscope
