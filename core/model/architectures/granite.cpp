// Granite 3: a Llama with factors on the embedding, on what each part adds, and on the scores.
#include "core/model/architecture.h"

namespace plastiscope {

namespace {

void refine(ModelSpec& spec, const ConfigValues& values) {
  constexpr double kMost = 1e9;
  spec.embeddingScale = values.numberOr("embedding_multiplier", 1, 0, kMost);
  spec.residualScale = values.numberOr("residual_multiplier", 1, 0, kMost);
  spec.scoreScale = values.numberOr("attention_multiplier", 1, 0, kMost);
}

}  // namespace

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
  a.refine = refine;
  return a;
}

}  // namespace plastiscope
