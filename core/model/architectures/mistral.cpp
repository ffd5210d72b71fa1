// Mistral: a Llama whose every layer may have a sliding window (GGUF files call it llama).
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture mistral() {
  Architecture a;
  a.name = "mistral";
  a.modelTypes = {"mistral"};
  a.classes = {"MistralForCausalLM", "MistralModel"};
  a.defaults = {{"hidden_act", "silu"},
                {"num_key_value_heads", 8},
                {"max_position_embeddings", 131072},
                {"rms_norm_eps", 1e-6}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::mlp()});
  a.refine = slideAllLayers;
  return a;
}

}  // namespace plastiscope
