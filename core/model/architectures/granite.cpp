// Granite 3: a Llama with factors on the embedding, on what each part adds, and on the scores.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture granite() {
  Architecture a;
  a.name = "granite";
  a.modelTypes = {"granite"};
  a.classes = {"GraniteForCausalLM", "GraniteModel"};
  a.ggufNames = {"granite"};
  a.ggufKeys = {{"embedding_scale", "embedding_multiplier"}, {"residual_scale", "residual_multiplier"}};
  a.defaults = {{"hidden_act", "silu"}, {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-6}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(true), tensors::attentionBiases(true), tensors::mlp()});
  a.refine = readMultipliers;
  return a;
}

}  // namespace plastiscope
