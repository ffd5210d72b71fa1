// DeepSeek-V2 and V3: latent attention, experts in groups, dense first layers.
#include <cmath>

#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

// YaRN's magnitude for `mscale_all_dim` multiplies scores once for queries and once for keys.
void scaleLatentScores(ModelSpec& spec) {
  const RopeSpec& rope = spec.rope();
  if (rope.kind != "yarn" || !rope.mscaleAllDim || rope.factor <= 1) return;
  const double magnitude = 1 + 0.1 * *rope.mscaleAllDim * std::log(rope.factor);
  spec.scoreScale *= magnitude * magnitude;
}

void readLatentModel(ModelSpec& spec, const CheckedJson& values) {
  const CheckedJson rope = ropeValues(values);  // a YaRN factor is not derived from lengths here
  if (rope.textOr("rope_type", "") == "yarn" && rope.has("mscale_all_dim")) rope.number("factor", 0, 1e6);
  for (const char* key : {"attention_bias", "mlp_bias"}) {
    if (values.flagOr(key, false)) values.refuse(key, "no biases in this architecture", "true");
  }
  scaleLatentScores(spec);
}

// Softmax scores; in GGUF files more than one group means that experts are chosen from the best groups.
void readDeepseekV2(ModelSpec& spec, const CheckedJson& values) {
  readLatentModel(spec, values);
  interleaveRope(spec);
  computeRopeInFloat32(spec);
  readExperts(spec, values);
  ExpertSpec& experts = spec.experts;
  experts.routerInFloat32 = true;
  experts.scale = values.numberOr("routed_scaling_factor", 1, 0, 1e6);
  const std::string method = values.textOr("topk_method", "group_limited_greedy");
  if (method != "greedy" && method != "group_limited_greedy")
    values.refuse("topk_method", "greedy or group_limited_greedy", "\"" + method + "\"");
  if (method != "greedy") readGroups(spec, values);
  experts.groupRank = 1;
  readSharedExperts(spec, values);
}

}  // namespace

Architecture deepseek_v2() {
  Architecture a = family("deepseek_v2", "DeepseekV2", {"deepseek2"});
  a.ggufKeys = {{"attention.kv_lora_rank", "kv_lora_rank"},
                {"attention.q_lora_rank", "q_lora_rank"},
                {"attention.key_length_mla", "qk_head_dim"},
                {"attention.value_length_mla", "v_head_dim"},
                {"rope.dimension_count", "qk_rope_head_dim"},
                {"expert_shared_count", "n_shared_experts"},
                {"expert_weights_scale", "routed_scaling_factor"},
                {"expert_weights_norm", "norm_topk_prob"},
                {"expert_group_count", "n_group"},
                {"expert_group_used_count", "topk_group"}};
  a.defaults = classKeys(R"({"hidden_act": "silu", "max_position_embeddings": 2048, "rms_norm_eps": 1e-6,
      "attention_bias": false, "mlp_bias": false, "kv_lora_rank": 512, "q_lora_rank?": 1536,
      "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "intermediate_size": 11008,
      "n_routed_experts": 64, "num_experts_per_tok": null, "moe_intermediate_size": 1407,
      "n_shared_experts": 2, "first_k_dense_replace": 0, "routed_scaling_factor": 1.0,
      "topk_method?": "greedy", "n_group": null, "topk_group": null})");
  a.ggufDefaults = {{"q_lora_rank", nullptr},
                    {"qk_nope_head_dim", nullptr},
                    {"v_head_dim", nullptr},
                    {"topk_method", nullptr}};
  a.hfAnchor = "self_attn.kv_a_proj_with_mqa.weight";
  a.ignored.push_back("blk.*.attn_kv_b.weight");  // also in some files that have its two parts
  a.layerTensors = tensors::joined({tensors::preNorms(), tensors::latentAttention(), tensors::mlp(),
                                    tensors::mlpExperts(), tensors::sharedExperts()});
  a.completeSpec = readDeepseekV2;
  return a;
}

// ---- DeepSeek-V3: sigmoid router with a correction used for the choice only; rotated parts in rotate-half
// order, whatever the order of their rows in the file.

Architecture deepseek_v3() {
  Architecture a = deepseek_v2();
  a.name = "deepseek_v3";
  a.modelTypes = {"deepseek_v3"};
  a.classes = {"DeepseekV3ForCausalLM", "DeepseekV3Model"};
  a.ggufMark = "expert_weights_norm";
  a.defaults.erase("mlp_bias");
  a.defaults.erase("topk_method");
  a.defaults.merge(classKeys(R"({"rope_interleave?": true, "norm_topk_prob?": true})"));
  for (auto& [key, value] : classKeys(R"({"max_position_embeddings": 4096, "intermediate_size": 18432,
      "n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "v_head_dim": 128,
      "n_shared_experts": 1, "first_k_dense_replace": 3, "routed_scaling_factor": 2.5, "n_group": 8,
      "topk_group": 4})"))
    a.defaults[key] = value;
  a.ggufDefaults = {{"q_lora_rank", nullptr},
                    {"qk_nope_head_dim", nullptr},
                    {"v_head_dim", nullptr},
                    {"n_group", nullptr},
                    {"topk_group", nullptr}};
  a.layerTensors.push_back({TensorRole::RouterCorrection,
                            "mlp.gate.e_score_correction_bias",
                            "exp_probs_b.bias",
                            {sizes::experts},
                            when::experts});
  a.readLayers = [](ModelSpec& spec, const CheckedJson& values) {
    spec.latent.storedInPairs = values.flagOr("rope_interleave", false);
  };
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readLatentModel(spec, values);
    readGroupedExperts(spec, values);
  };
  return a;
}

}  // namespace plastiscope
