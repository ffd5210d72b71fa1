#include "core/model/expert_rules.h"

#include <algorithm>

namespace plastiscope {

namespace {

constexpr std::int64_t kMostExperts = 1 << 16;
constexpr std::int64_t kMostInner = 1 << 24;

std::int64_t expertCount(const ConfigValues& values) {
  for (const char* key : {"num_experts", "num_local_experts", "n_routed_experts"}) {
    if (values.find(key) != nullptr) return values.integer(key, 1, kMostExperts);
  }
  return values.integer("num_experts", 1, kMostExperts);
}

}  // namespace

void readExperts(ModelSpec& spec, const ConfigValues& values) {
  ExpertSpec& experts = spec.experts;
  experts.count = expertCount(values);
  experts.used = values.integer("num_experts_per_tok", 1, experts.count);
  experts.inner = values.integerOr("moe_intermediate_size", spec.intermediate, 1, kMostInner);
  for (LayerSpec& layer : spec.layers) layer.experts = true;
}

void readDenseLayers(ModelSpec& spec, const ConfigValues& values) {
  const std::int64_t step = values.integerOr("decoder_sparse_step", 1, 1, kMostExperts);
  const auto dense = values.integersOr("mlp_only_layers", {}, 0, kMostExperts);
  for (std::int64_t layer = 0; layer < spec.layerCount; ++layer) {
    const bool listed = std::find(dense.begin(), dense.end(), layer) != dense.end();
    if (listed || (layer + 1) % step != 0) spec.layers[static_cast<std::size_t>(layer)].experts = false;
  }
}

}  // namespace plastiscope
