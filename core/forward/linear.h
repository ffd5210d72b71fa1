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
  std::int64_t outputs() const { return m_outputs; }
  std::int64_t inputs() const { return m_inputs; }
  // x [rows, inputs] -> [rows, outputs].
  at::Tensor times(const at::Tensor& x) const;

  // Orders of the numbers for blocks of rows. A product of a plain matrix puts it in order for every block.
  enum class Order {
    Plain,
    Mkl,     // float32
    OneDnn,  // float32 and bfloat16
  };
  // The one that products of such numbers are fastest with, of those that this libtorch and processor have.
  static Order fastest(at::ScalarType type);
  static bool has(Order order, at::ScalarType type);
  // Once the numbers are there, on a CPU; within a part of forEachInParallel().
  void pack(Order order);

 private:
  at::Tensor m_weight, m_bias;
  std::int64_t m_outputs = 0, m_inputs = 0;
  Order m_order = Order::Plain;
};

}  // namespace plastiscope
