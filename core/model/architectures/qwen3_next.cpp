// Qwen3-Next: gated delta nets, every fourth layer gated attention; experts beside one that all tokens pass.
#include "core/model/architecture.h"
#include "core/model/expert_rules.h"
#include "core/model/layer_rules.h"
#include "core/model/recurrence_rules.h"

namespace plastiscope {

namespace {

void refine(ModelSpec& spec, const ConfigValues& values) {
  spec.norm.wide = true;
  spec.attentionGate = true;
  spec.outputBias = spec.attentionBias;
  spec.hasPredictionLayers = true;
  readDeltaNet(spec, values);
  readRecurrentLayers(spec, values, values.integerOr("full_attention_interval", 4, 1, 1 << 20));
  readExperts(spec, values);
  readDenseLayers(spec, values);
  spec.experts.renormalise = values.flagOr("norm_topk_prob", true);
  spec.experts.sharedInner = values.integer("shared_expert_intermediate_size", 1, 1 << 24);
}

}  // namespace

Architecture qwen3_next() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "qwen3_next";
  a.modelTypes = {"qwen3_next"};
  a.classes = {"Qwen3NextForCausalLM", "Qwen3NextModel"};
  a.ggufNames = {"qwen3next"};
  a.ggufKeys = {{"full_attention_interval", "full_attention_interval"},
                {"ssm.conv_kernel", "linear_conv_kernel_dim"},
                {"ssm.state_size", "linear_key_head_dim"},
                {"ssm.group_count", "linear_num_key_heads"},
                {"ssm.time_step_rank", "linear_num_value_heads"},
                {"ssm.inner_size", "linear_value_rows"}};
  a.defaults = {{"hidden_act", "silu"},
                {"num_key_value_heads", 2},
                {"head_dim", 256},
                {"max_position_embeddings", 32768},
                {"rms_norm_eps", 1e-6},
                {"partial_rotary_factor", 0.25},
                {"intermediate_size", 5632},
                {"moe_intermediate_size", 512},
                {"shared_expert_intermediate_size", 512},
                {"num_experts_per_tok", 10},
                {"linear_conv_kernel_dim", 4},
                {"linear_key_head_dim", 128},
                {"linear_value_head_dim", 128},
                {"linear_num_key_heads", 16},
                {"linear_num_value_heads", 32}};
  a.hfAnchor = "input_layernorm.weight";
  a.ignored.push_back("mtp.*");
  a.layerTensors = tensors::joined({tensors::gatedAttention(1), tensors::deltaNet(), tensors::mlp(),
                                    tensors::mlpExperts(), tensors::sharedExpert()});
  for (const LayerTensor& tensor : std::vector<LayerTensor>{
           {InputNorm,
            "input_layernorm.weight",
            "attn_norm.weight",
            {hidden},
            nullptr,
            nullptr,
            TensorLayout::Plain,
            1},
           {MlpNorm,
            "post_attention_layernorm.weight",
            "post_attention_norm.weight",
            {hidden},
            nullptr,
            nullptr,
            TensorLayout::Plain,
            1},
           {StateOperandsGate,
            "linear_attn.in_proj_qkvz.weight",
            "",
            {stateOperandsGate, hidden},
            when::recurs},
           {StateOperands, "", "attn_qkv.weight", {stateChannels, hidden}, when::recurs},
           {StateGate, "", "attn_gate.weight", {stateValueRows, hidden}, when::recurs},
           {StateRates, "linear_attn.in_proj_ba.weight", "ssm_ba.weight", {stateRates, hidden}, when::recurs},
           {SharedExpertGate,
            "mlp.shared_expert_gate.weight",
            "ffn_gate_inp_shexp.weight",
            {one, hidden},
            when::sharedExpert},
       })
    a.layerTensors.push_back(tensor);
  a.refine = refine;
  return a;
}

}  // namespace plastiscope
