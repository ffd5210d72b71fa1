#pragma once
// The steps of row_steps.h on tensors.
#include <ATen/core/Tensor.h>

#include "core/forward/layer_parts.h"
#include "core/forward/row_steps.h"

namespace plastiscope {

// True for tensors that the steps take: [rows, size] or [rows, heads, size] of float32 or bfloat16 on a CPU
// with the numbers of a vector side by side.
bool hasRowSteps(const at::Tensor& x);
StridedVectors vectorsOf(const at::Tensor& x);
VectorCount countOf(const at::Tensor& x);

// A norm's weights in float32 for vectors [rows, heads, size] or [rows, size].
class VectorNormOf {
 public:
  VectorNormOf(const NormWeights& weights, const NormSpec& spec, std::int64_t size);
  const VectorNorm& norm() const { return m_norm; }

 private:
  at::Tensor m_weight, m_bias;
  VectorNorm m_norm;
};

}  // namespace plastiscope
