// Granite 3: Llama with factors on the embedding, the residual branches and the scores.
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture granite() {
  Architecture a = family("granite", "Granite", {"granite"});
  a.ggufKeys = {{"embedding_scale", "embedding_multiplier"},
                {"residual_scale", "residual_multiplier"},
                {"logit_scale", "logits_scaling"}};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "attention_bias": false, "mlp_bias": false,
      "embedding_multiplier": 1.0, "residual_multiplier": 1.0, "attention_multiplier": 1.0,
      "logits_scaling": 1.0})");
  a.layerTensors = tensors::llamaBlock(true);
  a.completeSpec = readMultipliers;
  return a;
}

// ---- Granite 4: Mamba 2 and attention, with or without RoPE; a shared feed-forward part, with or without
// experts; Granite's factors.

namespace {

void readFeedForward(ModelSpec& spec, const CheckedJson& values) {
  const std::int64_t shared = values.integer("shared_intermediate_size", 1, 1 << 24);
  if (values.integer("num_local_experts", 0, 1 << 16) == 0) {
    spec.intermediate = shared;
    return;
  }
  readExperts(spec, values);
  spec.experts.renormalise = true;  // same as a softmax over the chosen experts
  spec.experts.sharedInner = shared;
}

void readGraniteHybrid(ModelSpec& spec, const CheckedJson& values) {
  readMultipliers(spec, values);
  readMamba2(spec, values);
  readRecurrentLayers(spec, values, "");
  readFeedForward(spec, values);
  const bool rope = values.flagOr("rope_finetuned", values.textOr("position_embedding_type", "") == "rope");
  for (LayerSpec& layer : spec.layers) layer.rope = rope;
}

}  // namespace

Architecture granitemoehybrid() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("granitemoehybrid", "GraniteMoeHybrid", {"granitehybrid"});
  a.ggufKeys = {{"embedding_scale", "embedding_multiplier"},
                {"residual_scale", "residual_multiplier"},
                {"logit_scale", "logits_scaling"},
                {"rope.scaling.finetuned", "rope_finetuned"},
                {"expert_shared_feed_forward_length", "shared_intermediate_size"},
                {"ssm.conv_kernel", "mamba_d_conv"},
                {"ssm.state_size", "mamba_d_state"},
                {"ssm.group_count", "mamba_n_groups"},
                {"ssm.time_step_rank", "mamba_n_heads"},
                {"ssm.inner_size", "mamba_d_ssm"}};
  a.ggufDefaults = {{"rope_finetuned", true}};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "attention_bias": false,
      "embedding_multiplier": 1.0, "residual_multiplier": 1.0, "attention_multiplier": 1.0,
      "logits_scaling": 1.0, "layer_types": null, "position_embedding_type": null, "intermediate_size": 11008, "num_local_experts": 8,
      "num_experts_per_tok?": 2, "shared_intermediate_size": 1024, "mamba_n_heads": 128, "mamba_n_groups": 1,
      "mamba_d_state": 256, "mamba_d_head": "auto", "mamba_d_conv": 4, "mamba_expand": 2,
      "mamba_conv_bias?": true, "time_step_limit": null})");
  a.hfAnchor = "input_layernorm.weight";
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(true), tensors::attentionBiases(true), tensors::mamba2(),
       tensors::only(when::dense,
                     {
                         {GateUp, "shared_mlp.input_linear.weight", "", {twoIntermediate, hidden}},
                         {Gate, "", "ffn_gate.weight", {intermediate, hidden}},
                         {Up, "", "ffn_up.weight", {intermediate, hidden}},
                         {Down, "shared_mlp.output_linear.weight", "ffn_down.weight", {hidden, intermediate}},
                     }),
       tensors::only(
           when::experts,
           {
               {Router, "block_sparse_moe.router.layer.weight", "ffn_gate_inp.weight", {experts, hidden}},
               {ExpertGateUp, "block_sparse_moe.input_linear.weight", "", {twoExpertInner, hidden}},
               {ExpertGate, "", "ffn_gate_exps.weight", {expertInner, hidden}},
               {ExpertUp, "", "ffn_up_exps.weight", {expertInner, hidden}},
               {ExpertDown,
                "block_sparse_moe.output_linear.weight",
                "ffn_down_exps.weight",
                {hidden, expertInner}},
           }),
       tensors::only(when::sharedExpert,
                     {
                         {SharedGateUp, "shared_mlp.input_linear.weight", "", {twoSharedInner, hidden}},
                         {SharedGate, "", "ffn_gate_shexp.weight", {sharedInner, hidden}},
                         {SharedUp, "", "ffn_up_shexp.weight", {sharedInner, hidden}},
                         {SharedDown,
                          "shared_mlp.output_linear.weight",
                          "ffn_down_shexp.weight",
                          {hidden, sharedInner}},
                     })});
  a.completeSpec = readGraniteHybrid;
  return a;
}

}  // namespace plastiscope
