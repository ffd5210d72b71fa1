// Families with a single decoder, in alphabetical order.
#include <algorithm>
#include <cmath>

#include "core/base/json.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

// Apertus: head norms; feed-forward part without gate, with a parametrised activation (xIELU).
Architecture apertus() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "apertus";
  a.modelTypes = {"apertus"};
  a.classes = {"ApertusForCausalLM", "ApertusModel"};
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
  Architecture a;
  a.name = "ernie4_5";
  a.modelTypes = {"ernie4_5"};
  a.classes = {"Ernie4_5ForCausalLM", "Ernie4_5Model"};
  a.ggufNames = {"ernie4_5"};
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
  Architecture a;
  a.name = "exaone4";
  a.modelTypes = {"exaone4"};
  a.classes = {"Exaone4ForCausalLM", "Exaone4Model"};
  a.ggufNames = {"exaone4"};
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
  Architecture a;
  a.name = "hunyuan_v1_dense";
  a.modelTypes = {"hunyuan_v1_dense"};
  a.classes = {"HunYuanDenseV1ForCausalLM", "HunYuanDenseV1Model"};
  a.ggufNames = {"hunyuan-dense"};
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
  Architecture a;
  a.name = "phi3";
  a.modelTypes = {"phi3"};
  a.classes = {"Phi3ForCausalLM", "Phi3Model"};
  a.ggufNames = {"phi3"};
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
  Architecture a;
  a.name = "seed_oss";
  a.modelTypes = {"seed_oss"};
  a.classes = {"SeedOssForCausalLM", "SeedOssModel"};
  a.ggufNames = {"seed_oss"};
  a.defaults = classKeys(R"({"num_key_value_heads?": 8, "head_dim?": 128, "hidden_act": "silu",
      "max_position_embeddings": 524288, "rms_norm_eps": 1e-6, "attention_bias": true,
      "attention_out_bias": false, "mlp_bias": false})");
  a.layerTensors = tensors::joined({tensors::preNorms(0, "post_attention_norm.weight"), tensors::attention(),
                                    tensors::attentionBiases(), tensors::mlp()});
  return a;
}

// SmolLM3: every fourth layer has no RoPE; only those may have a window.
Architecture smollm3() {
  Architecture a;
  a.name = "smollm3";
  a.modelTypes = {"smollm3"};
  a.classes = {"SmolLM3ForCausalLM", "SmolLM3Model"};
  a.ggufNames = {"smollm3"};
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
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "starcoder2";
  a.modelTypes = {"starcoder2"};
  a.classes = {"Starcoder2ForCausalLM", "Starcoder2Model"};
  a.ggufNames = {"starcoder2"};
  a.defaults = classKeys(R"({"num_key_value_heads": 2, "hidden_act": "gelu_pytorch_tanh",
      "max_position_embeddings": 4096, "norm_epsilon": 1e-5, "use_bias": true, "sliding_window": null,
      "tie_word_embeddings": true})");
  a.normEpsKey = "norm_epsilon";
  a.layerTensors =
      tensors::joined({tensors::preNorms(),
                       tensors::attention(),
                       tensors::attentionBiases(),
                       {
                           {InputNormBias, "input_layernorm.bias", "attn_norm.bias", {hidden}},
                           {MlpNormBias, "post_attention_layernorm.bias", "ffn_norm.bias", {hidden}},
                           {Up, "mlp.c_fc.weight", "ffn_up.weight", {intermediate, hidden}},
                           {UpBias, "mlp.c_fc.bias", "ffn_up.bias", {intermediate}, when::mlpBias},
                           {Down, "mlp.c_proj.weight", "ffn_down.weight", {hidden, intermediate}},
                           {DownBias, "mlp.c_proj.bias", "ffn_down.bias", {hidden}, when::mlpBias},
                       }});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.norm.subtractMean = spec.norm.computeInFloat32 = true;
    spec.attentionBias = spec.outputBias = spec.mlpBias = values.flagOr("use_bias", true);
    slideAllLayers(spec, values);
  };
  return a;
}

}  // namespace plastiscope
