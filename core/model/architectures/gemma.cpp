// Gemma 1 to 4 and 3n, and the rules shared by the Gemma families.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
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

// ---- Gemma: Llama's block with the rules above; "gelu" means the tanh form.

Architecture gemma() {
  Architecture a = family("gemma", "Gemma", {"gemma"});
  a.defaults = classKeys(R"({"hidden_act": "gelu_pytorch_tanh", "num_key_value_heads": 16, "head_dim": 256,
      "max_position_embeddings": 8192, "rms_norm_eps": 1e-6, "attention_bias": false,
      "use_bidirectional_attention": null, "tie_word_embeddings": true})");
  a.layerTensors = tensors::joined(
      {tensors::preNorms(1), tensors::attention(), tensors::attentionBiases(), tensors::mlp()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readGemma(spec, values, 0);
    if (spec.activation == Activation::Gelu) spec.activation = Activation::GeluTanh;
  };
  return a;
}

// ---- Gemma 2: score softcap, sliding window on every other layer, norms before and after each part.

Architecture gemma2() {
  Architecture a = family("gemma2", "Gemma2", {"gemma2"});
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

// ---- Gemma 4 (text): five sliding layers per full one, which has its own head sizes and RoPE; the last
// layers use keys and values of earlier ones; layers have a per-layer input of each token, or experts
// beside the dense part.

namespace {

constexpr std::int64_t kMaxHeadDimOfGemma4 = 4096, kMaxHeadsOfGemma4 = 4096;

// Full layers have `global_head_dim` and, where values are keys, `num_global_key_value_heads`, unless the
// file sets them per layer.
void readFullLayers(ModelSpec& spec, const CheckedJson& values) {
  spec.layers.back().attention = AttentionKind::Full;
  spec.layers.back().window = 0;
  const bool keysAreValues = values.flagOr("attention_k_eq_v", false);
  const bool byLayer =
      values.find("per_layer_config") != nullptr && values.find("global_head_dim") == nullptr;
  const std::int64_t headDim = values.integerOr("global_head_dim", 512, 2, kMaxHeadDimOfGemma4);
  const std::int64_t keyHeads =
      values.integerOr("num_global_key_value_heads", spec.keyHeads, 1, kMaxHeadsOfGemma4);
  for (LayerSpec& layer : spec.layers) {
    if (layer.attention != AttentionKind::Full) continue;
    layer.valuesAreKeys = keysAreValues;
    if (layer.headDim == 0 && !byLayer) layer.headDim = headDim;
    if (layer.keyHeads == 0 && !byLayer && keysAreValues) layer.keyHeads = keyHeads;
  }
}

// Each of the last layers uses the keys of the last earlier layer of its kind that has its own.
void shareKeys(ModelSpec& spec, const CheckedJson& values) {
  const std::int64_t first =
      spec.layerCount - values.integerOr("num_kv_shared_layers", 0, 0, spec.layerCount - 1);
  const bool doubled = values.flagOr("use_double_wide_mlp", false);
  for (std::int64_t number = first; number < spec.layerCount; ++number) {
    LayerSpec& layer = spec.layers[static_cast<std::size_t>(number)];
    std::int64_t owner = first - 1;
    while (owner >= 0 && spec.layer(owner).attention != layer.attention) --owner;
    if (owner < 0)
      values.refuse("num_kv_shared_layers", "a layer of each kind that has keys",
                    std::to_string(first) + " layers");
    layer.keysOfLayer = owner;
    if (doubled && layer.intermediate == 0) layer.intermediate = 2 * spec.intermediate;
  }
}

void readGemma4Layers(ModelSpec& spec, const CheckedJson& values) {
  const std::int64_t window = slidingWindow(values);
  if (!readLayerTypes(spec, values, window))
    slideLayers(spec, window, [](std::int64_t layer) { return (layer + 1) % 6 != 0; });
  readFullLayers(spec, values);
  shareKeys(spec, values);
}

// GGUF files mark pairs that are not rotated by the divisor 1e30.
Json ropesOfGemma4(const CheckedJson& values, const Json& settings) {
  constexpr float kStill = 1e29F;
  Json full = {{"rope_type", "proportional"}, {"rope_theta", settings.value("rope_theta", Json(1e6))}};
  full["partial_rotary_factor"] = 0.25;
  if (settings.contains("frequency_factors")) {
    const auto divisors = settings["frequency_factors"].get<std::vector<float>>();
    const auto still = std::ranges::count_if(divisors, [](float divisor) { return divisor > kStill; });
    full["partial_rotary_factor"] = 1 - static_cast<double>(still) / static_cast<double>(divisors.size());
  }
  const Json local = {{"rope_theta", values.numberOr("rope_local_base_freq", 10000, 1e-3, 1e30)}};
  return {{"full_attention", full}, {"sliding_attention", local}};
}

void readGemma4Experts(ModelSpec& spec, const CheckedJson& values) {
  if (!values.flagOr("enable_moe_block", values.integerOr("num_experts", 0, 0, kMaxExperts) > 0)) return;
  ExpertSpec& experts = spec.experts;
  experts.count = values.integer("num_experts", 1, kMaxExperts);
  experts.used = values.integer("top_k_experts", 1, experts.count);
  experts.inner = values.integer("moe_intermediate_size", 1, kMaxInner);
  experts.renormalise = experts.besideDense = true;
  for (LayerSpec& layer : spec.layers) layer.experts = true;
}

// Rules of Gemma 3n and 4.
void readGemmaWithLayerInputs(ModelSpec& spec, const CheckedJson& values) {
  if (values.flagOr("attention_bias", false))
    values.refuse("attention_bias", "no biases in this architecture", "true");
  spec.norm.computeInFloat32 = true;
  spec.embeddingScale = std::sqrt(static_cast<double>(spec.hidden));
  spec.scoreScale = 1;
  spec.valueNorm = true;
  spec.logitSoftcap = values.numberOr("final_logit_softcapping", 0, 0, 1e6);
  spec.layerInput = values.integerOr("hidden_size_per_layer_input", 256, 0, 1 << 20);
  spec.layerInputVocabulary =
      values.integerOr("vocab_size_per_layer_input", spec.vocabulary, 1, std::int64_t{1} << 40);
}

void readGemma4(ModelSpec& spec, const CheckedJson& values) {
  if (values.textOr("use_bidirectional_attention", "vision") == "all")
    values.refuse("use_bidirectional_attention", "causal attention", "attention in both directions");
  readGemmaWithLayerInputs(spec, values);
  if (spec.layerInput > 0 && spec.layerInputVocabulary != spec.vocabulary)
    values.refuse("vocab_size_per_layer_input", "the vocabulary of " + std::to_string(spec.vocabulary),
                  std::to_string(spec.layerInputVocabulary));
  readGemma4Experts(spec, values);
}

// Layers with their own keys, with their own values, and with a per-layer input.
constexpr Applies kOwnKeys = [](const ModelSpec&, const LayerSpec& layer) { return layer.ownKeys(); };
constexpr Applies kOwnValues = [](const ModelSpec&, const LayerSpec& layer) {
  return layer.ownKeys() && !layer.valuesAreKeys;
};
constexpr Applies kLayerInput = [](const ModelSpec& m, const LayerSpec&) { return m.layerInput > 0; };

std::vector<LayerTensor> gemma4Attention() {
  using namespace sizes;
  using enum TensorRole;
  return {
      {Query, "self_attn.q_proj.weight", "attn_q.weight", {queryRows, hidden}},
      {Key, "self_attn.k_proj.weight", "attn_k.weight", {keyRows, hidden}, kOwnKeys},
      {Value, "self_attn.v_proj.weight", "attn_v.weight", {keyRows, hidden}, kOwnValues},
      {Output, "self_attn.o_proj.weight", "attn_output.weight", {hidden, queryRows}},
      {QueryNorm, "self_attn.q_norm.weight", "attn_q_norm.weight", {headDim}},
      {KeyNorm, "self_attn.k_norm.weight", "attn_k_norm.weight", {headDim}, kOwnKeys},
  };
}

std::vector<LayerTensor> gemma4FeedForward() {
  using namespace sizes;
  using enum TensorRole;
  return {
      {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
      {MlpNorm, "pre_feedforward_layernorm.weight", "ffn_norm.weight", {hidden}},
      {Gate, "mlp.gate_proj.weight", "ffn_gate.weight", {intermediate, hidden}},
      {Up, "mlp.up_proj.weight", "ffn_up.weight", {intermediate, hidden}},
      {Down, "mlp.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
      {LayerScale, "layer_scalar", "layer_output_scale.weight", {one}},
  };
}

std::vector<LayerTensor> gemma4Experts() {
  using namespace sizes;
  using enum TensorRole;
  return tensors::only(
      when::experts,
      {
          {DenseOutputNorm, "post_feedforward_layernorm_1.weight", "post_ffw_norm_1.weight", {hidden}},
          {ExpertNorm, "pre_feedforward_layernorm_2.weight", "pre_ffw_norm_2.weight", {hidden}},
          {ExpertOutputNorm, "post_feedforward_layernorm_2.weight", "post_ffw_norm_2.weight", {hidden}},
          {Router, "router.proj.weight", "ffn_gate_inp.weight", {experts, hidden}},
          {RouterScale, "router.scale", "ffn_gate_inp.scale", {hidden}},
          {RouterExpertScale, "router.per_expert_scale", "ffn_down_exps.scale", {experts}},
          {ExpertGateUp, "experts.gate_up_proj", "ffn_gate_up_exps.weight", {twoExpertInner, hidden}},
          {ExpertDown, "experts.down_proj", "ffn_down_exps.weight", {hidden, expertInner}},
      });
}

std::vector<LayerTensor> gemma4LayerInput() {
  using namespace sizes;
  using enum TensorRole;
  return tensors::only(
      kLayerInput,
      {
          {LayerInputGate, "per_layer_input_gate.weight", "inp_gate.weight", {layerInput, hidden}},
          {LayerInputOutput, "per_layer_projection.weight", "proj.weight", {hidden, layerInput}},
          {LayerInputNorm, "post_per_layer_input_norm.weight", "post_norm.weight", {hidden}},
      });
}

}  // namespace

Architecture gemma4() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "gemma4";
  a.modelTypes = {"gemma4_text", "gemma4"};
  a.classes = {"Gemma4ForCausalLM", "Gemma4TextModel", "Gemma4ForConditionalGeneration"};
  a.ggufNames = {"gemma4"};
  a.ggufKeys = {{"attention.key_length", "global_head_dim"},
                {"attention.key_length_swa", "head_dim"},
                {"attention.value_length_swa", "value_dim"},
                {"attention.shared_kv_layers", "num_kv_shared_layers"},
                {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
                {"expert_count", "num_experts"},
                {"expert_used_count", "top_k_experts"}};
  a.defaults = classKeys(R"({"hidden_activation": "gelu_pytorch_tanh", "num_attention_heads": 8,
      "num_key_value_heads": 4, "head_dim": 256, "max_position_embeddings": 131072, "rms_norm_eps": 1e-6,
      "attention_bias": false, "sliding_window": 512, "layer_types": null, "final_logit_softcapping": null,
      "use_bidirectional_attention": null, "tie_word_embeddings": true, "vocab_size": 262144,
      "vocab_size_per_layer_input": 262144, "hidden_size_per_layer_input": 256, "global_head_dim": null,
      "num_global_key_value_heads": null, "attention_k_eq_v": false, "num_kv_shared_layers": 0,
      "use_double_wide_mlp": false, "enable_moe_block": false, "num_experts": null, "top_k_experts": null,
      "moe_intermediate_size": null})");
  a.ggufDefaults = {{"enable_moe_block", nullptr}, {"vocab_size_per_layer_input", nullptr}};
  a.ropeLayers = RopeLayers::Listed;
  a.ropeDefault = R"({"sliding_attention": {"rope_theta": 1e4}, "full_attention": {
                      "rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6}})";
  // Files may contain key and value tensors for layers that do not use them.
  a.ignored.insert(a.ignored.end(),
                   {"layers.*.self_attn.k_proj.weight", "layers.*.self_attn.v_proj.weight",
                    "layers.*.self_attn.k_norm.weight", "blk.*.attn_k.weight", "blk.*.attn_v.weight",
                    "blk.*.attn_k_norm.weight", "*audio_tower.*", "*embed_vision.*", "*embed_audio.*"});
  a.layerTensors = tensors::joined(
      {gemma4Attention(), tensors::postNorms(), gemma4FeedForward(), gemma4Experts(), gemma4LayerInput()});
  a.tensorsBesideLayers = tensors::only(kLayerInput, {
                                                         {LayerInputEmbedding,
                                                          "embed_tokens_per_layer.weight",
                                                          "per_layer_token_embd.weight",
                                                          {layerInputVocabulary, allLayerInputs}},
                                                         {LayerInputProjection,
                                                          "per_layer_model_projection.weight",
                                                          "per_layer_model_proj.weight",
                                                          {allLayerInputs, hidden}},
                                                         {LayerInputProjectionNorm,
                                                          "per_layer_projection_norm.weight",
                                                          "per_layer_proj_norm.weight",
                                                          {layerInput}},
                                                     });
  a.readLayers = readGemma4Layers;
  a.ropeByLayerType = ropesOfGemma4;
  a.completeSpec = readGemma4;
  return a;
}

// ---- Gemma 3n (text): four sliding layers per full one, keys shared and per-layer inputs as in Gemma 4;
// several streams of hidden states, an augmented residual layer, and layers with sparse activations.

namespace {

// The share of a normal distribution below a number of standard deviations from its mean.
double shareBelow(const CheckedJson& deviations) {
  constexpr double kMost = 4;
  const Json& given = deviations.json();
  if (given.is_number() && given == -std::numeric_limits<double>::infinity()) return 0;
  return std::erfc(-deviations.asNumber(-kMost, kMost) / std::sqrt(2.0)) / 2;
}

// A number for each layer, or one for all: a share, or in GGUF files the cut in standard deviations.
void readSparsity(ModelSpec& spec, const CheckedJson& values) {
  constexpr double kShare = 0.95, kMost = 0.9999;
  constexpr std::int64_t kSparseLayers = 10;
  const bool cuts = values.has("activation_sparsity_scale");
  const char* const key = cuts ? "activation_sparsity_scale" : "activation_sparsity_pattern";
  if (!values.has(key)) {
    for (std::int64_t layer = 0; layer < kSparseLayers && spec.layerCount > kSparseLayers; ++layer)
      spec.layers[static_cast<std::size_t>(layer)].sparsity = kShare;
    return;
  }
  const CheckedJson given = values.child(key);
  const std::vector<CheckedJson> each =
      given.json().is_array() ? given.items() : std::vector<CheckedJson>(spec.layers.size(), given);
  if (each.size() != spec.layers.size())
    values.refuse(key, std::to_string(spec.layerCount) + " numbers, one per layer",
                  std::to_string(each.size()));
  for (std::size_t i = 0; i < each.size(); ++i)
    spec.layers[i].sparsity = cuts ? shareBelow(each[i]) : each[i].asNumber(0, kMost);
}

void readGemma3nLayers(ModelSpec& spec, const CheckedJson& values) {
  readSlidingLayers(spec, values, 5);
  shareKeys(spec, values);
  readSparsity(spec, values);
}

void readGemma3n(ModelSpec& spec, const CheckedJson& values) {
  constexpr std::int64_t kMaxStreams = 64, kMaxRank = 1 << 20;
  readGemmaWithLayerInputs(spec, values);
  spec.altUp.streams = values.integer("altup_num_inputs", 2, kMaxStreams);
  spec.altUp.active = values.integer("altup_active_idx", 0, spec.altUp.streams - 1);
  spec.altUp.scaled = values.flagOr("altup_correct_scale", true);
  spec.laurelRank = values.integer("laurel_rank", 1, kMaxRank);
}

std::vector<LayerTensor> gemma3nStreams() {
  using namespace sizes;
  using enum TensorRole;
  constexpr Applies scaled = [](const ModelSpec& m, const LayerSpec&) { return m.altUp.scaled; };
  return {
      {AltUpRouterNorm, "altup.router_norm.weight", "altup_router_norm.weight", {hidden}},
      {AltUpRouter, "altup.modality_router.weight", "altup_router.weight", {streams, hidden}},
      {AltUpPrediction,
       "altup.prediction_coefs.weight",
       "altup_predict_coef.weight",
       {squaredStreams, streams}},
      {AltUpCorrection, "altup.correction_coefs.weight", "altup_correct_coef.weight", {streams, streams}},
      {AltUpOutputScale, "altup.correct_output_scale", "altup_correct_scale.weight", {hidden}, scaled},
      {LaurelDown, "laurel.linear_left.weight", "laurel_l.weight", {laurelRank, hidden}},
      {LaurelUp, "laurel.linear_right.weight", "laurel_r.weight", {hidden, laurelRank}},
      {LaurelNorm, "laurel.post_laurel_norm.weight", "laurel_post_norm.weight", {hidden}},
  };
}

}  // namespace

Architecture gemma3n() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = gemma4();
  a.name = "gemma3n";
  a.modelTypes = {"gemma3n_text", "gemma3n"};
  a.classes = {"Gemma3nForCausalLM", "Gemma3nTextModel", "Gemma3nForConditionalGeneration"};
  a.ggufNames = {"gemma3n"};
  a.ggufKeys = {{"attention.shared_kv_layers", "num_kv_shared_layers"},
                {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
                {"altup.num_inputs", "altup_num_inputs"},
                {"altup.active_idx", "altup_active_idx"},
                {"activation_sparsity_scale", "activation_sparsity_scale"}};
  a.defaults = classKeys(R"({"hidden_activation": "gelu_pytorch_tanh", "num_attention_heads": 8,
      "num_key_value_heads": 2, "head_dim": 256, "max_position_embeddings": 32768, "rms_norm_eps": 1e-6,
      "attention_bias": false, "sliding_window": 512, "layer_types": null, "final_logit_softcapping": 30.0,
      "tie_word_embeddings": true, "vocab_size": 262400, "vocab_size_per_layer_input": 262144,
      "hidden_size_per_layer_input": 256, "num_kv_shared_layers": 15, "rope_theta?": 1e6,
      "rope_local_base_freq?": 1e4, "altup_num_inputs": 4, "altup_active_idx": 0, "altup_coef_clip": 120.0,
      "altup_correct_scale": true, "laurel_rank": 64, "activation_sparsity_pattern": null})");
  a.ggufDefaults = {{"vocab_size_per_layer_input", nullptr}};
  a.ropeDefault = "{}";
  a.ropeLayers = RopeLayers::Scaled;
  a.widthPerLayer = true;
  a.ignored.insert(a.ignored.end(),
                   {"layers.*.altup.correct_output_scale", "blk.*.altup_correct_scale.weight"});
  std::erase_if(a.layerTensors, [](const LayerTensor& tensor) { return tensor.role == LayerScale; });
  a.layerTensors = tensors::joined({a.layerTensors, gemma3nStreams()});
  a.tensorsBesideLayers.insert(
      a.tensorsBesideLayers.end(),
      {{AltUpProjection, "altup_projections.*.weight", "altup_proj.weight", {otherStreams, hidden, hidden}},
       {AltUpUnprojection,
        "altup_unembed_projections.*.weight",
        "altup_unembd_proj.weight",
        {otherStreams, hidden, hidden}}});
  a.readLayers = readGemma3nLayers;
  a.ropeByLayerType = ropesOfGemma3;
  a.completeSpec = readGemma3n;
  return a;
}

}  // namespace plastiscope
