// Qwen2 and 2.5: always biases on queries, keys and values, without a configuration key.
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture qwen2() {
  Architecture a;
  a.name = "qwen2";
  a.modelTypes = {"qwen2"};
  a.classes = {"Qwen2ForCausalLM", "Qwen2Model"};
  a.ggufNames = {"qwen2"};
  a.defaults = classKeys(R"({"num_key_value_heads?": 32, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "use_sliding_window": false,
      "sliding_window?": 4096, "max_window_layers": 28, "layer_types": null})");
  a.layerTensors = tensors::llamaBlock();
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.attentionBias = true;
    spec.outputBias = false;
    readSwitchedWindows(spec, values);
  };
  return a;
}

// ---- Qwen2 MoE: experts with a shared expert.

Architecture qwen2_moe() {
  Architecture a;
  a.name = "qwen2_moe";
  a.modelTypes = {"qwen2_moe"};
  a.classes = {"Qwen2MoeForCausalLM", "Qwen2MoeModel"};
  a.ggufNames = {"qwen2moe"};
  a.defaults = classKeys(R"({"num_key_value_heads": 16, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "use_sliding_window": false,
      "sliding_window?": 4096, "max_window_layers": 28, "layer_types": null, "intermediate_size": 5632,
      "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632, "num_experts_per_tok": 4,
      "decoder_sparse_step": 1, "mlp_only_layers": null, "norm_topk_prob": false, "qkv_bias": true})");
  a.layerTensors = tensors::joined({tensors::llamaBlock(), tensors::mlpExperts(), tensors::sharedExpert()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.attentionBias = values.flagOr("qkv_bias", true);
    spec.outputBias = false;
    readExperts(spec, values);
    readDenseLayers(spec, values);
    spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
    spec.experts.sharedInner = values.integer("shared_expert_intermediate_size", 1, 1 << 24);
    const std::int64_t window = switchedWindow(values),
                       last = values.integer("max_window_layers", 0, 1 << 20);
    if (readLayerTypes(spec, values, window)) return;
    slideLayers(spec, window, [last](std::int64_t layer) { return layer % 2 == 0 && layer < last; });
  };
  return a;
}

// ---- Qwen3: norms of queries and keys per head, before RoPE.

Architecture qwen3() {
  Architecture a;
  a.name = "qwen3";
  a.modelTypes = {"qwen3"};
  a.classes = {"Qwen3ForCausalLM", "Qwen3Model"};
  a.ggufNames = {"qwen3"};
  a.defaults = classKeys(R"({"num_key_value_heads?": 32, "head_dim": 128, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "attention_bias": false,
      "use_sliding_window": false, "sliding_window?": 4096, "max_window_layers": 28, "layer_types": null})");
  a.layerTensors = tensors::joined({tensors::llamaBlock(), tensors::headNorms()});
  a.completeSpec = readSwitchedWindows;
  return a;
}

// ---- Qwen3 MoE.

Architecture qwen3_moe() {
  Architecture a;
  a.name = "qwen3_moe";
  a.modelTypes = {"qwen3_moe"};
  a.classes = {"Qwen3MoeForCausalLM", "Qwen3MoeModel"};
  a.ggufNames = {"qwen3moe"};
  a.defaults = classKeys(R"({"num_key_value_heads": 4, "hidden_act": "silu", "max_position_embeddings": 32768,
      "rms_norm_eps": 1e-6, "attention_bias": false, "use_sliding_window": false, "sliding_window?": 4096,
      "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts_per_tok": 8,
      "decoder_sparse_step": 1, "mlp_only_layers": null, "norm_topk_prob": false})");
  a.ggufDefaults = {{"norm_topk_prob", true}};
  a.layerTensors = tensors::joined({tensors::llamaBlock(), tensors::headNorms(), tensors::mlpExperts()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readExperts(spec, values);
    readDenseLayers(spec, values);
    spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
    slideLayers(spec, switchedWindow(values), [](std::int64_t) { return true; });
  };
  return a;
}

}  // namespace plastiscope
