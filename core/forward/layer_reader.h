#pragma once
// Collects which tensors of a layer are wanted where, then reads them with all threads.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/forward/device.h"
#include "core/forward/layer_parts.h"
#include "core/model/model.h"

namespace plastiscope {

// The numbers of a contiguous float32 tensor in memory.
std::span<float> floatsOf(const at::Tensor& tensor);

class LayerReader {
 public:
  LayerReader(const Model& model, std::int64_t layer, const Compute& compute);

  bool has(TensorRole role) const { return m_tensors.contains(role); }
  // The tensor in the compute type or, for a few numbers that decide much, in float32; undefined when the
  // layer has none. What it holds is there after readAll.
  at::Tensor tensor(TensorRole role) { return stacked({role}, {}); }
  at::Tensor floats(TensorRole role);
  NormWeights norm(TensorRole weight, TensorRole bias);
  NormWeights norm(TensorRole weight);
  // The first `rows` rows of a tensor.
  at::Tensor firstRows(TensorRole role, std::int64_t rows);
  // The tensors of these roles one below the other (with experts: those of each expert). Absent ones are left
  // out when `rows` is empty; otherwise they are zeros of that many rows, and the result is undefined when
  // all are absent.
  at::Tensor stacked(const std::vector<TensorRole>& roles, const std::vector<std::int64_t>& rows);

  void readAll();

 private:
  // Rows of a tensor that go into (a part of) another.
  struct Part {
    const BoundTensor* tensor;
    at::Tensor target;
  };
  const BoundTensor* find(TensorRole role) const;
  void read(const Part& part) const;

  const Model& m_model;
  const std::map<TensorRole, BoundTensor>& m_tensors;
  at::TensorOptions m_options;
  c10::ScalarType m_normType;
  std::vector<Part> m_parts;
};

}  // namespace plastiscope
