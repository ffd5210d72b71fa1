#include "core/model/layer_rules.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxTokens = std::int64_t{1} << 40;

// Values of `layer_types`.
const std::map<std::string, AttentionKind>& kindNames() {
  static const std::map<std::string, AttentionKind> kNames = {
      {"full_attention", AttentionKind::Full},
      {"attention", AttentionKind::Full},
      {"sliding_attention", AttentionKind::Sliding},
      {"chunked_attention", AttentionKind::Chunked},
      {"linear_attention", AttentionKind::Linear},
      {"mamba", AttentionKind::Linear},
      {"conv", AttentionKind::Linear},
  };
  return kNames;
}

// Flags of a GGUF file: one per layer, or one for all; empty when absent.
std::vector<std::int64_t> layerFlags(const ModelSpec& spec, const CheckedJson& values,
                                     const std::string& key) {
  const Json* flags = values.find(key);
  if (flags == nullptr) return {};
  const bool same = flags->is_boolean();
  const auto list = same ? std::vector<std::int64_t>(spec.layers.size(), flags->get<bool>() ? 1 : 0)
                         : values.integersOr(key, {}, 0, 1);
  if (list.size() < spec.layers.size()) {
    values.refuse(key, std::to_string(spec.layers.size()) + " flags, one per layer",
                  std::to_string(list.size()));
  }
  return list;
}

bool readWindowedLayers(ModelSpec& spec, const CheckedJson& values, std::int64_t window) {
  const auto flags = layerFlags(spec, values, "windowed_layers");
  if (flags.empty()) return false;
  slideLayers(spec, window, [&](std::int64_t layer) { return flags[static_cast<std::size_t>(layer)] == 1; });
  return true;
}

}  // namespace

std::int64_t slidingWindow(const CheckedJson& values) {
  return values.integerOr("sliding_window", 0, 0, kMaxTokens);
}

std::int64_t switchedWindow(const CheckedJson& values) {
  return values.flagOr("use_sliding_window", false) ? slidingWindow(values) : 0;
}

void readSlidingLayers(ModelSpec& spec, const CheckedJson& values, std::int64_t interval) {
  const std::int64_t window = slidingWindow(values);
  if (readLayerTypes(spec, values, window)) return;
  if (window == 0 && interval > 1)
    values.refuse("sliding_window", "a window, which some layers have", "none");
  slideLayers(spec, window, [&](std::int64_t layer) { return interval == 0 || (layer + 1) % interval != 0; });
}

void readSlidingLayers(ModelSpec& spec, const CheckedJson& values, const std::string& intervalKey) {
  const bool listed = values.has("layer_types") || values.has("windowed_layers");
  readSlidingLayers(spec, values, listed ? 0 : values.integer(intervalKey, 1, 1 << 20));
}

void slideAllLayers(ModelSpec& spec, const CheckedJson& values) {
  slideLayers(spec, slidingWindow(values), [](std::int64_t) { return true; });
}

void readSwitchedWindows(ModelSpec& spec, const CheckedJson& values) {
  const std::int64_t window = switchedWindow(values);
  if (readLayerTypes(spec, values, window)) return;
  const std::int64_t first = values.integer("max_window_layers", 0, 1 << 20);
  slideLayers(spec, window, [first](std::int64_t layer) { return layer >= first; });
}

bool readLayerTypes(ModelSpec& spec, const CheckedJson& values, std::int64_t window,
                    std::initializer_list<AttentionKind> supported) {
  const std::vector<std::string> types = values.textsOr("layer_types", {});
  if (types.empty()) return readWindowedLayers(spec, values, window);
  if (types.size() < spec.layers.size()) {
    values.refuse("layer_types", std::to_string(spec.layers.size()) + " types, one per layer",
                  std::to_string(types.size()));
  }
  for (std::size_t layer = 0; layer < spec.layers.size(); ++layer) {
    const auto found = kindNames().find(types[layer]);
    const bool known = found != kindNames().end() &&
                       std::find(supported.begin(), supported.end(), found->second) != supported.end();
    if (!known) {
      std::string names;
      for (const auto& [name, kind] : kindNames()) {
        if (std::find(supported.begin(), supported.end(), kind) != supported.end())
          names += (names.empty() ? "" : ", ") + name;
      }
      values.refuse("layer_types", "only " + names + " in this architecture", "\"" + types[layer] + "\"");
    }
    LayerSpec& one = spec.layers[layer];
    one.attention = found->second;
    const bool windowed = one.attention == AttentionKind::Sliding || one.attention == AttentionKind::Chunked;
    if (windowed && window <= 0) {
      values.refuse("layer_types", "no windowed layers, because the file gives no window",
                    "\"" + types[layer] + "\" for layer " + std::to_string(layer));
    }
    one.window = windowed ? window : 0;
  }
  return true;
}

