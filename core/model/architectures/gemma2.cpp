// Gemma 2: capped scores, a window on every other layer, norms before and after each part.
#include "core/model/architecture.h"
#include "core/model/gemma_rules.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineGemma2(ModelSpec& spec, const ConfigValues& values) {
  readGemma(spec, values, 46);
  spec.scoreSoftcap = values.numberOr("attn_logit_softcapping", 50, 0, 1e6);
  const std::int64_t window = slidingWindow(values);
  if (!readLayerTypes(spec, values, window))
    slideLayers(spec, window, [](std::int64_t layer) { return layer % 2 == 0; });
}

}  // namespace

Architecture gemma2() {
  Architecture a;
  a.name = "gemma2";
  a.modelTypes = {"gemma2"};
  a.classes = {"Gemma2ForCausalLM", "Gemma2Model"};
  a.ggufNames = {"gemma2"};
  a.defaults = {{"hidden_act", "gelu_pytorch_tanh"},
                {"num_attention_heads", 8},
                {"num_key_value_heads", 4},
                {"head_dim", 256},
                {"max_position_embeddings", 8192},
                {"rms_norm_eps", 1e-6},
                {"sliding_window", 4096},
                {"tie_word_embeddings", true}};
  a.layerTensors =
      tensors::joined({gemmaNorms(), tensors::attention(), tensors::attentionBiases(), tensors::mlp()});
  a.refine = refineGemma2;
  return a;
}

}  // namespace plastiscope
