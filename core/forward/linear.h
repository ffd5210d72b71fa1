#pragma once
// Linear layers applied to rows of hidden states.
#include <ATen/core/Tensor.h>
#include <cstdint>

namespace plastiscope {

// A matrix and an optional bias, stored in the fastest form for products.
class Linear {
 public:
  Linear() = default;
  // weight [outputs, inputs], bias [outputs] or undefined.
  Linear(at::Tensor weight, at::Tensor bias);

  // The rows for outputs [first, first + count). Call before pack().
  Linear outputs(std::int64_t first, std::int64_t count) const;
  bool defined() const { return m_weight.defined(); }
  std::int64_t outputs() const { return m_weight.size(0); }
  std::int64_t inputs() const { return m_weight.size(1); }
  // x [rows, inputs] -> [rows, outputs].
  at::Tensor times(const at::Tensor& x) const;
  // Call when the weights are loaded: reorders bfloat16 matrices on CPUs with bfloat16 instructions into
  // oneDNN's layout, which products of plain matrices repeat for every block of rows. Other types are
  // unchanged: packed float32 products of MKL are a fifth faster but crash if an allocation fails
  // (resources/help/models.md).
  void pack();

 private:
  at::Tensor m_weight, m_bias;
  bool m_packed = false;
};

}  // namespace plastiscope
