#include "core/model/recurrence_rules.h"

#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostHeads = 1 << 12;
constexpr std::int64_t kMostHeadDim = 1 << 12;
constexpr std::int64_t kMostKernel = 1 << 8;
constexpr std::int64_t kMostRows = 1 << 22;

void requireDivisor(const ConfigValues& values, const std::string& key, std::int64_t divisor,
                    std::int64_t whole) {
  if (whole % divisor != 0)
    values.refuse(key, "a divisor of " + std::to_string(whole), std::to_string(divisor));
}

// Steps of any length: [0, Infinity], which JSON can only write as text or as an object.
void requireFreeSteps(const ConfigValues& values) {
  const Json* limit = values.find("time_step_limit");
  if (limit == nullptr) return;
  if (!limit->is_array() || limit->size() != 2 || limit->front() != 0 || limit->back().is_number())
    values.refuse("time_step_limit", "[0, Infinity]", shortText(*limit));
}

}  // namespace

void readDeltaNet(ModelSpec& spec, const ConfigValues& values) {
  RecurrenceSpec& r = spec.recurrence;
  r.deltaRule = true;
  r.keyHeads = values.integer("linear_num_key_heads", 1, kMostHeads);
  r.heads = values.integer("linear_num_value_heads", 1, kMostHeads);
  requireDivisor(values, "linear_num_key_heads", r.keyHeads, r.heads);
  r.keyDim = values.integer("linear_key_head_dim", 1, kMostHeadDim);
  // GGUF files give the values of all heads together.
  const std::int64_t rows = values.integerOr("linear_value_rows", 0, 1, kMostRows);
  if (rows > 0) requireDivisor(values, "linear_num_value_heads", r.heads, rows);
  r.valueDim = rows > 0 ? rows / r.heads : values.integer("linear_value_head_dim", 1, kMostHeadDim);
  r.kernel = values.integer("linear_conv_kernel_dim", 1, kMostKernel);
  r.cyclicKeys = values.flagOr("cyclic_key_heads", false);
  r.normedTogether = r.valueDim;
}

std::vector<std::pair<std::string, std::string>> deltaNetGgufKeys() {
  return {{"full_attention_interval", "full_attention_interval"},
          {"ssm.conv_kernel", "linear_conv_kernel_dim"},
          {"ssm.state_size", "linear_key_head_dim"},
          {"ssm.group_count", "linear_num_key_heads"},
          {"ssm.time_step_rank", "linear_num_value_heads"},
          {"ssm.inner_size", "linear_value_rows"}};
}

ConfigDefaults deltaNetDefaults() {
  return {{"linear_conv_kernel_dim", 4},
          {"linear_key_head_dim", 128},
          {"linear_value_head_dim", 128},
          {"linear_num_key_heads", 16},
          {"linear_num_value_heads", 32}};
}

void readMamba2(ModelSpec& spec, const ConfigValues& values) {
  requireFreeSteps(values);
  RecurrenceSpec& r = spec.recurrence;
  r.heads = values.integer("mamba_n_heads", 1, kMostHeads);
  r.keyHeads = values.integer("mamba_n_groups", 1, kMostHeads);
  requireDivisor(values, "mamba_n_groups", r.keyHeads, r.heads);
  r.keyDim = values.integer("mamba_d_state", 1, kMostHeadDim);
  const std::int64_t rows = values.find("mamba_d_ssm") != nullptr
                                ? values.integer("mamba_d_ssm", 1, kMostRows)
                                : values.integer("mamba_expand", 1, 64) * spec.hidden;
  requireDivisor(values, "mamba_n_heads", r.heads, rows);
  r.valueDim = rows / r.heads;
  const Json* given = values.find("mamba_d_head");
  if (given != nullptr && *given != "auto" && *given != r.valueDim)
    values.refuse("mamba_d_head", std::to_string(r.valueDim) + " or \"auto\"", shortText(*given));
  r.kernel = values.integer("mamba_d_conv", 1, kMostKernel);
  r.convolutionBias = values.flagOr("mamba_conv_bias", true);
  r.gateFirst = true;
  r.normedTogether = rows / r.keyHeads;
}

}  // namespace plastiscope
