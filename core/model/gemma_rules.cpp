#include "core/model/gemma_rules.h"

#include <cmath>

#include "core/base/json.h"

namespace plastiscope {

std::vector<LayerTensor> gemmaNorms() {
  using namespace sizes;
  using enum TensorRole;
  std::vector<LayerTensor> norms = {
      {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
      {MlpNorm, "pre_feedforward_layernorm.weight", "ffn_norm.weight", {hidden}},
  };
  norms = tensors::joined({norms, tensors::postNorms()});
  for (LayerTensor& norm : norms) norm.hfOffset = 1;
  return norms;
}

void readGemma(ModelSpec& spec, const ConfigValues& values, std::int64_t largestLayers) {
  spec.norm.wide = true;
  spec.embeddingScale = std::sqrt(static_cast<double>(spec.hidden));
  const std::int64_t usual = spec.layerCount == largestLayers ? spec.hidden / spec.queryHeads : spec.headDim;
  spec.scoreScale =
      1 / std::sqrt(values.numberOr("query_pre_attn_scalar", static_cast<double>(usual), 1e-6, 1e9));
  const Json* both = values.find("use_bidirectional_attention");
  if (both != nullptr && *both == true)
    values.refuse("use_bidirectional_attention", "causal attention", "attention in both directions");
}

}  // namespace plastiscope
