// OLMo and OLMoE, and OLMo 2 and 3.
#include <vector>

#include "core/base/json.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

constexpr double kEpsOfOlmo = 1e-5;

void readOperandClip(ModelSpec& spec, const CheckedJson& values) {
  spec.operandClip = values.numberOr("clip_qkv", 0, 1e-9, 1e9);
}

}  // namespace

// OLMo: Llama with LayerNorm without weights and limited queries, keys and values.
Architecture olmo() {
  Architecture a = family("olmo", "Olmo", {"olmo"});
  a.ggufKeys = {{"attention.clamp_kqv", "clip_qkv"}};
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 2048, "attention_bias": false, "clip_qkv": null})");
  a.defaults["layer_norm_eps"] = kEpsOfOlmo;
  a.normEpsKey = "layer_norm_eps";
  a.layerTensors =
      tensors::joined({tensors::attention(true), tensors::attentionBiases(true), tensors::mlp()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    spec.norm.subtractMean = spec.norm.computeInFloat32 = spec.norm.weightless = true;
    spec.norm.eps = kEpsOfOlmo;  // whatever the file says
    computeRopeInFloat32(spec);
    readOperandClip(spec, values);
  };
  return a;
}

// OLMoE: experts, one norm over all query heads and one over all key heads, limits as in OLMo.
Architecture olmoe() {
  Architecture a = family("olmoe", "Olmoe", {"olmoe"});
  a.defaults = classKeys(R"({"num_key_value_heads": null, "hidden_act": "silu",
      "max_position_embeddings": 4096, "rms_norm_eps": 1e-5, "attention_bias": false, "clip_qkv": null,
      "num_experts_per_tok": 8, "norm_topk_prob": false})");
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::attention(), tensors::attentionBiases(),
                                    tensors::jointHeadNorms(), tensors::mlpExperts()});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readExperts(spec, values);
    spec.experts.renormalise = values.flagOr("norm_topk_prob", false);
    readOperandClip(spec, values);
  };
  return a;
}

// ---- OLMo 2: norms after each part only; one norm over all query heads and one over all key heads.

Architecture olmo2() {
  Architecture a = family("olmo2", "Olmo2", {"olmo2"});
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
