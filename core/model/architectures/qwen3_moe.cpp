// Qwen3 with experts.
#include "core/model/architecture.h"
#include "core/model/expert_rules.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineQwen3Moe(ModelSpec& spec, const ConfigValues& values) {
  readExperts(spec, values);
  readDenseLayers(spec, values);
  spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
  slideLayers(spec, switchedWindow(values), [](std::int64_t) { return true; });
}

}  // namespace

Architecture qwen3_moe() {
  Architecture a;
  a.name = "qwen3_moe";
  a.modelTypes = {"qwen3_moe"};
  a.classes = {"Qwen3MoeForCausalLM", "Qwen3MoeModel"};
  a.ggufNames = {"qwen3moe"};
  a.defaults = {{"hidden_act", "silu"},     {"head_dim", 128},          {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},     {"num_experts_per_tok", 8}, {"sliding_window", 4096},
                {"intermediate_size", 6144}};
  a.ggufDefaults = {{"norm_topk_prob", true}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
                                    tensors::headNorms(), tensors::mlp(), tensors::mlpExperts()});
  a.refine = refineQwen3Moe;
  return a;
}

}  // namespace plastiscope
