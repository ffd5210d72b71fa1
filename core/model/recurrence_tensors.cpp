// The tensors of recurrences and of the attention beside them, as several families name them.
#include "core/model/architecture.h"

namespace plastiscope::tensors {

using namespace sizes;
using enum TensorRole;

std::vector<LayerTensor> gatedAttention(float hfOffset) {
  std::vector<LayerTensor> all = joined({attention(), attentionBiases(), headNorms(hfOffset)});
  for (LayerTensor& tensor : all) {
    if (tensor.role == Query) tensor.role = QueryGate, tensor.shape = {twoQueryRows, hidden};
    if (tensor.role == QueryBias) tensor.shape = {twoQueryRows};
  }
  return all;
}

// Safetensors files keep the convolution as one filter a channel: [channels, 1, kernel].
std::vector<LayerTensor> deltaNet() {
  return {
      {StateConvolution, "linear_attn.conv1d.weight", "", {stateChannels, one, stateKernel}, when::recurs},
      {StateConvolution, "", "ssm_conv1d.weight", {stateChannels, stateKernel}, when::recurs},
      {StateDecayLog, "linear_attn.A_log", "", {stateHeads}, when::recurs},
      {StateDecay, "", "ssm_a", {stateHeads}, when::recurs},
      {StateStepBias, "linear_attn.dt_bias", "ssm_dt.bias", {stateHeads}, when::recurs},
      {StateNorm, "linear_attn.norm.weight", "ssm_norm.weight", {stateNormed}, when::recurs},
      {StateOutput, "linear_attn.out_proj.weight", "ssm_out.weight", {hidden, stateValueRows}, when::recurs},
  };
}

std::vector<LayerTensor> mamba2() {
  return {
      {StateInput, "mamba.in_proj.weight", "ssm_in.weight", {stateInputRows, hidden}, when::recurs},
      {StateConvolution, "mamba.conv1d.weight", "", {stateChannels, one, stateKernel}, when::recurs},
      {StateConvolution, "", "ssm_conv1d.weight", {stateChannels, stateKernel}, when::recurs},
      {StateConvolutionBias, "mamba.conv1d.bias", "ssm_conv1d.bias", {stateChannels}, when::convolutionBias},
      {StateDecayLog, "mamba.A_log", "", {stateHeads}, when::recurs},
      {StateDecay, "", "ssm_a", {stateHeads, one}, when::recurs},
      {StateStepBias, "mamba.dt_bias", "ssm_dt.bias", {stateHeads}, when::recurs},
      {StateSkip, "mamba.D", "", {stateHeads}, when::recurs},
      {StateSkip, "", "ssm_d", {stateHeads, one}, when::recurs},
      {StateNorm, "mamba.norm.weight", "", {stateValueRows}, when::recurs},
      {StateNorm, "", "ssm_norm.weight", {stateNormGroups, stateNormed}, when::recurs},
      {StateOutput, "mamba.out_proj.weight", "ssm_out.weight", {hidden, stateValueRows}, when::recurs},
  };
}

}  // namespace plastiscope::tensors
