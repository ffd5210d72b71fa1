// Qwen2 with experts beside one that all tokens pass.
#include "core/model/architecture.h"
#include "core/model/expert_rules.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineQwen2Moe(ModelSpec& spec, const ConfigValues& values) {
  spec.attentionBias = values.flagOr("qkv_bias", true);
  spec.outputBias = false;
  readExperts(spec, values);
  readDenseLayers(spec, values);
  spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
  spec.experts.sharedInner = values.integer("shared_expert_intermediate_size", 1, 1 << 24);
  readSwitchedWindows(spec, values);
}

}  // namespace

Architecture qwen2_moe() {
  Architecture a;
  a.name = "qwen2_moe";
  a.modelTypes = {"qwen2_moe"};
  a.classes = {"Qwen2MoeForCausalLM", "Qwen2MoeModel"};
  a.ggufNames = {"qwen2moe"};
  a.defaults = {{"hidden_act", "silu"},
                {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},
                {"num_experts_per_tok", 4},
                {"intermediate_size", 5632}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
                                    tensors::mlp(), tensors::mlpExperts(), tensors::sharedExpert()});
  a.refine = refineQwen2Moe;
  return a;
}

}  // namespace plastiscope
