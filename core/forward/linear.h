#pragma once
// The matrices that rows of hidden states are multiplied by.
#include <ATen/core/Tensor.h>
#include <cstdint>

namespace plastiscope {

// A matrix and a bias that may be undefined, kept in the form in which a product reads them fastest.
class Linear {
 public:
  Linear() = default;
  // weight [outputs, inputs], bias [outputs] or undefined.
  Linear(at::Tensor weight, at::Tensor bias);

  // The part that gives the outputs [first, first + count). Before pack().
  Linear outputs(std::int64_t first, std::int64_t count) const;
  bool defined() const { return m_weight.defined(); }
  std::int64_t outputs() const { return m_weight.size(0); }
  std::int64_t inputs() const { return m_weight.size(1); }
  // x [rows, inputs] -> [rows, outputs].
  at::Tensor times(const at::Tensor& x) const;
  // Once the numbers are there: bfloat16 matrices on a CPU with instructions for them are put into oneDNN's
  // order for blocks of rows, which a product of a plain matrix does anew for every block. Others stay as
  // they are: MKL's float32 products of packed matrices are a fifth faster, but do not outlive a refused
  // allocation (resources/help/models.md).
  void pack();

 private:
  at::Tensor m_weight, m_bias;
  bool m_packed = false;
};

}  // namespace plastiscope
