// GPT-NeoX and other families with LayerNorm and RoPE on a part of each head.
#include <string_view>
#include <vector>

#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

using namespace sizes;
using enum TensorRole;

void useLayerNorm(ModelSpec& spec) {
  spec.norm.subtractMean = spec.norm.computeInFloat32 = true;
}

// Query, key and value rows of each head in turn (one after another in GGUF files), and the output.
std::vector<LayerTensor> attentionByHead(std::string_view fused, std::string_view fusedBias,
                                         std::string_view output, std::string_view outputBias) {
  constexpr auto kByHead = TensorLayout::ByHead;
  return {
      {QueryKeyValue, fused, "attn_qkv.weight", {operandRows, hidden}, nullptr, kByHead},
      {QueryKeyValueBias, fusedBias, "attn_qkv.bias", {operandRows}, when::attentionBias, kByHead},
      {Output, output, "attn_output.weight", {hidden, queryRows}},
      {OutputBias, outputBias, "attn_output.bias", {hidden}, when::outputBias},
  };
}

std::vector<LayerTensor> neoxMlp() {
  return tensors::plainMlp({"mlp.dense_h_to_4h.weight", "mlp.dense_h_to_4h.bias", "mlp.dense_4h_to_h.weight",
                            "mlp.dense_4h_to_h.bias"});
}

// LayerNorm of queries and keys, with the same weights for all heads.
std::vector<LayerTensor> headLayerNorms() {
  return tensors::only(when::headNorms,
                       {
                           {QueryNorm, "self_attn.q_layernorm.weight", "attn_q_norm.weight", {headDim}},
                           {QueryNormBias, "self_attn.q_layernorm.bias", "attn_q_norm.bias", {headDim}},
                           {KeyNorm, "self_attn.k_layernorm.weight", "attn_k_norm.weight", {headDim}},
                           {KeyNormBias, "self_attn.k_layernorm.bias", "attn_k_norm.bias", {headDim}},
                       });
}

}  // namespace

// GPT-NeoX, Pythia: two norms also where attention and feed-forward part are parallel.
Architecture gpt_neox() {
  Architecture a = family("gpt_neox", "GPTNeoX", {"gptneox"});
  a.hfKeys = {{"rotary_emb_base", "rope_theta"}, {"rotary_pct", "partial_rotary_factor"}};
  a.ggufKeys = {{"use_parallel_residual", "use_parallel_residual"}};
  a.defaults = classKeys(R"({"hidden_act": "gelu", "max_position_embeddings": 2048, "layer_norm_eps": 1e-5,
      "attention_bias": true, "use_parallel_residual": true, "partial_rotary_factor": 0.25})");
  a.normEpsKey = "layer_norm_eps";
  a.hfAnchor = "attention.query_key_value.weight";
  a.hfEmbedding = "embed_in.weight";
  a.layerTensors =
      tensors::joined({tensors::preNorms(), tensors::preNormBiases(), neoxMlp(),
                       attentionByHead("attention.query_key_value.weight", "attention.query_key_value.bias",
                                       "attention.dense.weight", "attention.dense.bias")});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    useLayerNorm(spec);
    spec.mlpBias = true;
    spec.parallelBlock = values.flagOr("use_parallel_residual", true);
  };
  return a;
}

// Phi 1, 1.5 and 2: parallel attention and feed-forward part on the same norm.
Architecture phi() {
  Architecture a = family("phi", "Phi", {"phi2"});
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "gelu_new",
      "max_position_embeddings": 2048, "layer_norm_eps": 1e-5, "qk_layernorm": false,
      "partial_rotary_factor": 0.5})");
  a.normEpsKey = "layer_norm_eps";
  std::vector<LayerTensor> attention = tensors::joined({tensors::attention(), tensors::attentionBiases()});
  for (LayerTensor& tensor : attention) {
    if (tensor.role == Output) tensor.hf = "self_attn.dense.weight";
    if (tensor.role == OutputBias) tensor.hf = "self_attn.dense.bias";
  }
  a.layerTensors = tensors::joined(
      {attention,
       headLayerNorms(),
       tensors::plainMlp({"mlp.fc1.weight", "mlp.fc1.bias", "mlp.fc2.weight", "mlp.fc2.bias"}),
       {
           {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
           {InputNormBias, "input_layernorm.bias", "attn_norm.bias", {hidden}},
       }});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    useLayerNorm(spec);
    spec.attentionBias = spec.outputBias = spec.mlpBias = spec.parallelBlock = true;
    spec.queryKeyNorm.present = values.flagOr("qk_layernorm", false);
  };
  return a;
}

