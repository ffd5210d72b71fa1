// Llama 1 to 3.x and the many models with its block (Mistral 7B's GGUF files, SmolLM, SmolLM2, Yi, ...).
#include "core/model/architecture.h"

namespace plastiscope {

namespace {

void refineLlama(ModelSpec&, const ConfigValues& values) {
  const auto experts = values.integerOr("num_local_experts", 0, 0, 1 << 20);
  if (experts > 0) values.refuse("num_local_experts", "a Llama without experts", std::to_string(experts));
}

}  // namespace

Architecture llama() {
  Architecture a;
  a.name = "llama";
  a.modelTypes = {"llama"};
  a.classes = {"LlamaForCausalLM", "LlamaModel"};
  a.ggufNames = {"llama"};
  a.defaults = {{"hidden_act", "silu"},         {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-6},
                {"tie_word_embeddings", false}, {"attention_bias", false},         {"mlp_bias", false}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(true), tensors::attentionBiases(true), tensors::mlp()});
  a.refine = refineLlama;
  return a;
}

}  // namespace plastiscope
