// Command R: parallel attention and feed-forward part on the same norm; RoPE rotates neighbouring pairs.
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void readParallelBlock(ModelSpec& spec) {
  spec.norm.subtractMean = spec.norm.computeInFloat32 = true;
  spec.parallelBlock = true;
  interleaveRope(spec);
  computeRopeInFloat32(spec);
}

}  // namespace

Architecture cohere() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "cohere";
  a.modelTypes = {"cohere"};
  a.classes = {"CohereForCausalLM", "CohereModel"};
  a.ggufNames = {"command-r"};
  a.ggufKeys = {{"logit_scale", "logit_scale"}};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 8192, "layer_norm_eps": 1e-5, "attention_bias": false, "use_qk_norm?": false,
      "logit_scale": 0.0625, "rope_theta?": 5e5, "tie_word_embeddings": true})");
  a.normEpsKey = "layer_norm_eps";
  a.layerTensors = tensors::joined(
      {tensors::attention(),
       tensors::attentionBiases(),
       tensors::mlp(),
       {
           {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
       },
       tensors::only(when::headNorms,
                     {
                         {QueryNorm, "self_attn.q_norm.weight", "attn_q_norm.weight", {queryHeads, headDim}},
                         {KeyNorm, "self_attn.k_norm.weight", "attn_k_norm.weight", {keyHeads, headDim}},
                     })});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readParallelBlock(spec);
    spec.logitScale = values.number("logit_scale", 0, 1e9);
    spec.queryKeyNorm.present = values.flagOr("use_qk_norm", false);
  };
  return a;
}

// ---- Command R7B and Command A: three sliding layers with RoPE, then a full one without; one norm per
// layer.

Architecture cohere2() {
  Architecture a;
  a.name = "cohere2";
  a.modelTypes = {"cohere2"};
  a.classes = {"Cohere2ForCausalLM", "Cohere2Model"};
  a.ggufNames = {"cohere2"};
  a.ggufKeys = {{"logit_scale", "logit_scale"}};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 8192, "layer_norm_eps": 1e-5, "attention_bias": false, "logit_scale": 0.0625,
      "sliding_window?": 4096, "sliding_window_pattern?": 4, "layer_types": null,
      "tie_word_embeddings": true})");
  a.normEpsKey = "layer_norm_eps";
  a.layerTensors = tensors::joined(
      {tensors::attention(),
       tensors::attentionBiases(),
       tensors::mlp(),
       {{TensorRole::InputNorm, "input_layernorm.weight", "attn_norm.weight", {sizes::hidden}}}});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readParallelBlock(spec);
    spec.logitScale = values.number("logit_scale", 0, 1e9);
    readSlidingLayers(spec, values, "sliding_window_pattern");
    for (LayerSpec& layer : spec.layers) layer.rope = layer.attention == AttentionKind::Sliding;
  };
  return a;
}

}  // namespace plastiscope
