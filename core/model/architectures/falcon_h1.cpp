// Falcon-H1: attention and Mamba 2 in parallel in every layer, on one norm; factors on their inputs and
// outputs.
#include <algorithm>
#include <vector>

#include "core/base/json.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

constexpr double kMaxMultiplier = 1e9;

std::vector<double> factorsOf(const CheckedJson& values, const std::string& key, std::size_t count) {
  if (!values.has(key)) return std::vector<double>(count, 1);
  const CheckedJson list = values.child(key);
  std::vector<double> factors;
  for (const CheckedJson& factor : list.items())
    factors.push_back(factor.asNumber(-kMaxMultiplier, kMaxMultiplier));
  if (factors.size() != count) list.refuse(std::to_string(count) + " numbers");
  return factors;
}

void readFalconFactors(ModelSpec& spec, const CheckedJson& values) {
  const auto factor = [&](const std::string& key) {
    return values.numberOr(key, 1, -kMaxMultiplier, kMaxMultiplier);
  };
  Multipliers& all = spec.multipliers;
  spec.embeddingScale = factor("embedding_multiplier");
  spec.logitScale = factor("lm_head_multiplier");
  all.attentionIn = factor("attention_in_multiplier");
  all.key = factor("key_multiplier");
  all.attentionOut = factor("attention_out_multiplier");
  all.recurrenceIn = factor("ssm_in_multiplier");
  all.recurrenceOut = factor("ssm_out_multiplier");
  std::ranges::copy(factorsOf(values, "ssm_multipliers", all.recurrence.size()), all.recurrence.begin());
  const std::vector<double> mlp = factorsOf(values, "mlp_multipliers", 2);
  all.mlpGate = mlp[0];
  all.mlpOut = mlp[1];
}

void readFalconH1(ModelSpec& spec, const CheckedJson& values) {
  for (const char* key : {"attention_bias", "mlp_bias", "projectors_bias", "mamba_proj_bias"}) {
    if (values.flagOr(key, false)) values.refuse(key, "no biases in this architecture", "true");
  }
  readFalconFactors(spec, values);
  readMamba2(spec, values);
  spec.recurrence.gateFirst = !values.flagOr("mamba_norm_before_gate", false);
  if (!values.flagOr("mamba_rms_norm", false)) spec.recurrence.normedTogether = 0;
  for (LayerSpec& layer : spec.layers) layer.recurrence = true;
}

// Factors that GGUF files have already applied.
std::vector<RowScale> falconScales(const ModelSpec& spec, TensorRole role) {
  const Multipliers& m = spec.multipliers;
  switch (role) {
    case TensorRole::Query:
    case TensorRole::Value:
      return {{0, m.attentionIn}};
    case TensorRole::Key:
      return {{0, m.attentionIn * m.key}};
    case TensorRole::Output:
      return {{0, m.attentionOut}};
    case TensorRole::StateInput: {
      const std::int64_t values = spec.recurrence.valueRows(), keys = spec.recurrence.keyRows();
      std::vector<RowScale> scales = {{values}, {values}, {keys}, {keys}, {0}};
      for (std::size_t i = 0; i < scales.size(); ++i) scales[i].factor = m.recurrenceIn * m.recurrence[i];
      return scales;
    }
    case TensorRole::StateOutput:
      return {{0, m.recurrenceOut}};
    case TensorRole::Gate:
      return {{0, m.mlpGate}};
    case TensorRole::Down:
      return {{0, m.mlpOut}};
    default:
      return {};
  }
}

}  // namespace

Architecture falcon_h1() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("falcon_h1", "FalconH1", {"falcon-h1"});
  a.ggufKeys = {{"ssm.conv_kernel", "mamba_d_conv"},
                {"ssm.state_size", "mamba_d_state"},
                {"ssm.group_count", "mamba_n_groups"},
                {"ssm.time_step_rank", "mamba_n_heads"},
                {"ssm.inner_size", "mamba_d_ssm"}};
  a.ggufDefaults = {{"mamba_norm_before_gate", false}};
  a.defaults = classKeys(R"({"num_key_value_heads?": 8, "hidden_act": "silu", "max_position_embeddings": 8192,
      "rms_norm_eps": 1e-5, "attention_bias": false, "mlp_bias": false, "projectors_bias?": false,
      "mamba_proj_bias?": false, "mamba_d_ssm?": 1024, "mamba_n_heads": 128, "mamba_n_groups": 1,
      "mamba_d_state": 256, "mamba_d_head": "auto", "mamba_d_conv": 4, "mamba_expand?": 2,
      "mamba_conv_bias?": true, "mamba_norm_before_gate?": true, "mamba_rms_norm?": false,
      "time_step_limit": null, "embedding_multiplier": 1.0, "lm_head_multiplier": 1.0,
      "attention_in_multiplier": 1.0, "key_multiplier": 1.0, "attention_out_multiplier": 1.0,
      "ssm_in_multiplier": 1.0, "ssm_out_multiplier": 1.0, "mlp_multipliers": null,
      "ssm_multipliers": null})");
  a.ignored.insert(a.ignored.end(), {"final_layernorm.weight"});
  a.hfScales = falconScales;
  a.layerTensors =
      tensors::joined({tensors::attention(),
                       tensors::mamba2(),
                       {
                           {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
                           {MlpNorm, "pre_ff_layernorm.weight", "ffn_norm", {hidden}},
                           {Gate, "feed_forward.gate_proj.weight", "ffn_gate.weight", {intermediate, hidden}},
                           {Up, "feed_forward.up_proj.weight", "ffn_up.weight", {intermediate, hidden}},
                           {Down, "feed_forward.down_proj.weight", "ffn_down.weight", {hidden, intermediate}},
                       }});
  a.completeSpec = readFalconH1;
  return a;
}

}  // namespace plastiscope
