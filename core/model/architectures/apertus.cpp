// Apertus: normed heads and a feed-forward part without a gate, whose activation has learned slopes.
#include "core/model/architecture.h"

namespace plastiscope {

Architecture apertus() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "apertus";
  a.modelTypes = {"apertus"};
  a.classes = {"ApertusForCausalLM", "ApertusModel"};
  a.defaults = {{"hidden_act", "xielu"},
                {"max_position_embeddings", 65536},
                {"rms_norm_eps", 1e-5},
                {"rope_theta", 12e6}};
  a.layerTensors =
      tensors::joined({tensors::attention(),
                       tensors::attentionBiases(),
                       tensors::headNorms(),
                       {
                           {InputNorm, "attention_layernorm.weight", "attn_norm.weight", {hidden}},
                           {MlpNorm, "feedforward_layernorm.weight", "ffn_norm.weight", {hidden}},
                           {Up, "mlp.up_proj.weight", "ffn_up.weight", {intermediate, hidden}},
                           {Down, "mlp.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
                           {XieluPositive, "mlp.act_fn.alpha_p", "", {one}},
                           {XieluNegative, "mlp.act_fn.alpha_n", "", {one}},
                           {XieluBeta, "mlp.act_fn.beta", "", {}},
                           {XieluEps, "mlp.act_fn.eps", "", {}},
                       }});
  return a;
}

}  // namespace plastiscope
