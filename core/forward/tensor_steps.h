#pragma once
// Applies row_steps.h to tensors.
#include <ATen/core/Tensor.h>

#include "core/forward/layer_parts.h"
#include "core/forward/row_steps.h"

namespace plastiscope {

// Whether row steps apply: [rows, size] or [rows, heads, size], float32 or bfloat16, on a CPU, contiguous
// vectors.
bool hasRowSteps(const at::Tensor& x);
StridedVectors vectorsOf(const at::Tensor& x);
VectorCount countOf(const at::Tensor& x);

// Weights of a norm in float32, for vectors [rows, heads, size] or [rows, size].
class VectorNormOf {
 public:
  VectorNormOf(const NormWeights& weights, const NormSpec& spec, std::int64_t size);
  const VectorNorm& norm() const { return m_norm; }

 private:
  at::Tensor m_weight, m_bias;
  VectorNorm m_norm;
};

}  // namespace plastiscope
