// StarCoder 2: LayerNorm and biases throughout, a feed-forward part without a gate.
#include "core/model/architecture.h"
#include "core/model/layer_rules.h"

namespace plastiscope {

namespace {

void readStarcoder2(ModelSpec& spec, const ConfigValues& values) {
  spec.norm.subtractMean = spec.norm.computeInFloat32 = true;
  spec.attentionBias = spec.outputBias = spec.mlpBias = values.flagOr("use_bias", true);
  slideAllLayers(spec, values);
}

}  // namespace

Architecture starcoder2() {
  using namespace sizes;
  using enum TensorRole;
  Architecture a;
  a.name = "starcoder2";
  a.modelTypes = {"starcoder2"};
  a.classes = {"Starcoder2ForCausalLM", "Starcoder2Model"};
  a.ggufNames = {"starcoder2"};
  a.defaults = {{"hidden_act", "gelu_pytorch_tanh"},
                {"num_key_value_heads", 2},
                {"max_position_embeddings", 4096},
                {"norm_epsilon", 1e-5},
                {"tie_word_embeddings", true}};
  a.normEpsKey = "norm_epsilon";
  a.layerTensors =
      tensors::joined({tensors::preNorms(),
                       tensors::attention(),
                       tensors::attentionBiases(),
                       {
                           {InputNormBias, "input_layernorm.bias", "attn_norm.bias", {hidden}},
                           {MlpNormBias, "post_attention_layernorm.bias", "ffn_norm.bias", {hidden}},
                           {Up, "mlp.c_fc.weight", "ffn_up.weight", {intermediate, hidden}},
                           {UpBias, "mlp.c_fc.bias", "ffn_up.bias", {intermediate}, when::mlpBias},
                           {Down, "mlp.c_proj.weight", "ffn_down.weight", {hidden, intermediate}},
                           {DownBias, "mlp.c_proj.bias", "ffn_down.bias", {hidden}, when::mlpBias},
                       }});
  a.completeSpec = readStarcoder2;
  return a;
}

}  // namespace plastiscope
