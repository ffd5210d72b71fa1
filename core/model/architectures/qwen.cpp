// Qwen2 and 2.5: always biases on queries, keys and values, without a configuration key.
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture qwen2() {
  Architecture a = family("qwen2", "Qwen2", {"qwen2"});
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
  Architecture a = family("qwen2_moe", "Qwen2Moe", {"qwen2moe"});
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
  Architecture a = family("qwen3", "Qwen3", {"qwen3"});
  a.defaults = classKeys(R"({"num_key_value_heads?": 32, "head_dim": 128, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "attention_bias": false,
      "use_sliding_window": false, "sliding_window?": 4096, "max_window_layers": 28, "layer_types": null})");
  a.layerTensors = tensors::joined({tensors::llamaBlock(), tensors::headNorms()});
  a.completeSpec = readSwitchedWindows;
  return a;
}

// ---- Qwen3 MoE.

Architecture qwen3_moe() {
  Architecture a = family("qwen3_moe", "Qwen3Moe", {"qwen3moe"});
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

// ---- Qwen3-Next: gated delta nets, every fourth layer gated attention; experts with a shared expert.

Architecture qwen3_next() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("qwen3_next", "Qwen3Next", {"qwen3next"});
  a.ggufKeys = deltaNetGgufKeys();
  a.defaults = classKeys(R"({"num_key_value_heads": 2, "head_dim": 256, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "attention_bias": false,
      "partial_rotary_factor?": 0.25, "layer_types": null, "full_attention_interval?": 4,
      "intermediate_size": 5632, "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512,
      "num_experts_per_tok": 10, "decoder_sparse_step": 1, "mlp_only_layers": null,
      "norm_topk_prob": true})");
  a.defaults.merge(deltaNetDefaults());
  a.hfAnchor = "input_layernorm.weight";
  a.ignored.push_back("mtp.*");
  a.layerTensors = tensors::joined(
      {tensors::preNorms(1, "post_attention_norm.weight"), tensors::gatedAttention(1), tensors::deltaNet(),
       tensors::mlp(), tensors::mlpExperts(), tensors::sharedExpert(),
       tensors::only(
           when::recurs,
           {
               {StateOperandsGate, "linear_attn.in_proj_qkvz.weight", "", {stateOperandsGate, hidden}},
               {StateOperands, "", "attn_qkv.weight", {stateChannels, hidden}},
               {StateGate, "", "attn_gate.weight", {stateValueRows, hidden}},
               {StateRates, "linear_attn.in_proj_ba.weight", "ssm_ba.weight", {stateRates, hidden}},
           })});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.norm.computeInFloat32 = true;
    spec.attentionGate = true;
    readDeltaNet(spec, values);
    readRecurrentLayers(spec, values, "full_attention_interval");
    readExperts(spec, values);
    readDenseLayers(spec, values);
    spec.experts.renormalise = values.flagOr("norm_topk_prob", true);
    spec.experts.sharedInner = values.integer("shared_expert_intermediate_size", 1, 1 << 24);
  };
  return a;
}

// ---- Qwen3.5 (text): gated delta nets, every fourth layer gated attention; dense. Its multi-axis RoPE
// equals plain RoPE for text.

Architecture qwen3_5() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "qwen3_5";
  a.modelTypes = {"qwen3_5", "qwen3_5_text"};
  a.classes = {"Qwen3_5ForConditionalGeneration", "Qwen3_5ForCausalLM", "Qwen3_5TextModel"};
  a.ggufNames = {"qwen35"};
  a.ggufKeys = deltaNetGgufKeys();
  a.ggufKeys.emplace_back("rope.dimension_sections", "mrope_section");
  a.ggufDefaults = {{"cyclic_key_heads", true}};  // llama.cpp's converter reorders value heads
  a.defaults = classKeys(R"({"num_key_value_heads": 4, "head_dim": 256, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "attention_bias": false,
      "partial_rotary_factor?": 0.25, "layer_types": null, "full_attention_interval?": 4})");
  a.defaults.merge(deltaNetDefaults());
  a.ropeKeys = {"mrope_section", "mrope_interleaved"};
  a.hfAnchor = "input_layernorm.weight";
  a.ignored.insert(a.ignored.end(), {"mtp.*", "*visual.*"});
  a.layerTensors = tensors::joined(
      {tensors::preNorms(1, "post_attention_norm.weight"), tensors::gatedAttention(1), tensors::deltaNet(),
       tensors::mlp(),
       tensors::only(
           when::recurs,
           {
               {StateGate, "linear_attn.in_proj_z.weight", "attn_gate.weight", {stateValueRows, hidden}},
               {StateOperands, "linear_attn.in_proj_qkv.weight", "attn_qkv.weight", {stateChannels, hidden}},
               {StateStrengths, "linear_attn.in_proj_b.weight", "ssm_beta.weight", {stateHeads, hidden}},
               {StateSteps, "linear_attn.in_proj_a.weight", "ssm_alpha.weight", {stateHeads, hidden}},
           })});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.norm.computeInFloat32 = true;
    spec.attentionGate = true;
    readDeltaNet(spec, values);
    readRecurrentLayers(spec, values, "full_attention_interval");
  };
  return a;
}

// ---- Qwen3.5 MoE: experts with a shared expert, in one tensor for all experts or one for each.

Architecture qwen3_5_moe() {
  using namespace sizes;
  using enum TensorRole;
  constexpr Applies fused = [](const ModelSpec& m, const LayerSpec&) { return m.experts.fused; };
  constexpr Applies separate = [](const ModelSpec& m, const LayerSpec&) { return !m.experts.fused; };
  Architecture a = qwen3_5();
  a.name = "qwen3_5_moe";
  a.modelTypes = {"qwen3_5_moe", "qwen3_5_moe_text"};
  a.classes = {"Qwen3_5MoeForConditionalGeneration", "Qwen3_5MoeForCausalLM", "Qwen3_5MoeTextModel"};
  a.ggufNames = {"qwen35moe"};
  a.ggufKeys.emplace_back("expert_count", "num_experts");
  for (auto& [key, value] : classKeys(R"({"num_key_value_heads": 2, "intermediate_size": 512,
      "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512, "num_experts_per_tok": 8,
      "num_experts": 256})"))
    a.defaults[key] = value;
  std::vector<LayerTensor> oneEach = tensors::mlpExperts();
  for (LayerTensor& tensor : oneEach)
    if (tensor.role != Router) tensor.applies = separate;
  a.layerTensors = tensors::joined(
      {a.layerTensors, oneEach, tensors::sharedExpert(),
       tensors::only(fused, {
                                {ExpertGateUp, "mlp.experts.gate_up_proj", "", {twoExpertInner, hidden}},
                                {ExpertDown, "mlp.experts.down_proj", "", {hidden, expertInner}},
                            })});
  static const auto readDense = a.completeSpec;
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readDense(spec, values);
    readExperts(spec, values);
    spec.experts.renormalise = true;
    spec.experts.sharedInner = values.integer("shared_expert_intermediate_size", 1, 1 << 24);
  };
  return a;
}

}  // namespace plastiscope
