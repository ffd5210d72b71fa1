// EXAONE 4: norms after each part only, normed heads; with windows, full layers have no RoPE.
#include <algorithm>

#include "core/base/json.h"
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

// "LLLG" or 4: the last of so many layers is full; the model's last layer is full, too.
std::int64_t patternOf(const ConfigValues& values) {
  const Json* pattern = values.find("sliding_window_pattern");
  if (pattern != nullptr && pattern->is_string())
    return static_cast<std::int64_t>(std::max<std::size_t>(1, pattern->get<std::string>().size()));
  return values.integerOr("sliding_window_pattern", 4, 0, 1 << 20);
}

void readPatternedWindows(ModelSpec& spec, const ConfigValues& values) {
  const std::int64_t window = slidingWindow(values), step = patternOf(values);
  if (!readLayerTypes(spec, values, window)) {
    slideLayers(spec, step > 0 ? window : 0,
                [&](std::int64_t layer) { return (layer + 1) % step != 0 && layer + 1 < spec.layerCount; });
  }
  if (window == 0) return;
  for (LayerSpec& layer : spec.layers) layer.rope = layer.attention == AttentionKind::Sliding;
}

}  // namespace

Architecture exaone4() {
  Architecture a;
  a.name = "exaone4";
  a.modelTypes = {"exaone4"};
  a.classes = {"Exaone4ForCausalLM", "Exaone4Model"};
  a.ggufNames = {"exaone4"};
  a.defaults = {{"hidden_act", "silu"}, {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-5}};
  a.layerTensors =
      tensors::joined({tensors::attention(), tensors::headNorms(), tensors::mlp(), tensors::postNorms()});
  a.completeSpec = readPatternedWindows;
  return a;
}

}  // namespace plastiscope
