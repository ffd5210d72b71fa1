// Llama 1 to 3.x and the many models with its block (Mistral 7B's GGUF files, SmolLM, SmolLM2, Yi, ...).
#include "core/base/error.h"
#include "core/model/architecture.h"

namespace plastiscope {

namespace {

bool attentionBias(const ModelSpec& spec, std::int64_t) {
  return spec.attentionBias;
}
bool outputBias(const ModelSpec& spec, std::int64_t) {
  return spec.outputBias;
}
bool mlpBias(const ModelSpec& spec, std::int64_t) {
  return spec.mlpBias;
}

// GGUF calls mixtures of experts "llama" too.
void refuseExperts(ModelSpec&, const ConfigValues& config) {
  const auto experts = config.integerOr("num_local_experts", 0, 0, 1 << 20);
  if (experts > 0) config.refuse("num_local_experts", "a Llama without experts", std::to_string(experts));
}

}  // namespace

Architecture llama() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "llama";
  a.modelTypes = {"llama"};
  a.classes = {"LlamaForCausalLM", "LlamaModel"};
  a.ggufNames = {"llama"};
  a.defaults = {{"hidden_act", "silu"},         {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-6},
                {"tie_word_embeddings", false}, {"attention_bias", false},         {"mlp_bias", false}};
  a.layerTensors = {
      // role, in safetensors, in GGUF, shape, when, heads whose rows GGUF permutes
      {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
      {Query, "self_attn.q_proj.weight", "attn_q.weight", {queryRows, hidden}, nullptr, queryHeads},
      {Key, "self_attn.k_proj.weight", "attn_k.weight", {keyRows, hidden}, nullptr, keyHeads},
      {Value, "self_attn.v_proj.weight", "attn_v.weight", {keyRows, hidden}},
      {Output, "self_attn.o_proj.weight", "attn_output.weight", {hidden, queryRows}},
      {QueryBias, "self_attn.q_proj.bias", "attn_q.bias", {queryRows}, attentionBias, queryHeads},
      {KeyBias, "self_attn.k_proj.bias", "attn_k.bias", {keyRows}, attentionBias, keyHeads},
      {ValueBias, "self_attn.v_proj.bias", "attn_v.bias", {keyRows}, attentionBias},
      {OutputBias, "self_attn.o_proj.bias", "attn_output.bias", {hidden}, outputBias},
      {PostAttentionNorm, "post_attention_layernorm.weight", "ffn_norm.weight", {hidden}},
      {Gate, "mlp.gate_proj.weight", "ffn_gate.weight", {intermediate, hidden}},
      {Up, "mlp.up_proj.weight", "ffn_up.weight", {intermediate, hidden}},
      {Down, "mlp.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
      {GateBias, "mlp.gate_proj.bias", "ffn_gate.bias", {intermediate}, mlpBias},
      {UpBias, "mlp.up_proj.bias", "ffn_up.bias", {intermediate}, mlpBias},
      {DownBias, "mlp.down_proj.bias", "ffn_down.bias", {hidden}, mlpBias},
  };
  a.refine = refuseExperts;
  return a;
}

}  // namespace plastiscope
