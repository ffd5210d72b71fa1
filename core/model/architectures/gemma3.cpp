// Gemma 3, bare or nested: five sliding layers to a full one, each kind with a RoPE base of its own.
#include "core/base/json.h"
#include "core/model/architecture.h"
#include "core/model/gemma_rules.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostLayers = 1 << 20;

// `rope_scaling` is for the full layers only.
Json ropeByLayerType(const ConfigValues& values, const Json& settings) {
  const Json local = {{"rope_theta", values.numberOr("rope_local_base_freq", 10000, 1e-3, 1e30)}};
  return {{"full_attention", settings}, {"sliding_attention", local}};
}

void refineGemma3(ModelSpec& spec, const ConfigValues& values) {
  readGemma(spec, values, 62);
  spec.scoreSoftcap = values.numberOr("attn_logit_softcapping", 0, 0, 1e6);
  const std::int64_t window = slidingWindow(values);
  if (readLayerTypes(spec, values, window)) return;
  const std::int64_t step =
      values.integerOr("sliding_window_pattern",
                       values.integerOr("_sliding_window_pattern", 6, 1, kMostLayers), 1, kMostLayers);
  slideLayers(spec, window, [step](std::int64_t layer) { return (layer + 1) % step != 0; });
}

}  // namespace

Architecture gemma3() {
  Architecture a;
  a.name = "gemma3";
  a.modelTypes = {"gemma3_text", "gemma3"};
  a.classes = {"Gemma3ForCausalLM", "Gemma3TextModel", "Gemma3ForConditionalGeneration"};
  a.ggufNames = {"gemma3"};
  a.ggufKeys = {{"rope.freq_base_swa", "rope_local_base_freq"}};
  a.defaults = {{"hidden_act", "gelu_pytorch_tanh"},
                {"num_attention_heads", 8},
                {"num_key_value_heads", 4},
                {"head_dim", 256},
                {"max_position_embeddings", 131072},
                {"rms_norm_eps", 1e-6},
                {"sliding_window", 4096},
                {"tie_word_embeddings", true},
                {"vocab_size", 262208},
                {"rope_theta", 1e6}};
  a.layerTensors = tensors::joined({gemmaNorms(), tensors::headNorms(1), tensors::attention(),
                                    tensors::attentionBiases(), tensors::mlp()});
  a.ropeByLayerType = ropeByLayerType;
  a.refine = refineGemma3;
  return a;
}

}  // namespace plastiscope
