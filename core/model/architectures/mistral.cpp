// Mistral: Llama, optionally with a sliding window in every layer (named llama in GGUF files).
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture mistral() {
  Architecture a = family("mistral", "Mistral");
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "head_dim": null, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1e-6, "sliding_window?": 4096})");
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::mlp()});
  a.completeSpec = slideAllLayers;
  return a;
}

// ---- Ministral: Mistral with full and sliding layers.

Architecture ministral() {
  Architecture a = mistral();
  a.name = "ministral";
  a.modelTypes = {"ministral"};
  a.classes = {"MinistralForCausalLM", "MinistralModel"};
  a.defaults["layer_types"] = nullptr;
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) { readSlidingLayers(spec, values, 0); };
  return a;
}

// ---- Ministral 3, alone or as the language model of Mistral 3: query temperature.

namespace {

// Reads the temperature from the RoPE settings, or from separate keys in GGUF files.
void readQueryTemperature(ModelSpec& spec, const CheckedJson& values) {
  constexpr double kMaxBeta = 1e12;
  const CheckedJson rope = ropeValues(values);
  const CheckedJson& from = values.has("llama_4_scaling_beta") ? values : rope;
  if (values.has("rope_parameters")) rope.number("llama_4_scaling_beta", 0, kMaxBeta);  // required here
  spec.temperature.beta = from.numberOr("llama_4_scaling_beta", 0, 0, kMaxBeta);
  spec.temperature.length = from.integerOr("original_max_position_embeddings", spec.rope().originalContext, 0,
                                           std::int64_t{1} << 40);
  const bool grows = spec.temperature.beta > 0;
  if (grows && spec.temperature.length < 1)
    values.refuse("original_max_position_embeddings", "a length, which llama_4_scaling_beta needs", "none");
  for (LayerSpec& layer : spec.layers) layer.queryScale = grows;
  slideAllLayers(spec, values);
}

}  // namespace

Architecture ministral3() {
  Architecture a;
  a.name = "ministral3";
  a.modelTypes = {"ministral3"};
  a.classes = {"Ministral3ForCausalLM", "Ministral3Model", "Mistral3ForConditionalGeneration"};
  a.ggufNames = {"mistral3"};
  a.ggufKeys = {{"attention.temperature_scale", "llama_4_scaling_beta"}};
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "head_dim": 128, "hidden_act": "silu",
      "max_position_embeddings": 262144, "rms_norm_eps": 1e-5, "sliding_window": null})");
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(true), tensors::mlp()});
  a.ropeKeys = {"llama_4_scaling_beta"};
  a.ropeDefault =
      R"({"rope_type": "yarn", "rope_theta": 1e6, "factor": 16.0, "mscale": 1.0, "mscale_all_dim": 1.0,
                      "original_max_position_embeddings": 16384, "llama_4_scaling_beta": 0.1})";
  a.completeSpec = readQueryTemperature;
  return a;
}

// ---- Mixtral: Mistral with experts (named llama in GGUF files).

Architecture mixtral() {
  Architecture a = family("mixtral", "Mixtral", {"llama"});
  a.ggufMark = "expert_count";
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "head_dim": null, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "rope_theta?": 1e6, "sliding_window": null,
      "num_experts_per_tok": 2, "num_local_experts": 8})");
  a.layerTensors =
      tensors::joined({tensors::preNorms(), tensors::attention(true), tensors::mixtralExperts()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readExperts(spec, values);
    spec.experts.renormalise = true;
    slideAllLayers(spec, values);
  };
  return a;
}

}  // namespace plastiscope
