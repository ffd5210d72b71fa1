// Command R: attention and feed-forward part read the same normed stream; neighbouring pairs turn.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void refineCohere(ModelSpec& spec, const ConfigValues& values) {
  spec.norm.centred = spec.norm.wide = true;
  spec.parallelBlock = true;
  spec.queryKeyNorm.present = values.flagOr("use_qk_norm", false);
  turnNeighbours(spec);
  turnInFloat32(spec);
}

}  // namespace

Architecture cohere() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "cohere";
  a.modelTypes = {"cohere"};
  a.classes = {"CohereForCausalLM", "CohereModel"};
  a.ggufNames = {"command-r"};
  a.defaults = {{"hidden_act", "silu"},
                {"max_position_embeddings", 8192},
                {"layer_norm_eps", 1e-5},
                {"rope_theta", 5e5},
                {"tie_word_embeddings", true}};
  a.normEpsKey = "layer_norm_eps";
  a.layerTensors = tensors::joined(
      {tensors::attention(),
       tensors::attentionBiases(),
       tensors::mlp(),
       {
           {InputNorm, "input_layernorm.weight", "attn_norm.weight", {hidden}},
           {QueryNorm,
            "self_attn.q_norm.weight",
            "attn_q_norm.weight",
            {queryHeads, headDim},
            when::headNorms},
           {KeyNorm, "self_attn.k_norm.weight", "attn_k_norm.weight", {keyHeads, headDim}, when::headNorms},
       }});
  a.refine = refineCohere;
  return a;
}

}  // namespace plastiscope
