// OLMo 2: norms after each part only, and one norm over all heads of the queries, one over those of the keys.
#include "core/base/json.h"
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void computeNormAndRopeInFloat32(ModelSpec& spec, const ConfigValues&) {
  spec.norm.computeInFloat32 = true;
  computeRopeInFloat32(spec);
}

}  // namespace

Architecture olmo2() {
  Architecture a;
  a.name = "olmo2";
  a.modelTypes = {"olmo2"};
  a.classes = {"Olmo2ForCausalLM", "Olmo2Model"};
  a.ggufNames = {"olmo2"};
  a.defaults = {{"hidden_act", "silu"}, {"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-5}};
  a.layerTensors = tensors::joined({tensors::attention(), tensors::attentionBiases(), tensors::mlp(),
                                    tensors::postNorms(), tensors::jointHeadNorms()});
  a.completeSpec = computeNormAndRopeInFloat32;
  return a;
}

// ---- OLMo 3: OLMo 2 with three sliding layers to a full one; RoPE is scaled on the full ones only.

namespace {

Json olmo3RopeByLayerType(const ConfigValues& values, const Json& settings) {
  Json plain = Json::object();
  if (settings.contains("rope_theta")) plain["rope_theta"] = settings["rope_theta"];
  if (values.find("rope_local_base_freq") != nullptr)
    plain["rope_theta"] = *values.find("rope_local_base_freq");
  return {{"full_attention", settings}, {"sliding_attention", plain}};
}

void readOlmo3(ModelSpec& spec, const ConfigValues& values) {
  spec.norm.computeInFloat32 = true;
  computeRopeInFloat32(spec);
  const std::int64_t window = slidingWindow(values);
  if (!readLayerTypes(spec, values, window))
    slideLayers(spec, window, [](std::int64_t layer) { return (layer + 1) % 4 != 0; });
}

}  // namespace

Architecture olmo3() {
  Architecture a;
  a.name = "olmo3";
  a.modelTypes = {"olmo3"};
  a.classes = {"Olmo3ForCausalLM", "Olmo3Model"};
  a.ggufNames = {"olmo2"};
  a.ggufKeys = {{"rope.freq_base_swa", "rope_local_base_freq"}};
  a.ggufMark = "attention.sliding_window";
  a.defaults = {{"hidden_act", "silu"},
                {"max_position_embeddings", 2048},
                {"rms_norm_eps", 1e-5},
                {"sliding_window", 4096},
                {"rope_theta", 5e5}};
  a.layerTensors = tensors::joined({tensors::attention(), tensors::attentionBiases(), tensors::mlp(),
                                    tensors::postNorms(), tensors::jointHeadNorms()});
  a.ropeByLayerType = olmo3RopeByLayerType;
  a.completeSpec = readOlmo3;
  return a;
}

}  // namespace plastiscope
