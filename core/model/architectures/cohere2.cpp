// Command R7B and Command A: three sliding layers with RoPE to a full one without; one norm for both parts.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineCohere2(ModelSpec& spec, const ConfigValues& values) {
  spec.norm.centred = spec.norm.wide = true;
  spec.parallelBlock = true;
  turnNeighbours(spec);
  turnInFloat32(spec);
  const std::int64_t window = slidingWindow(values);
  const std::int64_t step = values.integerOr("sliding_window_pattern", 4, 1, 1 << 20);
  if (!readLayerTypes(spec, values, window))
    slideLayers(spec, window, [step](std::int64_t layer) { return (layer + 1) % step != 0; });
  for (LayerSpec& layer : spec.layers) layer.rope = layer.attention == AttentionKind::Sliding;
}

}  // namespace

Architecture cohere2() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "cohere2";
  a.modelTypes = {"cohere2"};
  a.classes = {"Cohere2ForCausalLM", "Cohere2Model"};
  a.ggufNames = {"cohere2"};
  a.defaults = {{"hidden_act", "silu"},
                {"layer_norm_eps", 1e-5},
                {"max_position_embeddings", 8192},
                {"sliding_window", 4096},
                {"tie_word_embeddings", true}};
  a.normEpsKey = "layer_norm_eps";
  a.layerTensors = tensors::joined({tensors::attention(),
                                    tensors::attentionBiases(),
                                    tensors::mlp(),
                                    {
                                        {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
                                    }});
  a.refine = refineCohere2;
  return a;
}

}  // namespace plastiscope
