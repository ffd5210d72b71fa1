// Ministral 3, bare or as the language model of Mistral 3: queries grow with their position.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

// The factor's numbers stand among the RoPE settings; GGUF files have keys of their own.
void refineMinistral3(ModelSpec& spec, const ConfigValues& values) {
  constexpr double kMost = 1e12;
  const ConfigValues rope = ropeValues(values);
  const ConfigValues& from = values.find("llama_4_scaling_beta") != nullptr ? values : rope;
  spec.temperature.beta = from.numberOr("llama_4_scaling_beta", 0, 0, kMost);
  spec.temperature.length = from.integerOr("original_max_position_embeddings", spec.rope().originalContext, 0,
                                           std::int64_t{1} << 40);
  const bool grows = spec.temperature.beta > 0;
  if (grows && spec.temperature.length < 1)
    values.refuse("original_max_position_embeddings", "a length, which llama_4_scaling_beta needs", "none");
  for (LayerSpec& layer : spec.layers) layer.queryScale = grows;
  slideAllLayers(spec, values);
}

}  // namespace

Architecture ministral3() {
  Architecture a;
  a.name = "ministral3";
  a.modelTypes = {"ministral3"};
  a.classes = {"Ministral3ForCausalLM", "Ministral3Model", "Mistral3ForConditionalGeneration"};
  a.ggufNames = {"mistral3"};
  a.ggufKeys = {{"attention.temperature_scale", "llama_4_scaling_beta"}};
  a.defaults = {{"hidden_act", "silu"}, {"num_key_value_heads", 8},
                {"head_dim", 128},      {"max_position_embeddings", 262144},
                {"rms_norm_eps", 1e-5}, {"rope_theta", 1e6}};
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(true), tensors::mlp()});
  a.ropeKeys = {"llama_4_scaling_beta"};
  a.refine = refineMinistral3;
  return a;
}

}  // namespace plastiscope
