// Gemma 2 and 3, and the rules shared by the Gemma families.
#include <cmath>
#include <vector>

#include "core/base/json.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

// Norms before and after each part with weights 1 + w (GGUF files hold the sum).
std::vector<LayerTensor> gemmaNorms() {
  using namespace sizes;
  using enum TensorRole;
  std::vector<LayerTensor> norms = {
      {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
      {MlpNorm, "pre_feedforward_layernorm.weight", "ffn_norm.weight", {hidden}},
  };
  norms = tensors::joined({norms, tensors::postNorms()});
  for (LayerTensor& norm : norms) norm.hfOffset = 1;
  return norms;
}

// Embeddings times sqrt(hidden), norms in float32, scores times query_pre_attn_scalar^(-1/2). GGUF files omit
// that number: it is head_dim, but hidden / heads in the model with `largestLayers` layers.
void readGemma(ModelSpec& spec, const CheckedJson& values, std::int64_t largestLayers) {
  spec.norm.computeInFloat32 = true;
  spec.scoreSoftcap = values.numberOr("attn_logit_softcapping", 0, 0, 1e6);
  spec.logitSoftcap = values.numberOr("final_logit_softcapping", 0, 0, 1e6);
  spec.embeddingScale = std::sqrt(static_cast<double>(spec.hidden));
  const std::int64_t usual = spec.layerCount == largestLayers ? spec.hidden / spec.queryHeads : spec.headDim;
  spec.scoreScale =
      1 / std::sqrt(values.numberOr("query_pre_attn_scalar", static_cast<double>(usual), 1e-6, 1e9));
  const Json* both = values.find("use_bidirectional_attention");
  if (both != nullptr && *both == true)
    values.refuse("use_bidirectional_attention", "causal attention", "attention in both directions");
}

}  // namespace

// ---- Gemma 2: score softcap, sliding window on every other layer, norms before and after each part.

Architecture gemma2() {
  Architecture a;
  a.name = "gemma2";
  a.modelTypes = {"gemma2"};
  a.classes = {"Gemma2ForCausalLM", "Gemma2Model"};
  a.ggufNames = {"gemma2"};
  a.defaults = classKeys(R"({"hidden_activation": "gelu_pytorch_tanh", "num_attention_heads": 8,
      "num_key_value_heads": 4, "head_dim": 256, "max_position_embeddings": 8192, "rms_norm_eps": 1e-6,
      "attention_bias": false, "query_pre_attn_scalar": 256, "sliding_window?": 4096, "layer_types": null,
      "attn_logit_softcapping?": 50.0, "final_logit_softcapping?": 30.0, "use_bidirectional_attention": null,
      "tie_word_embeddings": true})");
  a.layerTensors =
      tensors::joined({gemmaNorms(), tensors::attention(), tensors::attentionBiases(), tensors::mlp()});
  a.ggufDefaults = {{"query_pre_attn_scalar", nullptr}};
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readGemma(spec, values, 46);
    readSlidingLayers(spec, values, 2);
  };
  return a;
}

// ---- Gemma 3, text or multimodal: five sliding layers per full one, with different RoPE bases.

namespace {

// `rope_scaling` applies to full layers only.
Json ropesOfGemma3(const CheckedJson& values, const Json& settings) {
  const Json local = {{"rope_theta", values.numberOr("rope_local_base_freq", 10000, 1e-3, 1e30)}};
  return {{"full_attention", settings}, {"sliding_attention", local}};
}

void readGemma3(ModelSpec& spec, const CheckedJson& values) {
  readGemma(spec, values, 62);
  readSlidingLayers(spec, values, "sliding_window_pattern");
}

}  // namespace

Architecture gemma3() {
  Architecture a = gemma2();
  a.name = "gemma3";
  a.modelTypes = {"gemma3_text", "gemma3"};
  a.classes = {"Gemma3ForCausalLM", "Gemma3TextModel", "Gemma3ForConditionalGeneration"};
  a.ggufNames = {"gemma3"};
  a.defaults["max_position_embeddings"] = 131072;
  a.defaults["vocab_size"] = 262208;
  a.defaults.merge(
      classKeys(R"({"rope_theta?": 1e6, "rope_local_base_freq?": 1e4, "sliding_window_pattern?": 6})"));
  a.defaults["attn_logit_softcapping"] = a.defaults["final_logit_softcapping"] = nullptr;
  a.ropeLayers = RopeLayers::Scaled;
  a.layerTensors = tensors::joined({gemmaNorms(), tensors::headNorms(1), tensors::attention(),
                                    tensors::attentionBiases(), tensors::mlp()});
  a.ropeByLayerType = ropesOfGemma3;
  a.completeSpec = readGemma3;
  return a;
}

}  // namespace plastiscope
