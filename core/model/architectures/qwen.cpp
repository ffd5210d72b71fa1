// Qwen2 and 2.5: biases on queries, keys and values although no key says so.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void readQwen2(ModelSpec& spec, const ConfigValues& values) {
  spec.attentionBias = true;
  spec.outputBias = false;
  readSwitchedWindows(spec, values);
}

}  // namespace

Architecture qwen2() {
  Architecture a;
  a.name = "qwen2";
  a.modelTypes = {"qwen2"};
  a.classes = {"Qwen2ForCausalLM", "Qwen2Model"};
  a.ggufNames = {"qwen2"};
  a.defaults = {{"hidden_act", "silu"},
                {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},
                {"sliding_window", 4096}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(), tensors::attentionBiases(), tensors::mlp()});
  a.completeSpec = readQwen2;
  return a;
}

// ---- Qwen2 with experts beside one that all tokens pass.

namespace {

void readQwen2Moe(ModelSpec& spec, const ConfigValues& values) {
  spec.attentionBias = values.flagOr("qkv_bias", true);
  spec.outputBias = false;
  readExperts(spec, values);
  readDenseLayers(spec, values);
  spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
  spec.experts.sharedInner = values.integer("shared_expert_intermediate_size", 1, 1 << 24);
  readSwitchedWindows(spec, values);
}

}  // namespace

Architecture qwen2_moe() {
  Architecture a;
  a.name = "qwen2_moe";
  a.modelTypes = {"qwen2_moe"};
  a.classes = {"Qwen2MoeForCausalLM", "Qwen2MoeModel"};
  a.ggufNames = {"qwen2moe"};
  a.defaults = {{"hidden_act", "silu"},
                {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},
                {"num_experts_per_tok", 4},
                {"intermediate_size", 5632}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
                                    tensors::mlp(), tensors::mlpExperts(), tensors::sharedExpert()});
  a.completeSpec = readQwen2Moe;
  return a;
}

// ---- Qwen3: queries and keys of each head are normed before the rotation.

Architecture qwen3() {
  Architecture a;
  a.name = "qwen3";
  a.modelTypes = {"qwen3"};
  a.classes = {"Qwen3ForCausalLM", "Qwen3Model"};
  a.ggufNames = {"qwen3"};
  a.defaults = {{"hidden_act", "silu"},
                {"head_dim", 128},
                {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},
                {"sliding_window", 4096}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
                                    tensors::headNorms(), tensors::mlp()});
  a.completeSpec = readSwitchedWindows;
  return a;
}

// ---- Qwen3 with experts.

namespace {

void readQwen3Moe(ModelSpec& spec, const ConfigValues& values) {
  readExperts(spec, values);
  readDenseLayers(spec, values);
  spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
  slideLayers(spec, switchedWindow(values), [](std::int64_t) { return true; });
}

}  // namespace

Architecture qwen3_moe() {
  Architecture a;
  a.name = "qwen3_moe";
  a.modelTypes = {"qwen3_moe"};
  a.classes = {"Qwen3MoeForCausalLM", "Qwen3MoeModel"};
  a.ggufNames = {"qwen3moe"};
  a.defaults = {{"hidden_act", "silu"},     {"head_dim", 128},          {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},     {"num_experts_per_tok", 8}, {"sliding_window", 4096},
                {"intermediate_size", 6144}};
  a.ggufDefaults = {{"norm_topk_prob", true}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
                                    tensors::headNorms(), tensors::mlp(), tensors::mlpExperts()});
  a.completeSpec = readQwen3Moe;
  return a;
}

}  // namespace plastiscope
