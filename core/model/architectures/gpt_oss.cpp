// gpt-oss: attention sinks, sliding window on every other layer, biases everywhere; expert matrices are
// stored transposed with alternating gate and up columns.
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void readGptOss(ModelSpec& spec, const CheckedJson& values) {
  spec.norm.computeInFloat32 = true;
  spec.outputBias = spec.attentionBias;
  spec.activation = Activation::ClampedSwiglu;
  constexpr double kAlpha = 1.702, kLimit = 7;  // of the activation
  if (values.numberOr("swiglu_alpha", kAlpha, 0, 1e6) != kAlpha) values.child("swiglu_alpha").refuse("1.702");
  if (values.numberOr("swiglu_limit", kLimit, 0, 1e6) != kLimit) values.child("swiglu_limit").refuse("7");
  readExperts(spec, values);
  spec.experts.renormalise = true;
  readSlidingLayers(spec, values, 2);
}

}  // namespace

Architecture gpt_oss() {
  using namespace sizes;
  using enum TensorRole;
  using enum TensorLayout;
  Architecture a;
  a.name = "gpt_oss";
  a.modelTypes = {"gpt_oss"};
  a.classes = {"GptOssForCausalLM", "GptOssModel"};
  a.ggufNames = {"gpt-oss"};
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "head_dim": 64, "attention_bias": true,
      "hidden_act": "silu", "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "num_experts_per_tok": 4,
      "sliding_window?": 128, "layer_types": null, "rope_theta?": 150000.0, "swiglu_alpha": 1.702,
      "swiglu_limit": 7.0})");
  a.ropeDefault = R"({"rope_type": "yarn", "factor": 32.0, "truncate": false,
                      "original_max_position_embeddings": 4096})";
  a.ggufDefaults = {{"truncate", false}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(0, "post_attention_norm.weight"),
       tensors::attention(),
       tensors::attentionBiases(),
       {
           {Sinks, "self_attn.sinks", "attn_sinks.weight", {queryHeads}},
           {Router, "mlp.router.weight", "ffn_gate_inp.weight", {experts, hidden}},
           {RouterBias, "mlp.router.bias", "ffn_gate_inp.bias", {experts}},
           {ExpertGateUp, "mlp.experts.gate_up_proj", "", {twoExpertInner, hidden}, nullptr, Alternating},
           {ExpertGateUpBias, "mlp.experts.gate_up_proj_bias", "", {twoExpertInner}, nullptr, Alternating},
           {ExpertDown, "mlp.experts.down_proj", "", {hidden, expertInner}, nullptr, Transposed},
           {ExpertDownBias, "mlp.experts.down_proj_bias", "ffn_down_exps.bias", {hidden}},
           {ExpertGate, "", "ffn_gate_exps.weight", {expertInner, hidden}},
           {ExpertUp, "", "ffn_up_exps.weight", {expertInner, hidden}},
           {ExpertDown, "", "ffn_down_exps.weight", {hidden, expertInner}},
           {ExpertGateBias, "", "ffn_gate_exps.bias", {expertInner}},
           {ExpertUpBias, "", "ffn_up_exps.bias", {expertInner}},
       }});
  a.completeSpec = readGptOss;
  return a;
}

}  // namespace plastiscope
