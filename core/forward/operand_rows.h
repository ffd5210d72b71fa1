#pragma once
// The vectors of one layer and example that a sink asked for, gathered chunk by chunk and handed over at the
// end.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/forward/forward.h"

namespace plastiscope {

// Tensors of one moment of a run, on the CPU.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

class OperandRows {
 public:
  OperandRows(QkSink& sink, std::int64_t layer, const TokenSequence& sequence, std::int64_t headDim);

  // Is any vector of this kind wanted among the positions [first, first + rows)?
  bool wants(QueryOrKey kind, CapturePoint point, std::int64_t first, std::int64_t rows) const;
  // vectors [rows, heads, head_dim] of the positions first ..: what is wanted is selected where they lie and
  // copied.
  void collect(QueryOrKey kind, CapturePoint point, std::int64_t first, const at::Tensor& vectors);
  void deliver(QkSink& sink) const;
  // What was collected of the positions below `row`, by kind and point: [heads, positions, head_dim], to be
  // kept or to be written into.
  NamedTensors collected(std::int64_t row) const;

 private:
  struct Wanted {
    QueryOrKey kind;
    CapturePoint point;
    std::vector<std::int32_t> heads, positions;
    at::Tensor vectors;  // [heads, positions, head_dim] float32 on the CPU
  };
  const Wanted* find(QueryOrKey kind, CapturePoint point) const;

  std::int64_t m_layer, m_example;
  std::vector<Wanted> m_wanted;  // nothing in it is empty
};

}  // namespace plastiscope
