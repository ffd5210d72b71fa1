// Qwen2 with experts beside one that all tokens pass.
#include "core/model/architecture.h"
#include "core/model/expert_rules.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refine(ModelSpec& spec, const ConfigValues& values) {
  spec.attentionBias = values.flagOr("qkv_bias", true);
  spec.outputBias = false;
  readExperts(spec, values);
  readDenseLayers(spec, values);
  spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
  spec.experts.sharedInner = values.integer("shared_expert_intermediate_size", 1, 1 << 24);
  const std::int64_t window = values.flagOr("use_sliding_window", false) ? slidingWindow(values) : 0;
  if (readLayerTypes(spec, values, window)) return;
  const std::int64_t first = values.integerOr("max_window_layers", 28, 0, 1 << 20);
  slideLayers(spec, window, [first](std::int64_t layer) { return layer >= first; });
}

}  // namespace

Architecture qwen2_moe() {
  using namespace sizes;
  using enum TensorRole;
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
  a.layerTensors.push_back({SharedExpertGate,
                            "mlp.shared_expert_gate.weight",
                            "ffn_gate_inp_shexp.weight",
                            {one, hidden},
                            when::sharedExpert});
  a.refine = refine;
  return a;
}

}  // namespace plastiscope
