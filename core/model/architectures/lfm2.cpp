// LFM2: gated short convolutions and attention with head norms.
#include <algorithm>

#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxSize = 1 << 24;

// The width of the feed-forward part is a rounded share of the given one, unless that is switched off.
void readFeedForwardWidth(ModelSpec& spec, const CheckedJson& values) {
  spec.intermediate = values.integerOr("block_ff_dim", spec.intermediate, 1, kMaxSize);
  if (!values.flagOr("block_auto_adjust_ff_dim", false)) return;
  spec.intermediate = 2 * spec.intermediate / 3;
  if (!values.has("block_ffn_dim_multiplier")) return;
  const double factor = values.number("block_ffn_dim_multiplier", 1e-6, 1e3);
  const std::int64_t multiple = values.integer("block_multiple_of", 1, 1 << 20);
  const auto width = static_cast<std::int64_t>(factor * static_cast<double>(spec.intermediate));
  spec.intermediate = (width + multiple - 1) / multiple * multiple;
}

void readConvolutions(ModelSpec& spec, const CheckedJson& values) {
  if (values.flagOr("conv_bias", false)) values.refuse("conv_bias", "no biases in this architecture", "true");
  spec.recurrence.gatedChannels = spec.hidden;
  spec.recurrence.kernel = values.integer("conv_L_cache", 1, 1 << 8);
  if (values.has("layer_types") || values.has("recurrent_layers"))
    return readRecurrentLayers(spec, values, "");
  if (!values.has("full_attn_idxs")) return;
  const auto full = values.integersOr("full_attn_idxs", {}, 0, 1 << 20);
  for (std::int64_t number = 0; number < spec.layerCount; ++number) {
    LayerSpec& layer = spec.layers[static_cast<std::size_t>(number)];
    layer.recurrence = std::ranges::count(full, number) == 0;
    if (layer.recurrence) layer.attention = AttentionKind::Linear;
  }
}

}  // namespace

Architecture lfm2() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("lfm2", "Lfm2", {"lfm2"});
  a.ggufKeys = {{"shortconv.l_cache", "conv_L_cache"}};
  a.ggufDefaults = {{"block_auto_adjust_ff_dim", false}};
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "max_position_embeddings": 128000, "norm_eps": 1e-5,
      "rope_theta?": 1e6, "tie_word_embeddings": true, "tie_embedding": null, "intermediate_size": 12288,
      "block_ff_dim": null, "block_auto_adjust_ff_dim": true, "block_ffn_dim_multiplier?": 1.0,
      "block_multiple_of": 256, "conv_bias": false, "conv_L_cache": 3, "layer_types": null,
      "full_attn_idxs": null})");
  a.normEpsKey = "norm_eps";
  a.hfAnchor = "operator_norm.weight";
  a.ignored.insert(a.ignored.end(), {"embedding_norm.weight", "token_embd_norm.weight"});
  a.layerTensors = tensors::joined(
      {{
           {InputNorm, "operator_norm.weight", "attn_norm.weight", {hidden}},
           {MlpNorm, "ffn_norm.weight", "ffn_norm.weight", {hidden}},
           {Gate, "feed_forward.w1.weight", "ffn_gate.weight", {intermediate, hidden}},
           {Up, "feed_forward.w3.weight", "ffn_up.weight", {intermediate, hidden}},
           {Down, "feed_forward.w2.weight", "ffn_down.weight", {hidden, intermediate}},
       },
       tensors::only(when::attends,
                     {
                         {Query, "self_attn.q_proj.weight", "attn_q.weight", {queryRows, hidden}},
                         {Key, "self_attn.k_proj.weight", "attn_k.weight", {keyRows, hidden}},
                         {Value, "self_attn.v_proj.weight", "attn_v.weight", {keyRows, hidden}},
                         {Output, "self_attn.out_proj.weight", "attn_output.weight", {hidden, queryRows}},
                         {QueryNorm, "self_attn.q_layernorm.weight", "attn_q_norm.weight", {headDim}},
                         {KeyNorm, "self_attn.k_layernorm.weight", "attn_k_norm.weight", {headDim}},
                     }),
       tensors::only(
           when::recurs,
           {
               {StateInput, "conv.in_proj.weight", "shortconv.in_proj.weight", {stateInputRows, hidden}},
               {StateConvolution, "conv.conv.weight", "", {stateChannels, one, stateKernel}},
               {StateConvolution, "", "shortconv.conv.weight", {stateChannels, stateKernel}},
               {StateOutput, "conv.out_proj.weight", "shortconv.out_proj.weight", {hidden, stateValueRows}},
           })});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.tiedEmbeddings = values.flagOr("tie_embedding", spec.tiedEmbeddings);
    readFeedForwardWidth(spec, values);
    readConvolutions(spec, values);
  };
  return a;
}

}  // namespace plastiscope