void readRecurrentLayers(ModelSpec& spec, const CheckedJson& values, const std::string& intervalKey) {
  if (!readLayerTypes(spec, values, 0, {AttentionKind::Full, AttentionKind::Linear})) {
    const auto flags = layerFlags(spec, values, "recurrent_layers");
    const std::int64_t interval =
        intervalKey.empty() || !flags.empty() ? 0 : values.integer(intervalKey, 1, 1 << 20);
    for (std::size_t layer = 0; layer < spec.layers.size(); ++layer) {
      const bool full = interval > 0 && (static_cast<std::int64_t>(layer) + 1) % interval == 0;
      const bool recurrent = flags.empty() ? !full : flags[layer] == 1;
      spec.layers[layer].attention = recurrent ? AttentionKind::Linear : AttentionKind::Full;
    }
  }
  for (LayerSpec& layer : spec.layers) layer.recurrence = layer.attention == AttentionKind::Linear;
}

void readRopeLayers(ModelSpec& spec, const CheckedJson& values, std::int64_t interval) {
  const std::vector<std::int64_t> flags = values.integersOr("no_rope_layers", {}, 0, 1);
  if (!flags.empty() && flags.size() < spec.layers.size()) {
    values.refuse("no_rope_layers", std::to_string(spec.layers.size()) + " numbers, one per layer",
                  std::to_string(flags.size()));
  }
  for (std::size_t layer = 0; layer < spec.layers.size(); ++layer) {
    const bool everyNth = interval > 0 && (static_cast<std::int64_t>(layer) + 1) % interval == 0;
    spec.layers[layer].rope = flags.empty() ? !everyNth : flags[layer] == 1;
  }
}

void interleaveRope(ModelSpec& spec) {
  for (RopeSpec& rope : spec.ropes) rope.interleaved = true;
}

void computeRopeInFloat32(ModelSpec& spec) {
  for (RopeSpec& rope : spec.ropes) rope.computeInFloat32 = true;
}

CheckedJson ropeValues(const CheckedJson& values) {
  return values.object("rope_parameters");
}

void readMultipliers(ModelSpec& spec, const CheckedJson& values) {
  constexpr double kMaximum = 1e9;
  spec.embeddingScale = values.numberOr("embedding_multiplier", 1, 0, kMaximum);
  spec.residualScale = values.numberOr("residual_multiplier", 1, 0, kMaximum);
  spec.scoreScale = values.numberOr("attention_multiplier", 1, 0, kMaximum);
  spec.logitScale = 1 / values.numberOr("logits_scaling", 1, 1e-9, kMaximum);
}

