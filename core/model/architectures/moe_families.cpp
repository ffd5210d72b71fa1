// Families of experts on Llama's block.
#include <string>

#include "core/base/json.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

// MiniMax-M2: norms over all heads, part of each head rotated, sigmoid router with a correction used for the
// choice only.
Architecture minimax_m2() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("minimax_m2", "MiniMaxM2", {"minimax-m2"});
  a.defaults = classKeys(R"({"num_key_value_heads": 8, "head_dim": 128, "hidden_act": "silu",
      "max_position_embeddings": 196608, "rms_norm_eps": 1e-6, "rope_theta?": 5e6,
      "partial_rotary_factor": null, "intermediate_size": 1536, "num_local_experts": 256,
      "num_experts_per_tok": 8})");
  a.shareFromRotaryDim = true;
  a.layerTensors = tensors::joined(
      {tensors::preNorms(),
       tensors::attention(),
       tensors::jointHeadNorms(),
       tensors::mixtralExperts(),
       {
           {RouterCorrection, "block_sparse_moe.e_score_correction_bias", "exp_probs_b.bias", {experts}},
       }});
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readExperts(spec, values);
    spec.experts.score = RouterScore::Sigmoid;
    spec.experts.renormalise = true;
  };
  return a;
}

// ---- ERNIE 4.5 with experts: RoPE on neighbouring pairs, router with a correction used for the choice only.

namespace {

void readErnieExperts(ModelSpec& spec, const CheckedJson& values) {
  if (values.flagOr("use_bias", false)) values.refuse("use_bias", "no biases in this architecture", "true");
  interleaveRope(spec);
  computeRopeInFloat32(spec);
  readExperts(spec, values);
  spec.experts.routerInFloat32 = spec.experts.renormalise = true;
  spec.experts.sharedInner = spec.experts.inner * values.integerOr("moe_num_shared_experts", 0, 0, 1 << 10);
  const std::int64_t first = values.integer("moe_layer_start_index", 0, 1 << 20);
  const std::int64_t given = values.integer("moe_layer_end_index", -1, 1 << 20);
  const std::int64_t last = given < 0 ? spec.layerCount - 1 : given;
  const std::int64_t step = values.integer("moe_layer_interval", 1, 1 << 20);
  for (std::int64_t layer = 0; layer < spec.layerCount; ++layer)
    spec.layers[static_cast<std::size_t>(layer)].experts =
        layer >= first && layer <= last && (layer + 1) % step == 0;
}

}  // namespace

Architecture ernie4_5_moe() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = family("ernie4_5_moe", "Ernie4_5_Moe", {"ernie4_5-moe"});
  a.ggufKeys = {{"interleave_moe_layer_step", "moe_layer_interval"},
                {"leading_dense_block_count", "moe_layer_start_index"},
                {"expert_shared_count", "moe_num_shared_experts"},
                {"expert_count", "moe_num_experts"},
                {"expert_used_count", "moe_k"}};
  a.defaults = classKeys(R"({"num_key_value_heads?": 4, "hidden_act": "silu",
      "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "use_bias?": false, "rope_theta?": 5e5,
      "tie_word_embeddings": true, "moe_intermediate_size": 1536, "moe_k": 6, "moe_num_experts": 64,
      "moe_num_shared_experts": 2, "moe_layer_start_index": 1, "moe_layer_end_index": -1,
      "moe_layer_interval": 1})");
  a.ignored.push_back("mtp_*");
  a.layerTensors =
      tensors::joined({tensors::preNorms(), tensors::attention(), tensors::mlp(), tensors::mlpExperts(),
                       tensors::sharedExperts(),
                       tensors::only(when::experts, {
                                                        {RouterCorrection,
                                                         "mlp.moe_statics.e_score_correction_bias",
                                                         "exp_probs_b.bias",
                                                         {one, experts}},
                                                    })});
  a.completeSpec = readErnieExperts;
  return a;
}

// ---- Hunyuan with experts: Hunyuan's attention, a shared expert as wide as the others.

Architecture hunyuan_v1_dense();

Architecture hunyuan_v1_moe() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a = hunyuan_v1_dense();
  a.name = "hunyuan_v1_moe";
  a.modelTypes = {"hunyuan_v1_moe"};
  a.classes = {"HunYuanMoEV1ForCausalLM", "HunYuanMoEV1Model"};
  a.ggufNames = {"hunyuan-moe"};
  a.ggufKeys = {{"expert_count", "num_experts"}, {"expert_used_count", "moe_topk"}};
  a.defaults.merge(classKeys(R"({"num_experts": 1, "moe_topk": 1, "intermediate_size": 11008})"));
  a.layerTensors = tensors::joined(
      {a.layerTensors, tensors::mlpExperts(),
       tensors::only(
           when::sharedExpert,
           {
               {SharedGate,
                "mlp.shared_mlp.gate_proj.weight",
                "ffn_gate_shexp.weight",
                {sharedInner, hidden}},
               {SharedUp, "mlp.shared_mlp.up_proj.weight", "ffn_up_shexp.weight", {sharedInner, hidden}},
               {SharedDown,
                "mlp.shared_mlp.down_proj.weight",
                "ffn_down_shexp.weight",
                {hidden, sharedInner}},
           })});
  for (LayerTensor& tensor : a.layerTensors)
    if (tensor.role == Router) tensor.hf = "mlp.gate.wg.weight";
  static const auto readDense = a.completeSpec;
  a.completeSpec = [](ModelSpec& spec, const CheckedJson& values) {
    readDense(spec, values);
    readExperts(spec, values);
    spec.experts.renormalise = spec.experts.routerInFloat32 = true;
    spec.experts.sharedInner = spec.intermediate;
  };
  return a;
}

}  // namespace plastiscope
