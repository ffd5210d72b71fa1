// Llama 1 to 3.x and models with the same block (Mistral 7B's GGUF files, SmolLM, SmolLM2, Yi, ...).
#include <algorithm>

#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture llama() {
  Architecture a = family("llama", "Llama", {"llama"});
  a.defaults = classKeys(R"({"num_key_value_heads": null, "head_dim": null, "hidden_act": "silu",
      "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "attention_bias": false, "mlp_bias": false})");
  a.layerTensors = tensors::llamaBlock(true);
  a.completeSpec = [](ModelSpec&, const CheckedJson& values) {
    const auto experts = values.integerOr("num_local_experts", 0, 0, 1 << 20);
    if (experts > 0) values.refuse("num_local_experts", "a Llama without experts", std::to_string(experts));
  };
  return a;
}

// ---- InternLM 3: Llama's block; one switch for the biases under two names.

Architecture internlm3() {
  Architecture a = family("internlm3", "InternLM3");
  a.defaults = classKeys(R"({"num_key_value_heads?": 2, "head_dim?": 128, "hidden_act": "silu",
      "max_position_embeddings": 32768, "rms_norm_eps": 1e-5, "attention_bias": false, "mlp_bias": false,
      "qkv_bias": false, "bias": false})");
  a.layerTensors = tensors::llamaBlock(true);
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.attentionBias = spec.attentionBias || values.flagOr("qkv_bias", false);
    spec.mlpBias = spec.mlpBias || values.flagOr("bias", false);
    if (spec.attentionBias != spec.mlpBias)
      values.refuse("bias", "the same as qkv_bias", spec.mlpBias ? "true" : "false");
    spec.outputBias = spec.attentionBias;
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

// ---- Llama 4 (language model): chunked layers with head norms and RoPE on neighbouring pairs; full layers
// without RoPE and with a query temperature; expert scores multiply the expert's input.

namespace {

constexpr std::int64_t kMaximum = std::int64_t{1} << 40;

// Layers in `moe_layers`, else every n-th.
void readSparseLayers(ModelSpec& spec, const CheckedJson& values) {
  const std::int64_t step = values.integerOr("interleave_moe_layer_step", 1, 1, 1 << 20);
  const auto listed = values.integersOr("moe_layers", {}, 0, 1 << 20);
  for (std::int64_t layer = 0; layer < spec.layerCount; ++layer) {
    const bool isListed = std::find(listed.begin(), listed.end(), layer) != listed.end();
    spec.layers[static_cast<std::size_t>(layer)].experts =
        !values.has("moe_layers") ? (layer + 1) % step == 0 : isListed;
  }
}

void readWindows(ModelSpec& spec, const CheckedJson& values) {
  const std::int64_t chunk = values.integerOr("attention_chunk_size", 0, 0, kMaximum);
  if (readLayerTypes(spec, values, chunk, {AttentionKind::Full, AttentionKind::Chunked})) return;
  for (LayerSpec& layer : spec.layers) {
    if (!layer.rope || chunk == 0) continue;
    layer.attention = AttentionKind::Chunked;
    layer.window = chunk;
  }
}

void readLlama4(ModelSpec& spec, const CheckedJson& values) {
  for (RopeSpec& rope : spec.ropes) rope.interleaved = rope.computeInFloat32 = true;
  spec.queryKeyNorm.weightless = values.flagOr("use_qk_norm", true);
  readRopeLayers(spec, values, values.integerOr("no_rope_layer_interval", 4, 1, 1 << 20));
  readWindows(spec, values);
  readExperts(spec, values);
  readSparseLayers(spec, values);
  spec.experts.score = RouterScore::Sigmoid;
  spec.experts.scaleInput = true;
  spec.experts.sharedInner = spec.experts.inner;
  spec.intermediate = values.integerOr("intermediate_size_mlp", spec.intermediate, 1, 1 << 24);
  spec.temperature = {values.numberOr("attn_scale", 0.1, 0, 1e6),
                      values.integerOr("floor_scale", 8192, 1, kMaximum), 1};
  const bool grows = values.flagOr("attn_temperature_tuning", true);
  for (LayerSpec& layer : spec.layers) layer.queryScale = grows && !layer.rope;
}

}  // namespace

Architecture llama4() {
  using namespace sizes;
  using enum TensorRole;
  using enum TensorLayout;
  Architecture a;
  a.name = "llama4";
  a.modelTypes = {"llama4_text", "llama4"};
  a.classes = {"Llama4ForCausalLM", "Llama4ForConditionalGeneration"};
  a.ggufNames = {"llama4"};
  a.ggufKeys = {{"interleave_moe_layer_step", "interleave_moe_layer_step"},
                {"attention.chunk_size", "attention_chunk_size"}};
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "head_dim": 128, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "attention_bias": false, "rope_theta?": 5e5,
      "use_qk_norm": true, "no_rope_layers": null, "no_rope_layer_interval": 4, "attention_chunk_size?": 8192,
      "layer_types": null, "attn_temperature_tuning": true, "floor_scale": 8192, "attn_scale": 0.1,
      "intermediate_size_mlp": 16384, "num_local_experts": 16, "num_experts_per_tok": 1, "moe_layers": null,
      "interleave_moe_layer_step": 1})");
  a.ggufDefaults = {{"intermediate_size_mlp", nullptr}};
  a.layerTensors = tensors::joined(
      {tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
       tensors::only(when::dense,
                     {
                         {Gate, "feed_forward.gate_proj.weight", "ffn_gate.weight", {intermediate, hidden}},
                         {Up, "feed_forward.up_proj.weight", "ffn_up.weight", {intermediate, hidden}},
                         {Down, "feed_forward.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
                     }),
       tensors::only(
           when::experts,
           {
               {Router, "feed_forward.router.weight", "ffn_gate_inp.weight", {experts, hidden}},
               {ExpertGateUp,
                "feed_forward.experts.gate_up_proj",
                "",
                {twoExpertInner, hidden},
                nullptr,
                Transposed},
               {ExpertDown, "feed_forward.experts.down_proj", "", {hidden, expertInner}, nullptr, Transposed},
               {ExpertGate, "", "ffn_gate_exps.weight", {expertInner, hidden}},
               {ExpertUp, "", "ffn_up_exps.weight", {expertInner, hidden}},
               {ExpertDown, "", "ffn_down_exps.weight", {hidden, expertInner}},
               {SharedGate,
                "feed_forward.shared_expert.gate_proj.weight",
                "ffn_gate_shexp.weight",
                {sharedInner, hidden}},
               {SharedUp,
                "feed_forward.shared_expert.up_proj.weight",
                "ffn_up_shexp.weight",
                {sharedInner, hidden}},
               {SharedDown,
                "feed_forward.shared_expert.down_proj.weight",
                "ffn_down_shexp.weight",
                {hidden, sharedInner}},
           })});
  a.completeSpec = readLlama4;
  return a;
}

}  // namespace plastiscope
