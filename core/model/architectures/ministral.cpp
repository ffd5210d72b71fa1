// Ministral: Mistral with full and sliding layers side by side.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineMinistral(ModelSpec& spec, const ConfigValues& values) {
  if (!readLayerTypes(spec, values, slidingWindow(values))) slideAllLayers(spec, values);
}

}  // namespace

Architecture ministral() {
  Architecture a;
  a.name = "ministral";
  a.modelTypes = {"ministral"};
  a.classes = {"MinistralForCausalLM", "MinistralModel"};
  a.defaults = {{"hidden_act", "silu"},
                {"num_key_value_heads", 8},
                {"max_position_embeddings", 131072},
                {"rms_norm_eps", 1e-6}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::mlp()});
  a.refine = refineMinistral;
  return a;
}

}  // namespace plastiscope
