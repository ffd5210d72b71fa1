// Families with few decoders.
#include <algorithm>
#include <cmath>

#include "core/base/json.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

// Apertus: head norms; feed-forward part without gate, with a parametrised activation (xIELU).
Architecture apertus() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("apertus", "Apertus");
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "xielu",
      "max_position_embeddings": 65536, "rms_norm_eps": 1e-5, "attention_bias": false, "rope_theta?": 12e6})");
  a.ropeDefault = R"({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                      "original_max_position_embeddings": 8192})";
  a.layerTensors =
      tensors::joined({tensors::attention(),
                       tensors::attentionBiases(),
                       tensors::headNorms(),
                       {
                           {InputNorm, "attention_layernorm.weight", "attn_norm.weight", {hidden}},
                           {MlpNorm, "feedforward_layernorm.weight", "ffn_norm.weight", {hidden}},
                           {Up, "mlp.up_proj.weight", "ffn_up.weight", {intermediate, hidden}},
                           {Down, "mlp.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
                           {XieluPositive, "mlp.act_fn.alpha_p", "", {one}},
                           {XieluNegative, "mlp.act_fn.alpha_n", "", {one}},
                           {XieluBeta, "mlp.act_fn.beta", "", {}},
                           {XieluEps, "mlp.act_fn.eps", "", {}},
                       }});
  return a;
}

// ERNIE 4.5 (dense): Llama with RoPE on neighbouring pairs.
Architecture ernie4_5() {
  Architecture a = family("ernie4_5", "Ernie4_5", {"ernie4_5"});
  a.defaults = classKeys(R"({"num_key_value_heads?": 2, "head_dim?": 128, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "use_bias?": false, "rope_theta?": 5e5,
      "tie_word_embeddings": true})");
  a.ggufDefaults = {{"use_bias", nullptr}};
  a.layerTensors = tensors::llamaBlock();
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    const bool biased = values.flagOr("use_bias", spec.attentionBias);
    spec.attentionBias = spec.outputBias = spec.mlpBias = biased;
    interleaveRope(spec);
    computeRopeInFloat32(spec);
  };
  return a;
}

namespace {

// Pattern "LLLG" or a number: the last layer of each period is full.
std::int64_t exaonePatternOf(const CheckedJson& values) {
  const Json* pattern = values.find("sliding_window_pattern");
  if (pattern != nullptr && pattern->is_string())
    return static_cast<std::int64_t>(std::max<std::size_t>(1, pattern->get<std::string>().size()));
  return values.integer("sliding_window_pattern", 1, 1 << 20);
}

}  // namespace

// EXAONE 4: norms after each part only, head norms; with windows, full layers have no RoPE.
Architecture exaone4() {
  Architecture a = family("exaone4", "Exaone4", {"exaone4"});
  a.defaults = classKeys(R"({"num_key_value_heads": 32, "hidden_act": "silu", "max_position_embeddings": 2048,
      "rms_norm_eps": 1e-5, "sliding_window?": 4096, "sliding_window_pattern?": 4, "layer_types": null})");
  a.ggufDefaults = {{"sliding_window", nullptr}};
  a.layerTensors =
      tensors::joined({tensors::attention(), tensors::headNorms(), tensors::mlp(), tensors::postNorms()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    const std::int64_t window = slidingWindow(values);
    if (!readLayerTypes(spec, values, window)) {
      const std::int64_t step = window > 0 ? exaonePatternOf(values) : 1;
      slideLayers(spec, window, [&](std::int64_t layer) { return (layer + 1) % step != 0; });
    }
    if (window == 0) return;
    for (LayerSpec& layer : spec.layers) layer.rope = layer.attention == AttentionKind::Sliding;
  };
  return a;
}

// Hunyuan (dense): norms of queries and keys per head, after RoPE.
Architecture hunyuan_v1_dense() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("hunyuan_v1_dense", "HunYuanDenseV1", {"hunyuan-dense"});
  a.defaults = classKeys(R"({"num_key_value_heads": null, "head_dim": null, "hidden_act": "silu",
      "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "attention_bias": false})");
  a.layerTensors =
      tensors::joined({tensors::llamaBlock(),
                       {
                           {QueryNorm, "self_attn.query_layernorm.weight", "attn_q_norm.weight", {headDim}},
                           {KeyNorm, "self_attn.key_layernorm.weight", "attn_k_norm.weight", {headDim}},
                       }});
  a.normsAfterRope = true;
  a.ropeKeys = {"alpha"};
  // "dynamic" with `alpha` scales the base by a constant, independent of the length of the text.
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    const double alpha = ropeValues(values).numberOr("alpha", 0, 0, 1e12);
    RopeSpec& only = spec.ropes.front();
    if (alpha <= 0 || only.kind != "dynamic") return;
    const auto width = static_cast<double>(spec.headDim);
    only.kind = "default";
    only.theta *= std::pow(alpha, width / (width - 2));
  };
  return a;
}

