#include "core/forward/tensor_steps.h"

namespace plastiscope {

bool hasRowSteps(const at::Tensor& x) {
  const bool known = x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16;
  return known && x.is_cpu() && (x.dim() == 2 || x.dim() == 3) && x.stride(-1) == 1;
}

StridedVectors vectorsOf(const at::Tensor& x) {
  return {x.data_ptr(), x.stride(0), x.dim() == 3 ? x.stride(1) : 0};
}

VectorCount countOf(const at::Tensor& x) {
  return {x.size(0), x.dim() == 3 ? x.size(1) : 1, x.size(-1),
          x.scalar_type() == at::kFloat ? NumberType::Float32 : NumberType::Bfloat16};
}

VectorNormOf::VectorNormOf(const NormWeights& weights, const NormSpec& spec, std::int64_t size) {
  const auto floats = [](const at::Tensor& x) { return x.defined() ? x.to(at::kFloat).contiguous() : x; };
  m_weight = floats(weights.weight);
  m_bias = floats(weights.bias);
  m_norm.eps = spec.eps;
  m_norm.subtractMean = spec.subtractMean;
  m_norm.roundFirst = !spec.computeInFloat32;
  if (m_weight.defined()) m_norm.weight = m_weight.const_data_ptr<float>();
  if (m_bias.defined()) m_norm.bias = m_bias.const_data_ptr<float>();
  m_norm.headStep = m_weight.defined() && m_weight.numel() > size ? size : 0;
}

}  // namespace plastiscope
