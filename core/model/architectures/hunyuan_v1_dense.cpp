// Hunyuan (dense): queries and keys of each head are normed after the rotation.
#include <cmath>

#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

// "dynamic" with `alpha` is a fixed stretch of the base, whatever the length of the text.
void readNtkAlpha(ModelSpec& spec, const ConfigValues& values) {
  spec.queryKeyNorm.afterRope = true;
  const ConfigValues rope = ropeValues(values);
  const double alpha = rope.numberOr("alpha", 0, 0, 1e12);
  RopeSpec& only = spec.ropes.front();
  if (alpha <= 0 || only.kind != "dynamic") return;
  const auto width = static_cast<double>(spec.headDim);
  only.kind = "default";
  only.theta *= std::pow(alpha, width / (width - 2));
}

}  // namespace

Architecture hunyuan_v1_dense() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "hunyuan_v1_dense";
  a.modelTypes = {"hunyuan_v1_dense"};
  a.classes = {"HunYuanDenseV1ForCausalLM", "HunYuanDenseV1Model"};
  a.ggufNames = {"hunyuan-dense"};
  a.defaults = {{"hidden_act", "silu"}, {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-5}};
  a.layerTensors =
      tensors::joined({tensors::preNorms(),
                       tensors::attention(),
                       tensors::attentionBiases(),
                       tensors::mlp(),
                       {
                           {QueryNorm, "self_attn.query_layernorm.weight", "attn_q_norm.weight", {headDim}},
                           {KeyNorm, "self_attn.key_layernorm.weight", "attn_k_norm.weight", {headDim}},
                       }});
  a.ropeKeys = {"alpha"};
  a.completeSpec = readNtkAlpha;
  return a;
}

}  // namespace plastiscope