// Phi-3 and Phi-4: fused projections (qkv, gate and up); longrope beyond the original context.
Architecture phi3() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("phi3", "Phi3", {"phi3"});
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 4096, "original_max_position_embeddings": 4096, "rms_norm_eps": 1e-5,
      "sliding_window": null, "partial_rotary_factor?": 1.0})");
  a.layerTensors = tensors::joined(
      {tensors::preNorms(),
       tensors::fusedMlp(),
       {
           {QueryKeyValue, "self_attn.qkv_proj.weight", "attn_qkv.weight", {operandRows, hidden}},
           {Output, "self_attn.o_proj.weight", "attn_output.weight", {hidden, queryRows}},
       }});
  a.hfAnchor = "self_attn.qkv_proj.weight";
  a.onlyLongrope = true;
  a.completeSpec = slideAllLayers;
  return a;
}

// Seed-OSS: Llama with a separate bias setting for the output projection.
Architecture seed_oss() {
  Architecture a = family("seed_oss", "SeedOss", {"seed_oss"});
  a.defaults = classKeys(R"({"num_key_value_heads?": 8, "head_dim?": 128, "hidden_act": "silu",
      "max_position_embeddings": 524288, "rms_norm_eps": 1e-6, "attention_bias": true,
      "attention_out_bias": false, "mlp_bias": false})");
  a.layerTensors = tensors::joined({tensors::preNorms(0, "post_attention_norm.weight"), tensors::attention(),
                                    tensors::attentionBiases(), tensors::mlp()});
  return a;
}

// SmolLM3: every fourth layer has no RoPE; only those may have a window.
Architecture smollm3() {
  Architecture a = family("smollm3", "SmolLM3", {"smollm3"});
  a.defaults = classKeys(R"({"num_key_value_heads?": 4, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "attention_bias": false, "mlp_bias": false,
      "rope_theta?": 2e6, "no_rope_layers": null, "no_rope_layer_interval": 4, "use_sliding_window": false,
      "sliding_window": null, "layer_types": null, "tie_word_embeddings": true})");
  a.layerTensors = tensors::llamaBlock(true);
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readRopeLayers(spec, values, values.integerOr("no_rope_layer_interval", 4, 1, 1 << 20));
    const std::int64_t window = switchedWindow(values);
    if (readLayerTypes(spec, values, window)) return;
    slideLayers(spec, window,
                [&](std::int64_t layer) { return !spec.layers[static_cast<std::size_t>(layer)].rope; });
  };
  return a;
}

// StarCoder 2: LayerNorm and biases everywhere, feed-forward part without gate.
Architecture starcoder2() {
  Architecture a = family("starcoder2", "Starcoder2", {"starcoder2"});
  a.defaults = classKeys(R"({"num_key_value_heads": 2, "hidden_act": "gelu_pytorch_tanh",
      "max_position_embeddings": 4096, "norm_epsilon": 1e-5, "use_bias": true, "sliding_window": null,
      "tie_word_embeddings": true})");
  a.normEpsKey = "norm_epsilon";
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::preNormBiases(), tensors::attention(), tensors::attentionBiases(),
       tensors::plainMlp({"mlp.c_fc.weight", "mlp.c_fc.bias", "mlp.c_proj.weight", "mlp.c_proj.bias"})});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.norm.subtractMean = spec.norm.computeInFloat32 = true;
    spec.attentionBias = spec.outputBias = spec.mlpBias = values.flagOr("use_bias", true);
    slideAllLayers(spec, values);
  };
  return a;
}

// ---- Command R: parallel attention and feed-forward part on the same norm; RoPE rotates neighbouring
// pairs.

namespace {

void readParallelBlock(ModelSpec& spec) {
  spec.norm.subtractMean = spec.norm.computeInFloat32 = true;
  spec.parallelBlock = true;
  interleaveRope(spec);
  computeRopeInFloat32(spec);
}

}  // namespace

Architecture cohere() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("cohere", "Cohere", {"command-r"});
  a.ggufKeys = {{"logit_scale", "logit_scale"}};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 8192, "layer_norm_eps": 1e-5, "attention_bias": false, "use_qk_norm?": false,
      "logit_scale": 0.0625, "rope_theta?": 5e5, "tie_word_embeddings": true})");
  a.normEpsKey = "layer_norm_eps";
  a.layerTensors = tensors::joined(
      {tensors::attention(),
       tensors::attentionBiases(),
       tensors::mlp(),
       {
           {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
       },
       tensors::only(when::headNorms,
                     {
                         {QueryNorm, "self_attn.q_norm.weight", "attn_q_norm.weight", {queryHeads, headDim}},
                         {KeyNorm, "self_attn.k_norm.weight", "attn_k_norm.weight", {keyHeads, headDim}},
                     })});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readParallelBlock(spec);
    spec.logitScale = values.number("logit_scale", 0, 1e9);
    spec.queryKeyNorm.present = values.flagOr("use_qk_norm", false);
  };
  return a;
}

