// GLM: RoPE rotates neighbouring pairs in the first half of each head; gate and up are one tensor.
#include <algorithm>

#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture glm() {
  Architecture a = family("glm", "Glm");
  a.defaults = classKeys(R"({"num_key_value_heads": 2, "head_dim": 128, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1.5625e-7, "attention_bias": true,
      "partial_rotary_factor?": 0.5})");
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(), tensors::attentionBiases(), tensors::fusedMlp()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson&) {
    spec.outputBias = false;
    interleaveRope(spec);
  };
  return a;
}

// ---- GLM-4-0414: GLM with norms before and after each part.

Architecture glm4() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = glm();
  a.name = "glm4";
  a.modelTypes = {"glm4"};
  a.classes = {"Glm4ForCausalLM", "Glm4Model"};
  a.ggufNames = {"glm4"};
  a.layerTensors = tensors::joined(
      {tensors::attention(),
       tensors::attentionBiases(),
       tensors::fusedMlp(),
       {
           {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
           {AttentionOutputNorm, "post_self_attn_layernorm.weight", "post_attention_norm.weight", {hidden}},
           {MlpNorm, "post_attention_layernorm.weight", "ffn_norm.weight", {hidden}},
           {MlpOutputNorm, "post_mlp_layernorm.weight", "post_ffw_norm.weight", {hidden}},
       }});
  return a;
}

// ---- GLM-4.5: sigmoid router with a correction used for the choice only, dense first layers, half of each
// head rotated.

namespace {

void readGlm4Moe(ModelSpec& spec, const CheckedJson& values) {
  spec.outputBias = false;
  spec.queryKeyNorm.present = values.flagOr("use_qk_norm", false);
  readGroupedExperts(spec, values);
}

}  // namespace

Architecture glm4_moe() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("glm4_moe", "Glm4Moe", {"glm4moe"});
  a.ggufKeys = {{"expert_shared_count", "n_shared_experts"},
                {"expert_weights_scale", "routed_scaling_factor"},
                {"expert_weights_norm", "norm_topk_prob"},
                {"expert_group_count", "n_group"},
                {"expert_group_used_count", "topk_group"}};
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "attention_bias": false, "use_qk_norm": false,
      "partial_rotary_factor?": 0.5, "num_experts_per_tok": 8, "moe_intermediate_size": 1408,
      "intermediate_size": 10944, "n_shared_experts": 1, "first_k_dense_replace": 1, "norm_topk_prob": true,
      "routed_scaling_factor": 1.0, "n_group": 1, "topk_group": 1})");
  a.layerTensors = tensors::joined(
      {tensors::preNorms(0, "post_attention_norm.weight"),
       tensors::attention(),
       tensors::attentionBiases(),
       tensors::mlp(),
       tensors::mlpExperts(),
       tensors::sharedExperts(),
       {
           {QueryNorm, "self_attn.q_norm.weight", "attn_q_norm.weight", {headDim}, when::headNorms},
           {KeyNorm, "self_attn.k_norm.weight", "attn_k_norm.weight", {headDim}, when::headNorms},
           {RouterCorrection,
            "mlp.gate.e_score_correction_bias",
            "exp_probs_b.bias",
            {experts},
            when::experts},
       }});
  a.completeSpec = readGlm4Moe;
  return a;
}

}  // namespace plastiscope
