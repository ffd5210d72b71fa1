// Qwen3: queries and keys of each head are normed before the rotation.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

// Sliding windows count only when they are switched on; then the layers from max_window_layers on slide.
void refine(ModelSpec& spec, const ConfigValues& values) {
  const std::int64_t window = values.flagOr("use_sliding_window", false) ? slidingWindow(values) : 0;
  if (readLayerTypes(spec, values, window)) return;
  const std::int64_t first = values.integerOr("max_window_layers", 28, 0, 1 << 20);
  slideLayers(spec, window, [first](std::int64_t layer) { return layer >= first; });
}

}  // namespace

Architecture qwen3() {
  Architecture a;
  a.name = "qwen3";
  a.modelTypes = {"qwen3"};
  a.classes = {"Qwen3ForCausalLM", "Qwen3Model"};
  a.ggufNames = {"qwen3"};
  a.defaults = {{"hidden_act", "silu"},
                {"head_dim", 128},
                {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},
                {"sliding_window", 4096}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
                                    tensors::headNorms(), tensors::mlp()});
  a.refine = refine;
  return a;
}

}  // namespace plastiscope
