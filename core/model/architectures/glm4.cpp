// GLM-4-0414: GLM with norms before and after each part.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineGlm4(ModelSpec& spec, const ConfigValues&) {
  spec.outputBias = false;
  turnNeighbours(spec);
}

}  // namespace

Architecture glm4() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "glm4";
  a.modelTypes = {"glm4"};
  a.classes = {"Glm4ForCausalLM", "Glm4Model"};
  a.ggufNames = {"glm4"};
  a.defaults = {{"hidden_act", "silu"},
                {"num_key_value_heads", 2},
                {"head_dim", 128},
                {"max_position_embeddings", 131072},
                {"rms_norm_eps", 1.5625e-7},
                {"attention_bias", true},
                {"partial_rotary_factor", 0.5}};
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
  a.refine = refineGlm4;
  return a;
}

}  // namespace plastiscope
