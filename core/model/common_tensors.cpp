// The sizes, conditions and groups of tensors that most architecture files are put together from.
#include "core/model/architecture.h"

namespace plastiscope {

namespace sizes {

std::int64_t one(const ModelSpec&, std::int64_t) {
  return 1;
}
std::int64_t hidden(const ModelSpec& spec, std::int64_t) {
  return spec.hidden;
}
std::int64_t intermediate(const ModelSpec& spec, std::int64_t) {
  return spec.intermediate;
}
std::int64_t twoIntermediate(const ModelSpec& spec, std::int64_t) {
  return 2 * spec.intermediate;
}
std::int64_t queryHeads(const ModelSpec& spec, std::int64_t) {
  return spec.queryHeads;
}
std::int64_t keyHeads(const ModelSpec& spec, std::int64_t) {
  return spec.keyHeads;
}
std::int64_t headDim(const ModelSpec& spec, std::int64_t) {
  return spec.headDim;
}
std::int64_t queryRows(const ModelSpec& spec, std::int64_t) {
  return spec.queryHeads * spec.headDim;
}
std::int64_t keyRows(const ModelSpec& spec, std::int64_t) {
  return spec.keyHeads * spec.headDim;
}
std::int64_t operandRows(const ModelSpec& spec, std::int64_t) {
  return (spec.queryHeads + 2 * spec.keyHeads) * spec.headDim;
}
std::int64_t experts(const ModelSpec& spec, std::int64_t) {
  return spec.experts.count;
}
std::int64_t expertInner(const ModelSpec& spec, std::int64_t) {
  return spec.experts.inner;
}
std::int64_t twoExpertInner(const ModelSpec& spec, std::int64_t) {
  return 2 * spec.experts.inner;
}
std::int64_t sharedInner(const ModelSpec& spec, std::int64_t) {
  return spec.experts.sharedInner;
}
std::int64_t twoSharedInner(const ModelSpec& spec, std::int64_t) {
  return 2 * spec.experts.sharedInner;
}

std::int64_t twoQueryRows(const ModelSpec& spec, std::int64_t layer) {
  return 2 * queryRows(spec, layer);
}
std::int64_t stateHeads(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.heads;
}
std::int64_t stateChannels(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.channels();
}
std::int64_t stateKernel(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.kernel;
}
std::int64_t stateValueRows(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.valueRows();
}
std::int64_t stateRates(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.rates();
}
std::int64_t stateInputRows(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.inputRows();
}
std::int64_t stateOperandsGate(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.channels() + spec.recurrence.valueRows();
}
std::int64_t stateNormGroups(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.valueRows() / spec.recurrence.normedTogether;
}
std::int64_t stateNormed(const ModelSpec& spec, std::int64_t) {
  return spec.recurrence.normedTogether;
}

}  // namespace sizes

namespace when {

namespace {
const LayerSpec& at(const ModelSpec& spec, std::int64_t layer) {
  return spec.layers.at(static_cast<std::size_t>(layer));
}
}  // namespace

bool attentionBias(const ModelSpec& spec, std::int64_t layer) {
  return spec.attentionBias && attends(spec, layer);
}
bool outputBias(const ModelSpec& spec, std::int64_t layer) {
  return spec.outputBias && attends(spec, layer);
}
bool mlpBias(const ModelSpec& spec, std::int64_t layer) {
  return spec.mlpBias && dense(spec, layer);
}
bool dense(const ModelSpec& spec, std::int64_t layer) {
  return !at(spec, layer).experts;
}
bool experts(const ModelSpec& spec, std::int64_t layer) {
  return at(spec, layer).experts;
}
bool sharedExpert(const ModelSpec& spec, std::int64_t layer) {
  return experts(spec, layer) && spec.experts.sharedInner > 0;
}
bool headNorms(const ModelSpec& spec, std::int64_t layer) {
  return spec.queryKeyNorm.present && attends(spec, layer);
}
bool attends(const ModelSpec& spec, std::int64_t layer) {
  return at(spec, layer).hasVectors();
}
bool recurs(const ModelSpec& spec, std::int64_t layer) {
  return at(spec, layer).recurrence;
}
bool convolutionBias(const ModelSpec& spec, std::int64_t layer) {
  return recurs(spec, layer) && spec.recurrence.convolutionBias;
}

}  // namespace when

namespace tensors {

using namespace sizes;
using enum TensorRole;

std::vector<LayerTensor> attention(bool permuted) {
  const SizeOf query = permuted ? queryHeads : nullptr, key = permuted ? keyHeads : nullptr;
  return {
      {Query, "self_attn.q_proj.weight", "attn_q.weight", {queryRows, hidden}, when::attends, query},
      {Key, "self_attn.k_proj.weight", "attn_k.weight", {keyRows, hidden}, when::attends, key},
      {Value, "self_attn.v_proj.weight", "attn_v.weight", {keyRows, hidden}, when::attends},
      {Output, "self_attn.o_proj.weight", "attn_output.weight", {hidden, queryRows}, when::attends},
  };
}

std::vector<LayerTensor> attentionBiases(bool permuted) {
  const SizeOf query = permuted ? queryHeads : nullptr, key = permuted ? keyHeads : nullptr;
  return {
      {QueryBias, "self_attn.q_proj.bias", "attn_q.bias", {queryRows}, when::attentionBias, query},
      {KeyBias, "self_attn.k_proj.bias", "attn_k.bias", {keyRows}, when::attentionBias, key},
      {ValueBias, "self_attn.v_proj.bias", "attn_v.bias", {keyRows}, when::attentionBias},
      {OutputBias, "self_attn.o_proj.bias", "attn_output.bias", {hidden}, when::outputBias},
  };
}

std::vector<LayerTensor> mlp() {
  return {
      {Gate, "mlp.gate_proj.weight", "ffn_gate.weight", {intermediate, hidden}, when::dense},
      {Up, "mlp.up_proj.weight", "ffn_up.weight", {intermediate, hidden}, when::dense},
      {Down, "mlp.down_proj.weight", "ffn_down.weight", {hidden, intermediate}, when::dense},
      {GateBias, "mlp.gate_proj.bias", "ffn_gate.bias", {intermediate}, when::mlpBias},
      {UpBias, "mlp.up_proj.bias", "ffn_up.bias", {intermediate}, when::mlpBias},
      {DownBias, "mlp.down_proj.bias", "ffn_down.bias", {hidden}, when::mlpBias},
  };
}

std::vector<LayerTensor> fusedMlp() {
  return {
      {GateUp, "mlp.gate_up_proj.weight", "ffn_up.weight", {twoIntermediate, hidden}},
      {Down, "mlp.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
  };
}

std::vector<LayerTensor> preNorms(float hfOffset, std::string_view ggufMlpNorm) {
  std::vector<LayerTensor> norms = {
      {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
      {MlpNorm, "post_attention_layernorm.weight", ggufMlpNorm, {hidden}},
  };
  for (LayerTensor& norm : norms) norm.hfOffset = hfOffset;
  return norms;
}

std::vector<LayerTensor> postNorms() {
  return {
      {AttentionOutputNorm, "post_attention_layernorm.weight", "post_attention_norm.weight", {hidden}},
      {MlpOutputNorm, "post_feedforward_layernorm.weight", "post_ffw_norm.weight", {hidden}},
  };
}

std::vector<LayerTensor> headNorms(float hfOffset) {
  std::vector<LayerTensor> norms = {
      {QueryNorm, "self_attn.q_norm.weight", "attn_q_norm.weight", {headDim}, when::attends},
      {KeyNorm, "self_attn.k_norm.weight", "attn_k_norm.weight", {headDim}, when::attends},
  };
  for (LayerTensor& norm : norms) norm.hfOffset = hfOffset;
  return norms;
}

std::vector<LayerTensor> jointHeadNorms() {
  return {
      {QueryNorm, "self_attn.q_norm.weight", "attn_q_norm.weight", {queryRows}},
      {KeyNorm, "self_attn.k_norm.weight", "attn_k_norm.weight", {keyRows}},
  };
}

std::vector<LayerTensor> mlpExperts() {
  const SizeOf count = sizes::experts;
  return {
      {Router, "mlp.gate.weight", "ffn_gate_inp.weight", {count, hidden}, when::experts},
      {ExpertGate,
       "mlp.experts.*.gate_proj.weight",
       "ffn_gate_exps.weight",
       {expertInner, hidden},
       when::experts},
      {ExpertUp, "mlp.experts.*.up_proj.weight", "ffn_up_exps.weight", {expertInner, hidden}, when::experts},
      {ExpertDown,
       "mlp.experts.*.down_proj.weight",
       "ffn_down_exps.weight",
       {hidden, expertInner},
       when::experts},
  };
}

std::vector<LayerTensor> sharedExperts() {
  return {
      {SharedGate,
       "mlp.shared_experts.gate_proj.weight",
       "ffn_gate_shexp.weight",
       {sharedInner, hidden},
       when::sharedExpert},
      {SharedUp,
       "mlp.shared_experts.up_proj.weight",
       "ffn_up_shexp.weight",
       {sharedInner, hidden},
       when::sharedExpert},
      {SharedDown,
       "mlp.shared_experts.down_proj.weight",
       "ffn_down_shexp.weight",
       {hidden, sharedInner},
       when::sharedExpert},
  };
}

std::vector<LayerTensor> sharedExpert() {
  return {
      {SharedGate,
       "mlp.shared_expert.gate_proj.weight",
       "ffn_gate_shexp.weight",
       {sharedInner, hidden},
       when::sharedExpert},
      {SharedUp,
       "mlp.shared_expert.up_proj.weight",
       "ffn_up_shexp.weight",
       {sharedInner, hidden},
       when::sharedExpert},
      {SharedDown,
       "mlp.shared_expert.down_proj.weight",
       "ffn_down_shexp.weight",
       {hidden, sharedInner},
       when::sharedExpert},
      {SharedExpertGate,
       "mlp.shared_expert_gate.weight",
       "ffn_gate_inp_shexp.weight",
       {one, hidden},
       when::sharedExpert},
  };
}

std::vector<LayerTensor> joined(std::initializer_list<std::vector<LayerTensor>> groups) {
  std::vector<LayerTensor> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace tensors

}  // namespace plastiscope

namespace plastiscope::tensors {

// ---- The tensors of recurrences and of the attention beside them, as several families name them.

using namespace sizes;
using enum TensorRole;

std::vector<LayerTensor> gatedAttention(float hfOffset) {
  std::vector<LayerTensor> all = joined({attention(), attentionBiases(), headNorms(hfOffset)});
  for (LayerTensor& tensor : all) {
    if (tensor.role == Query) tensor.role = QueryGate, tensor.shape = {twoQueryRows, hidden};
    if (tensor.role == QueryBias) tensor.shape = {twoQueryRows};
  }
  return all;
}

// Safetensors files keep the convolution as one filter a channel: [channels, 1, kernel].
std::vector<LayerTensor> deltaNet() {
  return {
      {StateConvolution, "linear_attn.conv1d.weight", "", {stateChannels, one, stateKernel}, when::recurs},
      {StateConvolution, "", "ssm_conv1d.weight", {stateChannels, stateKernel}, when::recurs},
      {StateDecayLog, "linear_attn.A_log", "", {stateHeads}, when::recurs},
      {StateDecay, "", "ssm_a", {stateHeads}, when::recurs},
      {StateStepBias, "linear_attn.dt_bias", "ssm_dt.bias", {stateHeads}, when::recurs},
      {StateNorm, "linear_attn.norm.weight", "ssm_norm.weight", {stateNormed}, when::recurs},
      {StateOutput, "linear_attn.out_proj.weight", "ssm_out.weight", {hidden, stateValueRows}, when::recurs},
  };
}

std::vector<LayerTensor> mamba2() {
  return {
      {StateInput, "mamba.in_proj.weight", "ssm_in.weight", {stateInputRows, hidden}, when::recurs},
      {StateConvolution, "mamba.conv1d.weight", "", {stateChannels, one, stateKernel}, when::recurs},
      {StateConvolution, "", "ssm_conv1d.weight", {stateChannels, stateKernel}, when::recurs},
      {StateConvolutionBias, "mamba.conv1d.bias", "ssm_conv1d.bias", {stateChannels}, when::convolutionBias},
      {StateDecayLog, "mamba.A_log", "", {stateHeads}, when::recurs},
      {StateDecay, "", "ssm_a", {stateHeads, one}, when::recurs},
      {StateStepBias, "mamba.dt_bias", "ssm_dt.bias", {stateHeads}, when::recurs},
      {StateSkip, "mamba.D", "", {stateHeads}, when::recurs},
      {StateSkip, "", "ssm_d", {stateHeads, one}, when::recurs},
      {StateNorm, "mamba.norm.weight", "", {stateValueRows}, when::recurs},
      {StateNorm, "", "ssm_norm.weight", {stateNormGroups, stateNormed}, when::recurs},
      {StateOutput, "mamba.out_proj.weight", "ssm_out.weight", {hidden, stateValueRows}, when::recurs},
  };
}

}  // namespace plastiscope::tensors
