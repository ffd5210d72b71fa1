#pragma once
// The gated feed-forward part of a decoder layer: down(activation(gate(x)) * up(x)).
#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/model/model_spec.h"

namespace plastiscope {

struct MlpWeights {
  at::Tensor gateUp;      // [2 * intermediate, hidden]: gate rows, then up rows
  at::Tensor gateUpBias;  // [2 * intermediate] or undefined
  at::Tensor down;        // [hidden, intermediate]
  at::Tensor downBias;    // [hidden] or undefined
};

// x [rows, hidden] -> [rows, hidden].
at::Tensor gatedMlp(const at::Tensor& x, const MlpWeights& weights, Activation activation);

}  // namespace plastiscope
