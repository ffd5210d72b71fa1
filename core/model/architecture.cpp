#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/model/architecture.h"

namespace plastiscope {

#define ARCHITECTURE(name) Architecture name();
#include "core/model/architectures/list.inc"
#undef ARCHITECTURE

namespace {
const Architecture* findBy(std::vector<std::string> Architecture::*names, const std::string& wanted) {
  for (const Architecture& architecture : architectures()) {
    if (std::ranges::count(architecture.*names, wanted) > 0) return &architecture;
  }
  return nullptr;
}
}  // namespace

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> kAll = {
#define ARCHITECTURE(name) name(),
#include "core/model/architectures/list.inc"
#undef ARCHITECTURE
  };
  return kAll;
}

Architecture family(std::string name, const std::string& classPrefix, std::vector<std::string> ggufNames) {
  Architecture a;
  a.modelTypes = {name};
  a.classes = {classPrefix + "ForCausalLM", classPrefix + "Model"};
  a.ggufNames = std::move(ggufNames);
  a.name = std::move(name);
  return a;
}

const Architecture* architectureOfModelType(const std::string& modelType) {
  return findBy(&Architecture::modelTypes, modelType);
}
const Architecture* architectureOfClass(const std::string& className) {
  return findBy(&Architecture::classes, className);
}
const Architecture* architectureOfGguf(const std::string& name,
                                       const std::function<bool(const std::string&)>& isSet) {
  const Architecture* plain = nullptr;
  for (const Architecture& architecture : architectures()) {
    if (std::ranges::count(architecture.ggufNames, name) == 0) continue;
    if (architecture.ggufMark.empty()) {
      plain = &architecture;
    } else if (isSet(architecture.ggufMark)) {
      return &architecture;
    }
  }
  return plain;
}

Json withDefaults(Json values, const ConfigDefaults& defaults) {
  for (const auto& [key, value] : defaults) {
    if (!values.contains(key)) std::visit([&](const auto& given) { values[key] = given; }, value);
  }
  return values;
}

ConfigDefaults classKeys(const char* json) {
  const Json all = Json::parse(json);
  ConfigDefaults keys;
  for (const auto& [name, value] : all.items()) {
    const bool marked = name.back() == '?';
    ConfigDefault& entry = keys[name.substr(0, name.size() - (marked ? 1 : 0))];
    if (value.is_boolean()) entry = value.get<bool>();
    if (value.is_number_integer()) entry = value.get<std::int64_t>();
    if (value.is_number_float()) entry = value.get<double>();
    if (value.is_string()) entry = value.get<std::string>();
    entry.mayBeNull = marked || value.is_null();
  }
  return keys;
}

void refuseArchitecture(const std::filesystem::path& file, const std::string& place,
                        const std::string& found) {
  throw InputError({file, place, "one of " + joined(architectures(), &Architecture::name),
                    found + "; ps.record of the Python package records queries and keys of any model that "
                            "transformers runs"});
}

// ---- Groups of tensors shared by most architecture files.

