// OLMo 2: norms after each part only, and one norm over all heads of the queries, one over those of the keys.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineOlmo2(ModelSpec& spec, const ConfigValues&) {
  spec.norm.wide = true;
  turnInFloat32(spec);
}

}  // namespace

Architecture olmo2() {
  Architecture a;
  a.name = "olmo2";
  a.modelTypes = {"olmo2"};
  a.classes = {"Olmo2ForCausalLM", "Olmo2Model"};
  a.ggufNames = {"olmo2"};
  a.defaults = {{"hidden_act", "silu"}, {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-5}};
  a.layerTensors = tensors::joined({tensors::attention(), tensors::attentionBiases(), tensors::mlp(),
                                    tensors::postNorms(), tensors::jointHeadNorms()});
  a.refine = refineOlmo2;
  return a;
}

}  // namespace plastiscope
