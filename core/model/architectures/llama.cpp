// Llama 1 to 3.x and models with the same block (Mistral 7B's GGUF files, SmolLM, SmolLM2, Yi, ...).
#include "core/model/architecture.h"

namespace plastiscope {

Architecture llama() {
  Architecture a;
  a.name = "llama";
  a.modelTypes = {"llama"};
  a.classes = {"LlamaForCausalLM", "LlamaModel"};
  a.ggufNames = {"llama"};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "head_dim": null, "hidden_act": "silu",
      "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "attention_bias": false, "mlp_bias": false})");
  a.layerTensors = tensors::llamaBlock(true);
  a.completeSpec = [](ModelSpec&, const CheckedJson& values) {
    const auto experts = values.integerOr("num_local_experts", 0, 0, 1 << 20);
    if (experts > 0) values.refuse("num_local_experts", "a Llama without experts", std::to_string(experts));
  };
  return a;
}

// ---- Llama 3.2 Vision, language model. Its cross-attention layers attend to the image: for text they are
// skipped and have no rows.

Architecture mllama() {
  Architecture a;
  a.name = "mllama";
  a.modelTypes = {"mllama_text_model", "mllama"};
  a.classes = {"MllamaForConditionalGeneration", "MllamaForCausalLM"};
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "rope_theta?": 5e5,
      "cross_attention_layers": null})");
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::mlp()});
  a.extraEmbeddingRows = 8;  // image token and padding
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    const auto cross =
        values.integersOr("cross_attention_layers", {3, 8, 13, 18, 23, 28, 33, 38}, 0, 1 << 20);
    for (const std::int64_t layer : cross) {
      if (layer >= spec.layerCount) continue;
      LayerSpec& one = spec.layers[static_cast<std::size_t>(layer)];
      one.attention = AttentionKind::Cross;
      one.rope = false;
    }
  };
  return a;
}

}  // namespace plastiscope
