// Mixtral: Mistral with experts (GGUF files call it llama).
#include "core/model/architecture.h"
#include "core/model/expert_rules.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineMixtral(ModelSpec& spec, const ConfigValues& values) {
  readExperts(spec, values);
  spec.experts.renormalise = true;
  slideAllLayers(spec, values);
}

}  // namespace

Architecture mixtral() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "mixtral";
  a.modelTypes = {"mixtral"};
  a.classes = {"MixtralForCausalLM", "MixtralModel"};
  a.ggufNames = {"llama"};
  a.ggufMark = "expert_count";
  a.defaults = {{"hidden_act", "silu"},  {"num_key_value_heads", 8}, {"max_position_embeddings", 131072},
                {"rms_norm_eps", 1e-5},  {"rope_theta", 1e6},        {"num_experts_per_tok", 2},
                {"num_local_experts", 8}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(),
       tensors::attention(true),
       {
           {Router, "block_sparse_moe.gate.weight", "ffn_gate_inp.weight", {experts, hidden}},
           {ExpertGate,
            "block_sparse_moe.experts.*.w1.weight",
            "ffn_gate_exps.weight",
            {expertInner, hidden}},
           {ExpertUp, "block_sparse_moe.experts.*.w3.weight", "ffn_up_exps.weight", {expertInner, hidden}},
           {ExpertDown,
            "block_sparse_moe.experts.*.w2.weight",
            "ffn_down_exps.weight",
            {hidden, expertInner}},
       }});
  a.refine = refineMixtral;
  return a;
}

}  // namespace plastiscope
