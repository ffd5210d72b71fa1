// Phi-3 and Phi-4: projections fused into two tensors; longrope beyond the first length.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture phi3() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "phi3";
  a.modelTypes = {"phi3"};
  a.classes = {"Phi3ForCausalLM", "Phi3Model"};
  a.ggufNames = {"phi3"};
  a.defaults = {{"hidden_act", "silu"}, {"max_position_embeddings", 4096}, {"rms_norm_eps", 1e-5}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(),
       tensors::fusedMlp(),
       {
           {QueryKeyValue, "self_attn.qkv_proj.weight", "attn_qkv.weight", {operandRows, hidden}},
           {Output, "self_attn.o_proj.weight", "attn_output.weight", {hidden, queryRows}},
       }});
  a.hfAnchor = "self_attn.qkv_proj.weight";
  a.completeSpec = slideAllLayers;
  return a;
}

}  // namespace plastiscope
