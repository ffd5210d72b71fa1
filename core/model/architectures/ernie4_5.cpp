// ERNIE 4.5 (dense): a Llama in which RoPE rotates neighbouring pairs.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void readBiasesAndInterleave(ModelSpec& spec, const ConfigValues& values) {
  const bool biased = values.flagOr("use_bias", spec.attentionBias);
  spec.attentionBias = spec.outputBias = spec.mlpBias = biased;
  interleaveRope(spec);
  computeRopeInFloat32(spec);
}

}  // namespace

Architecture ernie4_5() {
  Architecture a;
  a.name = "ernie4_5";
  a.modelTypes = {"ernie4_5"};
  a.classes = {"Ernie4_5ForCausalLM", "Ernie4_5Model"};
  a.ggufNames = {"ernie4_5"};
  a.defaults = {{"hidden_act", "silu"},
                {"num_key_value_heads", 2},
                {"head_dim", 128},
                {"rms_norm_eps", 1e-5},
                {"rope_theta", 5e5},
                {"tie_word_embeddings", true},
                {"max_position_embeddings", 131072}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(), tensors::attentionBiases(), tensors::mlp()});
  a.completeSpec = readBiasesAndInterleave;
  return a;
}

}  // namespace plastiscope