// ---- Command R7B and Command A: three sliding layers with RoPE, then a full one without; one norm per
// layer.

Architecture cohere2() {
  Architecture a = family("cohere2", "Cohere2", {"cohere2"});
  a.ggufKeys = {{"logit_scale", "logit_scale"}};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 8192, "layer_norm_eps": 1e-5, "attention_bias": false, "logit_scale": 0.0625,
      "sliding_window?": 4096, "sliding_window_pattern?": 4, "layer_types": null,
      "tie_word_embeddings": true})");
  a.normEpsKey = "layer_norm_eps";
  a.layerTensors = tensors::joined(
      {tensors::attention(),
       tensors::attentionBiases(),
       tensors::mlp(),
       {{TensorRole::InputNorm, "input_layernorm.weight", "attn_norm.weight", {sizes::hidden}}}});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readParallelBlock(spec);
    spec.logitScale = values.number("logit_scale", 0, 1e9);
    readSlidingLayers(spec, values, "sliding_window_pattern");
    for (LayerSpec& layer : spec.layers) layer.rope = layer.attention == AttentionKind::Sliding;
  };
  return a;
}

// ---- gpt-oss: attention sinks, sliding window on every other layer, biases everywhere; expert matrices
// are stored transposed with alternating gate and up columns.

namespace {

void readGptOss(ModelSpec& spec, const CheckedJson& values) {
  spec.norm.computeInFloat32 = true;
  spec.outputBias = spec.attentionBias;
  spec.activation = Activation::ClampedSwiglu;
  constexpr double kAlpha = 1.702, kLimit = 7;  // of the activation
  if (values.numberOr("swiglu_alpha", kAlpha, 0, 1e6) != kAlpha) values.child("swiglu_alpha").refuse("1.702");
  if (values.numberOr("swiglu_limit", kLimit, 0, 1e6) != kLimit) values.child("swiglu_limit").refuse("7");
  readExperts(spec, values);
  spec.experts.renormalise = true;
  readSlidingLayers(spec, values, 2);
}

}  // namespace

Architecture gpt_oss() {
  using namespace sizes;
  using enum TensorRole;
  using enum TensorLayout;
  Architecture a = family("gpt_oss", "GptOss", {"gpt-oss"});
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "head_dim": 64, "attention_bias": true,
      "hidden_act": "silu", "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "num_experts_per_tok": 4,
      "sliding_window?": 128, "layer_types": null, "rope_theta?": 150000.0, "swiglu_alpha": 1.702,
      "swiglu_limit": 7.0})");
  a.ropeDefault = R"({"rope_type": "yarn", "factor": 32.0, "truncate": false,
                      "original_max_position_embeddings": 4096})";
  a.ggufDefaults = {{"truncate", false}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(0, "post_attention_norm.weight"),
       tensors::attention(),
       tensors::attentionBiases(),
       {
           {Sinks, "self_attn.sinks", "attn_sinks.weight", {queryHeads}},
           {Router, "mlp.router.weight", "ffn_gate_inp.weight", {experts, hidden}},
           {RouterBias, "mlp.router.bias", "ffn_gate_inp.bias", {experts}},
           {ExpertGateUp, "mlp.experts.gate_up_proj", "", {twoExpertInner, hidden}, nullptr, Alternating},
           {ExpertGateUpBias, "mlp.experts.gate_up_proj_bias", "", {twoExpertInner}, nullptr, Alternating},
           {ExpertDown, "mlp.experts.down_proj", "", {hidden, expertInner}, nullptr, Transposed},
           {ExpertDownBias, "mlp.experts.down_proj_bias", "ffn_down_exps.bias", {hidden}},
           {ExpertGate, "", "ffn_gate_exps.weight", {expertInner, hidden}},
           {ExpertUp, "", "ffn_up_exps.weight", {expertInner, hidden}},
           {ExpertDown, "", "ffn_down_exps.weight", {hidden, expertInner}},
           {ExpertGateBias, "", "ffn_gate_exps.bias", {expertInner}},
           {ExpertUpBias, "", "ffn_up_exps.bias", {expertInner}},
       }});
  a.completeSpec = readGptOss;
  return a;
}

}  // namespace plastiscope
