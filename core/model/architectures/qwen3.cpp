// Qwen3: queries and keys of each head are normed before the rotation.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

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
  a.refine = readSwitchedWindows;
  return a;
}

}  // namespace plastiscope
