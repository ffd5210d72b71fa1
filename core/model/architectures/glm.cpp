// GLM: neighbouring pairs of the first half of each head turn; gate and up lie in one tensor.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineGlm(ModelSpec& spec, const ConfigValues&) {
  spec.outputBias = false;
  turnNeighbours(spec);
}

}  // namespace

Architecture glm() {
  Architecture a;
  a.name = "glm";
  a.modelTypes = {"glm"};
  a.classes = {"GlmForCausalLM", "GlmModel"};
  a.defaults = {{"hidden_act", "silu"},
                {"num_key_value_heads", 2},
                {"head_dim", 128},
                {"max_position_embeddings", 131072},
                {"rms_norm_eps", 1.5625e-7},
                {"attention_bias", true},
                {"partial_rotary_factor", 0.5}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(), tensors::attentionBiases(), tensors::fusedMlp()});
  a.refine = refineGlm;
  return a;
}

}  // namespace plastiscope
