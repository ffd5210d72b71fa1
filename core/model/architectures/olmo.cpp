// OLMo 2: norms after each part only; one norm over all query heads and one over all key heads.
#include "core/base/json.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture olmo2() {
  Architecture a;
  a.name = "olmo2";
  a.modelTypes = {"olmo2"};
  a.classes = {"Olmo2ForCausalLM", "Olmo2Model"};
  a.ggufNames = {"olmo2"};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "attention_bias": false})");
  a.layerTensors = tensors::joined({tensors::attention(), tensors::attentionBiases(), tensors::mlp(),
                                    tensors::postNorms(), tensors::jointHeadNorms()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson&) {
    spec.norm.computeInFloat32 = true;
    computeRopeInFloat32(spec);
  };
  return a;
}

// ---- OLMo 3: OLMo 2 with three sliding layers per full one; only full ones have scaled RoPE.

namespace {

Json ropesOfOlmo3(const CheckedJson& values, const Json& settings) {
  Json plain = Json::object();
  if (settings.contains("rope_theta")) plain["rope_theta"] = settings["rope_theta"];
  if (const Json* local = values.find("rope_local_base_freq")) plain["rope_theta"] = *local;
  return {{"full_attention", settings}, {"sliding_attention", plain}};
}

}  // namespace

Architecture olmo3() {
  Architecture a = olmo2();
  a.name = "olmo3";
  a.modelTypes = {"olmo3"};
  a.classes = {"Olmo3ForCausalLM", "Olmo3Model"};
  a.ggufMark = "attention.sliding_window";
  a.defaults.merge(classKeys(R"({"sliding_window?": 4096, "layer_types": null, "rope_theta?": 5e5})"));
  a.ropeLayers = RopeLayers::Scaled;
  a.ropeByLayerType = ropesOfOlmo3;
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.norm.computeInFloat32 = true;
    computeRopeInFloat32(spec);
    readSlidingLayers(spec, values, 4);
  };
  return a;
}

}  // namespace plastiscope
