// Qwen2 and 2.5: biases on queries, keys and values although no key says so.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineQwen2(ModelSpec& spec, const ConfigValues& values) {
  spec.attentionBias = true;
  spec.outputBias = false;
  readSwitchedWindows(spec, values);
}

}  // namespace

Architecture qwen2() {
  Architecture a;
  a.name = "qwen2";
  a.modelTypes = {"qwen2"};
  a.classes = {"Qwen2ForCausalLM", "Qwen2Model"};
  a.ggufNames = {"qwen2"};
  a.defaults = {{"hidden_act", "silu"},
                {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},
                {"sliding_window", 4096}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(), tensors::attentionBiases(), tensors::mlp()});
  a.refine = refineQwen2;
  return a;
}

}  // namespace plastiscope
