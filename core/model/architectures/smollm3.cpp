// SmolLM3: every fourth layer has no RoPE, and only those may have a window.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void readLayersWithoutRope(ModelSpec& spec, const ConfigValues& values) {
  readRopeLayers(spec, values, values.integerOr("no_rope_layer_interval", 4, 1, 1 << 20));
  const std::int64_t window = switchedWindow(values);
  if (readLayerTypes(spec, values, window)) return;
  slideLayers(spec, window,
              [&](std::int64_t layer) { return !spec.layers[static_cast<std::size_t>(layer)].rope; });
}

}  // namespace

Architecture smollm3() {
  Architecture a;
  a.name = "smollm3";
  a.modelTypes = {"smollm3"};
  a.classes = {"SmolLM3ForCausalLM", "SmolLM3Model"};
  a.ggufNames = {"smollm3"};
  a.defaults = {{"hidden_act", "silu"}, {"num_key_value_heads", 4},
                {"rms_norm_eps", 1e-6}, {"max_position_embeddings", 32768},
                {"rope_theta", 2e6},    {"tie_word_embeddings", true}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(true), tensors::attentionBiases(true), tensors::mlp()});
  a.completeSpec = readLayersWithoutRope;
  return a;
}

}  // namespace plastiscope