namespace {

std::int64_t expertCount(const CheckedJson& values) {
  for (const char* key : {"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}) {
    if (values.has(key)) return values.integer(key, 1, kMaxExperts);
  }
  return values.integer("num_experts", 1, kMaxExperts);
}

// A list has a number for each layer, which must be the same.
std::int64_t expertsUsed(const CheckedJson& values, std::int64_t most) {
  for (const char* key : {"moe_k", "moe_topk"}) {
    const Json* given = values.find(key);
    if (given == nullptr || values.has("num_experts_per_tok")) continue;
    if (!given->is_array()) return values.integer(key, 1, most);
    const auto list = values.integersOr(key, {}, 1, most);
    if (list.empty() || std::ranges::count(list, list.front()) != std::ssize(list))
      values.refuse(key, "the same number in every layer", shortJson(*given));
    return list.front();
  }
  return values.integer("num_experts_per_tok", 1, most);
}

}  // namespace

void readExperts(ModelSpec& spec, const CheckedJson& values) {
  ExpertSpec& experts = spec.experts;
  experts.count = expertCount(values);
  experts.used = expertsUsed(values, experts.count);
  experts.inner = values.integerOr("moe_intermediate_size", spec.intermediate, 1, kMaxInner);
  for (LayerSpec& layer : spec.layers) layer.experts = true;
}

void readGroups(ModelSpec& spec, const CheckedJson& values) {
  ExpertSpec& experts = spec.experts;
  experts.groups = values.integerOr("n_group", 1, 1, experts.count);
  experts.usedGroups = values.integerOr("topk_group", 1, 1, experts.groups);
  if (experts.count % experts.groups != 0)
    values.refuse("n_group", "a divisor of " + std::to_string(experts.count), std::to_string(experts.groups));
}

void readSharedExperts(ModelSpec& spec, const CheckedJson& values) {
  spec.experts.sharedInner = spec.experts.inner * values.integerOr("n_shared_experts", 1, 0, 1 << 10);
  const std::int64_t dense = values.integerOr("first_k_dense_replace", 1, 0, 1 << 20);
  for (std::int64_t layer = 0; layer < std::min(dense, spec.layerCount); ++layer)
    spec.layers[static_cast<std::size_t>(layer)].experts = false;
}

void readGroupedExperts(ModelSpec& spec, const CheckedJson& values) {
  readExperts(spec, values);
  ExpertSpec& experts = spec.experts;
  experts.score = RouterScore::Sigmoid;
  experts.routerInFloat32 = true;
  experts.renormalise = values.flagOr("norm_topk_prob", true);
  experts.scale = values.numberOr("routed_scaling_factor", 1, 0, 1e6);
  readGroups(spec, values);
  readSharedExperts(spec, values);
}

void readDenseLayers(ModelSpec& spec, const CheckedJson& values) {
  const std::int64_t step = values.integerOr("decoder_sparse_step", 1, 1, kMaxExperts);
  const auto dense = values.integersOr("mlp_only_layers", {}, 0, kMaxExperts);
  for (std::int64_t layer = 0; layer < spec.layerCount; ++layer) {
    const bool listed = std::find(dense.begin(), dense.end(), layer) != dense.end();
    if (listed || (layer + 1) % step != 0) spec.layers[static_cast<std::size_t>(layer)].experts = false;
  }
}

namespace {

constexpr std::int64_t kMaxStateHeads = 1 << 12;
constexpr std::int64_t kMaxStateDim = 1 << 12;
constexpr std::int64_t kMaxKernel = 1 << 8;
constexpr std::int64_t kMaxRows = 1 << 22;

void requireDivisor(const CheckedJson& values, const std::string& key, std::int64_t divisor,
                    std::int64_t whole) {
  if (whole % divisor != 0)
    values.refuse(key, "a divisor of " + std::to_string(whole), std::to_string(divisor));
}

// Infinity as a number, as a string, or as transformers 5 writes it: {"__float__": "Infinity"}.
bool isEndless(const Json& value) {
  if (value.is_object() && value.size() == 1) return isEndless(value.front());
  return value == "Infinity" || (value.is_number() && std::isinf(value.get<double>()) && value > 0);
}

// Requires unlimited steps: [0, Infinity].
void requireFreeSteps(const CheckedJson& values) {
  const Json* limit = values.find("time_step_limit");
  if (limit == nullptr) return;
  if (!limit->is_array() || limit->size() != 2 || limit->front() != 0 || !isEndless(limit->back()))
    values.child("time_step_limit").refuse("[0, Infinity]");
}

}  // namespace

void readDeltaNet(ModelSpec& spec, const CheckedJson& values) {
  RecurrenceSpec& r = spec.recurrence;
  r.deltaRule = true;
  r.keyHeads = values.integer("linear_num_key_heads", 1, kMaxStateHeads);
  r.heads = values.integer("linear_num_value_heads", 1, kMaxStateHeads);
  requireDivisor(values, "linear_num_key_heads", r.keyHeads, r.heads);
  r.keyDim = values.integer("linear_key_head_dim", 1, kMaxStateDim);
  // GGUF files store the total over all heads.
  const std::int64_t rows = values.integerOr("linear_value_rows", 0, 1, kMaxRows);
  if (rows > 0) requireDivisor(values, "linear_num_value_heads", r.heads, rows);
  r.valueDim = rows > 0 ? rows / r.heads : values.integer("linear_value_head_dim", 1, kMaxStateDim);
  r.kernel = values.integer("linear_conv_kernel_dim", 1, kMaxKernel);
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

void readMamba2(ModelSpec& spec, const CheckedJson& values) {
  requireFreeSteps(values);
  RecurrenceSpec& r = spec.recurrence;
  r.heads = values.integer("mamba_n_heads", 1, kMaxStateHeads);
  r.keyHeads = values.integer("mamba_n_groups", 1, kMaxStateHeads);
  requireDivisor(values, "mamba_n_groups", r.keyHeads, r.heads);
  r.keyDim = values.integer("mamba_d_state", 1, kMaxStateDim);
  const std::int64_t rows = values.has("mamba_d_ssm") ? values.integer("mamba_d_ssm", 1, kMaxRows)
                                                      : values.integer("mamba_expand", 1, 64) * spec.hidden;
  requireDivisor(values, "mamba_n_heads", r.heads, rows);
  r.valueDim = rows / r.heads;
  const Json* given = values.find("mamba_d_head");
  if (given != nullptr && *given != "auto" && *given != r.valueDim)
    values.child("mamba_d_head").refuse(std::to_string(r.valueDim) + " or \"auto\"");
  r.kernel = values.integer("mamba_d_conv", 1, kMaxKernel);
  r.convolutionBias = values.flagOr("mamba_conv_bias", false);
  r.gateFirst = true;
  r.normedTogether = rows / r.keyHeads;
}

}  // namespace plastiscope
