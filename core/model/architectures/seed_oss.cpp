// Seed-OSS: a Llama whose output projection has a bias switch of its own.
#include "core/model/architecture.h"

namespace plastiscope {

Architecture seed_oss() {
  Architecture a;
  a.name = "seed_oss";
  a.modelTypes = {"seed_oss"};
  a.classes = {"SeedOssForCausalLM", "SeedOssModel"};
  a.ggufNames = {"seed_oss"};
  a.defaults = {{"hidden_act", "silu"},
                {"num_key_value_heads", 8},
                {"head_dim", 128},
                {"rms_norm_eps", 1e-6},
                {"attention_bias", true},
                {"attention_out_bias", false},
                {"max_position_embeddings", 524288}};
  a.layerTensors = tensors::joined({tensors::preNorms(0, "post_attention_norm.weight"), tensors::attention(),
                                    tensors::attentionBiases(), tensors::mlp()});
  return a;
}

}  // namespace plastiscope