namespace tensors {

using namespace sizes;
using enum TensorRole;

namespace {

// Permuted rows in GGUF files.
std::vector<LayerTensor> withPermutedRows(bool permuted, std::vector<LayerTensor> group) {
  for (LayerTensor& tensor : group) {
    if (!permuted) continue;
    if (tensor.role == Query || tensor.role == QueryBias) tensor.ggufPermutedHeads = queryHeads;
    if (tensor.role == Key || tensor.role == KeyBias) tensor.ggufPermutedHeads = keyHeads;
  }
  return group;
}

}  // namespace

std::vector<LayerTensor> attention(bool permuted) {
  return withPermutedRows(
      permuted,
      {
          {Query, "self_attn.q_proj.weight", "attn_q.weight", {queryRows, hidden}, when::attends},
          {Key, "self_attn.k_proj.weight", "attn_k.weight", {keyRows, hidden}, when::attends},
          {Value, "self_attn.v_proj.weight", "attn_v.weight", {keyRows, hidden}, when::attends},
          {Output, "self_attn.o_proj.weight", "attn_output.weight", {hidden, queryRows}, when::attends},
      });
}

std::vector<LayerTensor> attentionBiases(bool permuted) {
  return withPermutedRows(
      permuted, {
                    {QueryBias, "self_attn.q_proj.bias", "attn_q.bias", {queryRows}, when::attentionBias},
                    {KeyBias, "self_attn.k_proj.bias", "attn_k.bias", {keyRows}, when::attentionBias},
                    {ValueBias, "self_attn.v_proj.bias", "attn_v.bias", {keyRows}, when::attentionBias},
                    {OutputBias, "self_attn.o_proj.bias", "attn_output.bias", {hidden}, when::outputBias},
                });
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

std::vector<LayerTensor> llamaBlock(bool permuted) {
  return joined({preNorms(), attention(permuted), attentionBiases(permuted), mlp()});
}

std::vector<LayerTensor> fusedMlp() {
  return {
      {GateUp, "mlp.gate_up_proj.weight", "ffn_up.weight", {twoIntermediate, hidden}},
      {Down, "mlp.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
  };
}

std::vector<LayerTensor> plainMlp(const UpAndDown& names) {
  return {
      {Up, names.up, "ffn_up.weight", {intermediate, hidden}},
      {UpBias, names.upBias, "ffn_up.bias", {intermediate}, when::mlpBias},
      {Down, names.down, "ffn_down.weight", {hidden, intermediate}},
      {DownBias, names.downBias, "ffn_down.bias", {hidden}, when::mlpBias},
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

std::vector<LayerTensor> preNormBiases() {
  return {
      {InputNormBias, "input_layernorm.bias", "attn_norm.bias", {hidden}},
      {MlpNormBias, "post_attention_layernorm.bias", "ffn_norm.bias", {hidden}},
  };
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
  return only(
      when::experts,
      {
          {Router, "mlp.gate.weight", "ffn_gate_inp.weight", {experts, hidden}},
          {ExpertGate, "mlp.experts.*.gate_proj.weight", "ffn_gate_exps.weight", {expertInner, hidden}},
          {ExpertUp, "mlp.experts.*.up_proj.weight", "ffn_up_exps.weight", {expertInner, hidden}},
          {ExpertDown, "mlp.experts.*.down_proj.weight", "ffn_down_exps.weight", {hidden, expertInner}},
      });
}

std::vector<LayerTensor> mixtralExperts() {
  return {
      {Router, "block_sparse_moe.gate.weight", "ffn_gate_inp.weight", {experts, hidden}},
      {ExpertGate, "block_sparse_moe.experts.*.w1.weight", "ffn_gate_exps.weight", {expertInner, hidden}},
      {ExpertUp, "block_sparse_moe.experts.*.w3.weight", "ffn_up_exps.weight", {expertInner, hidden}},
      {ExpertDown, "block_sparse_moe.experts.*.w2.weight", "ffn_down_exps.weight", {hidden, expertInner}},
  };
}

std::vector<LayerTensor> sharedExperts() {
  return only(
      when::sharedExpert,
      {
          {SharedGate, "mlp.shared_experts.gate_proj.weight", "ffn_gate_shexp.weight", {sharedInner, hidden}},
          {SharedUp, "mlp.shared_experts.up_proj.weight", "ffn_up_shexp.weight", {sharedInner, hidden}},
          {SharedDown, "mlp.shared_experts.down_proj.weight", "ffn_down_shexp.weight", {hidden, sharedInner}},
      });
}

std::vector<LayerTensor> sharedExpert() {
  return only(
      when::sharedExpert,
      {
          {SharedGate, "mlp.shared_expert.gate_proj.weight", "ffn_gate_shexp.weight", {sharedInner, hidden}},
          {SharedUp, "mlp.shared_expert.up_proj.weight", "ffn_up_shexp.weight", {sharedInner, hidden}},
          {SharedDown, "mlp.shared_expert.down_proj.weight", "ffn_down_shexp.weight", {hidden, sharedInner}},
          {SharedExpertGate, "mlp.shared_expert_gate.weight", "ffn_gate_inp_shexp.weight", {one, hidden}},
      });
}

std::vector<LayerTensor> only(Applies applies, std::vector<LayerTensor> group) {
  for (LayerTensor& tensor : group) {
    if (tensor.applies == nullptr) tensor.applies = applies;
  }
  return group;
}

std::vector<LayerTensor> joined(std::initializer_list<std::vector<LayerTensor>> groups) {
  std::vector<LayerTensor> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

// ---- Tensors of recurrences and of gated attention under common names.

std::vector<LayerTensor> gatedAttention(float hfOffset) {
  std::vector<LayerTensor> all = joined({attention(), attentionBiases(), headNorms(hfOffset)});
  for (LayerTensor& tensor : all) {
    if (tensor.role == Query) tensor.role = QueryGate, tensor.shape = {twoQueryRows, hidden};
    if (tensor.role == QueryBias) tensor.shape = {twoQueryRows};
  }
  return all;
}

std::vector<LayerTensor> latentAttention() {
  constexpr Applies direct = [](const ModelSpec& m, const LayerSpec&) { return m.latent.queryRank == 0; };
  constexpr Applies narrowed = [](const ModelSpec& m, const LayerSpec&) { return m.latent.queryRank > 0; };
  constexpr Applies joint = [](const ModelSpec& m, const LayerSpec&) { return !m.latent.separateKeyValue; };
  constexpr Applies separate = [](const ModelSpec& m, const LayerSpec&) { return m.latent.separateKeyValue; };
  std::vector<LayerTensor> all = {
      {Query, "self_attn.q_proj.weight", "attn_q.weight", {queryRows, hidden}, direct},
      {QueryDown, "self_attn.q_a_proj.weight", "attn_q_a.weight", {queryRank, hidden}, narrowed},
      {QueryDownNorm, "self_attn.q_a_layernorm.weight", "attn_q_a_norm.weight", {queryRank}, narrowed},
      {QueryUp, "self_attn.q_b_proj.weight", "attn_q_b.weight", {queryRows, queryRank}, narrowed},
      {LatentDown, "self_attn.kv_a_proj_with_mqa.weight", "attn_kv_a_mqa.weight", {latentDownRows, hidden}},
      {LatentNorm, "self_attn.kv_a_layernorm.weight", "attn_kv_a_norm.weight", {latentRank}},
      {LatentUp, "self_attn.kv_b_proj.weight", "attn_kv_b.weight", {latentUpRows, latentRank}, joint},
      {LatentKeyUp, "", "attn_k_b.weight", {queryHeads, latentRank, nopeDim}, separate},
      {LatentValueUp, "", "attn_v_b.weight", {queryHeads, latentValueDim, latentRank}, separate},
      {Output, "self_attn.o_proj.weight", "attn_output.weight", {hidden, latentValueRows}},
  };
  for (LayerTensor& tensor : all) {
    if (tensor.role == Query || tensor.role == QueryUp) tensor.pairedHeads = pairedQueryHeads;
    if (tensor.role == LatentDown) tensor.pairedHeads = pairedKeyHeads;
  }
  return all;
}

// In safetensors files the convolution is [channels, 1, kernel].
std::vector<LayerTensor> deltaNet() {
  return only(when::recurs,
              {
                  {StateConvolution, "linear_attn.conv1d.weight", "", {stateChannels, one, stateKernel}},
                  {StateConvolution, "", "ssm_conv1d.weight", {stateChannels, stateKernel}},
                  {StateDecayLog, "linear_attn.A_log", "", {stateHeads}},
                  {StateDecay, "", "ssm_a", {stateHeads}},
                  {StateStepBias, "linear_attn.dt_bias", "ssm_dt.bias", {stateHeads}},
                  {StateNorm, "linear_attn.norm.weight", "ssm_norm.weight", {stateNormed}},
                  {StateOutput, "linear_attn.out_proj.weight", "ssm_out.weight", {hidden, stateValueRows}},
              });
}

std::vector<LayerTensor> mamba2() {
  return only(when::recurs,
              {
                  {StateInput, "mamba.in_proj.weight", "ssm_in.weight", {stateInputRows, hidden}},
                  {StateConvolution, "mamba.conv1d.weight", "", {stateChannels, one, stateKernel}},
                  {StateConvolution, "", "ssm_conv1d.weight", {stateChannels, stateKernel}},
                  {StateConvolutionBias,
                   "mamba.conv1d.bias",
                   "ssm_conv1d.bias",
                   {stateChannels},
                   when::convolutionBias},
                  {StateDecayLog, "mamba.A_log", "", {stateHeads}},
                  {StateDecay, "", "ssm_a", {stateHeads, one}},
                  {StateStepBias, "mamba.dt_bias", "ssm_dt.bias", {stateHeads}},
                  {StateSkip, "mamba.D", "", {stateHeads}},
                  {StateSkip, "", "ssm_d", {stateHeads, one}},
                  {StateNorm, "mamba.norm.weight", "", {stateValueRows}, when::recurrenceNorm},
                  {StateNorm, "", "ssm_norm.weight", {stateNormGroups, stateNormed}, when::recurrenceNorm},
                  {StateOutput, "mamba.out_proj.weight", "ssm_out.weight", {hidden, stateValueRows}},
              });
}

}  // namespace tensors

}  // namespace plastiscope
