// Language models of the Qwen VL families. Their multi-axis RoPE equals plain RoPE for text.
#include "core/model/layer_rules.h"

namespace plastiscope {

Architecture qwen2();
Architecture qwen3();
Architecture qwen3_moe();

namespace {

// `a` under the names of a multimodal family.
Architecture multimodal(Architecture a, const std::string& name, const std::string& classPrefix,
                        const std::string& ggufName) {
  a.name = name;
  a.modelTypes = {name, name + "_text"};
  a.classes = {classPrefix + "ForConditionalGeneration", classPrefix + "TextModel"};
  a.ggufNames = {ggufName};
  a.ggufKeys.emplace_back("rope.dimension_sections", "mrope_section");
  a.ropeKeys = {"mrope_section", "mrope_interleaved"};
  a.defaults["tie_word_embeddings"] = false;
  a.defaults["tie_word_embeddings"].mayBeNull = true;
  a.ignored.push_back("*visual.*");
  return a;
}

}  // namespace

// Qwen2-VL and 2.5-VL differ in their vision towers.
Architecture qwen2_vl() {
  Architecture a = multimodal(qwen2(), "qwen2_vl", "Qwen2VL", "qwen2vl");
  a.modelTypes.insert(a.modelTypes.end(), {"qwen2_5_vl", "qwen2_5_vl_text"});
  a.classes.insert(a.classes.end(), {"Qwen2_5_VLForConditionalGeneration", "Qwen2_5_VLTextModel"});
  for (auto& [key, value] : classKeys(R"({"num_key_value_heads?": 8, "rms_norm_eps": 1e-5,
      "use_sliding_window?": false, "max_window_layers?": 80, "rope_theta?": 1e6})"))
    a.defaults[key] = value;
  a.mropeIsDefault = true;
  return a;
}

// ---- Qwen3-VL

Architecture qwen3_vl() {
  Architecture a = multimodal(qwen3(), "qwen3_vl", "Qwen3VL", "qwen3vl");
  a.defaults = classKeys(R"({"num_key_value_heads?": 32, "head_dim": 128, "hidden_act": "silu",
      "max_position_embeddings": 128000, "rms_norm_eps": 1e-6, "attention_bias": false, "rope_theta?": 5e5,
      "tie_word_embeddings?": false})");
  a.completeSpec = nullptr;
  return a;
}

// ---- Qwen3-VL MoE: one tensor for all experts, transposed in most files; gate and up in one.

Architecture qwen3_vl_moe() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = multimodal(qwen3_moe(), "qwen3_vl_moe", "Qwen3VLMoe", "qwen3vlmoe");
  for (auto& [key, value] : classKeys(R"({"num_key_value_heads": 16, "head_dim": null,
      "max_position_embeddings": 128000, "intermediate_size": 5632, "moe_intermediate_size": 1408,
      "num_experts_per_tok": 4, "tie_word_embeddings?": true, "rope_theta?": 5e5})"))
    a.defaults[key] = value;
  for (const char* key : {"use_sliding_window", "sliding_window", "norm_topk_prob"}) a.defaults.erase(key);
  a.ggufDefaults = {};
  for (LayerTensor& tensor : a.layerTensors)
    if (tensor.role == ExpertGate || tensor.role == ExpertUp || tensor.role == ExpertDown) tensor.hf = "";
  a.layerTensors.push_back({ExpertGateUp,
                            "mlp.experts.gate_up_proj",
                            "",
                            {twoExpertInner, hidden},
                            when::experts,
                            TensorLayout::ByShape});
  a.layerTensors.push_back(
      {ExpertDown, "mlp.experts.down_proj", "", {hidden, expertInner}, when::experts, TensorLayout::ByShape});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readExperts(spec, values);
    readDenseLayers(spec, values);
    spec.experts.renormalise = true;
  };
  return a;
}

}  // namespace plastiscope
