#pragma once
// The dense feed-forward part.
#include <ATen/core/Tensor.h>

#include "core/model/model_spec.h"

namespace plastiscope {

// With a gate (Shazeer 2020): down(act(gate x) * up x). Without: down(act(up x)). Biases are undefined where
// the model has none.
struct MlpWeights {
  at::Tensor gateUp;      // [2 * intermediate, hidden]: gate rows, then up rows; undefined without a gate
  at::Tensor gateUpBias;  // [2 * intermediate]
  at::Tensor up, upBias;  // [intermediate, hidden], without a gate only
  at::Tensor down;        // [hidden, intermediate]
  at::Tensor downBias;
  at::Tensor xielu;  // [4] float32 on the CPU: alpha positive and negative, beta, eps as stored
};

// x [rows, hidden] -> [rows, hidden].
at::Tensor mlp(const at::Tensor& x, const MlpWeights& weights, Activation activation);

// gate and up [rows, intermediate], neither kept: what the down projection gets.
at::Tensor gated(at::Tensor gate, const at::Tensor& up, Activation activation);

}  // namespace plastiscope