// StableLM: Llama's feed-forward part; a parallel one reads the norm of attention; norms of queries and keys
// have a tensor for each head.
Architecture stablelm() {
  Architecture a = family("stablelm", "StableLm", {"stablelm"});
  a.ggufKeys = {{"use_parallel_residual", "use_parallel_residual"}};
  a.ggufDefaults = {{"use_qkv_bias", nullptr}};
  a.defaults = classKeys(R"({"num_key_value_heads": 32, "hidden_act": "silu", "max_position_embeddings": 4096,
      "layer_norm_eps": 1e-5, "use_qkv_bias": false, "qk_layernorm": false, "use_parallel_residual": false,
      "partial_rotary_factor": 0.25})");
  a.normEpsKey = "layer_norm_eps";
  std::vector<LayerTensor> norms = tensors::joined({tensors::preNorms(), tensors::preNormBiases()});
  for (LayerTensor& norm : norms) {
    if (norm.role == MlpNorm || norm.role == MlpNormBias)
      norm.applies = [](const ModelSpec& m, const LayerSpec&) { return !m.parallelBlock; };
  }
  a.layerTensors = tensors::joined(
      {norms, tensors::attention(), tensors::attentionBiases(), tensors::mlp(),
       tensors::only(
           when::headNorms,
           {
               {QueryNorm,
                "self_attn.q_layernorm.norms.*.weight",
                "attn_q_norm.weight",
                {queryHeads, headDim}},
               {KeyNorm, "self_attn.k_layernorm.norms.*.weight", "attn_k_norm.weight", {keyHeads, headDim}},
           })});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    useLayerNorm(spec);
    spec.attentionBias = values.flagOr("use_qkv_bias", spec.attentionBias);
    spec.outputBias = false;
    spec.parallelBlock = values.flagOr("use_parallel_residual", false);
    spec.queryKeyNorm.present = values.flagOr("qk_layernorm", false) || values.flagOr("use_qk_norm", false);
  };
  return a;
}

// Nemotron, Minitron: weights of norms are 1 + w (GGUF files hold the sum); squared ReLU without gate.
Architecture nemotron() {
  Architecture a = family("nemotron", "Nemotron", {"nemotron"});
  a.defaults = classKeys(R"({"num_key_value_heads": null, "head_dim": null, "hidden_act": "relu2",
      "max_position_embeddings": 4096, "norm_eps": 1e-5, "attention_bias": false, "mlp_bias": false,
      "partial_rotary_factor": 0.5})");
  a.normEpsKey = "norm_eps";
  a.layerTensors = tensors::joined({tensors::preNorms(1), tensors::preNormBiases(), tensors::attention(),
                                    tensors::attentionBiases(),
                                    tensors::plainMlp({"mlp.up_proj.weight", "mlp.up_proj.bias",
                                                       "mlp.down_proj.weight", "mlp.down_proj.bias"})});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson&) { useLayerNorm(spec); };
  return a;
}

// Persimmon: tensors as in GPT-NeoX, squared ReLU, norms of queries and keys.
Architecture persimmon() {
  Architecture a = family("persimmon", "Persimmon");
  a.defaults = classKeys(R"({"hidden_act": "relu2", "max_position_embeddings": 16384, "layer_norm_eps": 1e-5,
      "qk_layernorm": true, "partial_rotary_factor": 0.5})");
  a.normEpsKey = "layer_norm_eps";
  a.hfAnchor = "self_attn.query_key_value.weight";
  a.layerTensors =
      tensors::joined({tensors::preNorms(), tensors::preNormBiases(), neoxMlp(), headLayerNorms(),
                       attentionByHead("self_attn.query_key_value.weight", "self_attn.query_key_value.bias",
                                       "self_attn.dense.weight", "self_attn.dense.bias")});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    useLayerNorm(spec);
    spec.attentionBias = spec.outputBias = spec.mlpBias = true;
    spec.queryKeyNorm.present = values.flagOr("qk_layernorm", true);
  };
  return a;
}

}  // namespace plastiscope
