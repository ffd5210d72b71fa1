#pragma once
// Collects requests for tensors of a layer, then reads them in pieces.
#include <ATen/core/Tensor.h>
#include <c10/core/Stream.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/forward/device.h"
#include "core/forward/layer_parts.h"
#include "core/model/model.h"

namespace plastiscope {

// The data of a contiguous float32 tensor in memory.
std::span<float> floatsOf(const at::Tensor& tensor);

// Maximum numbers that a thread reads and converts at once, rounded to whole rows (whole heads if permuted,
// whole experts in MXFP4).
inline constexpr std::int64_t kLoadedNumbers = std::int64_t{1} << 19;

class LayerReader {
 public:
  LayerReader(const Model& model, std::int64_t layer, const Compute& compute);
  ~LayerReader();
  LayerReader(const LayerReader&) = delete;
  LayerReader& operator=(const LayerReader&) = delete;

  bool has(TensorRole role) const { return m_tensors.contains(role); }
  // Requests a tensor in the compute type or, for small tensors that need precision, in float32. Undefined if
  // the layer has none; filled once read() returns true.
  at::Tensor tensor(TensorRole role) { return stacked({role}, {}); }
  at::Tensor floats(TensorRole role);
  NormWeights norm(TensorRole weight, TensorRole bias);
  NormWeights norm(TensorRole weight);
  // The first `rows` rows of a tensor.
  at::Tensor firstRows(TensorRole role, std::int64_t rows);
  // Concatenates the tensors of these roles along rows (with experts: per expert). With empty `rows`, missing
  // tensors are left out; otherwise they are zeros of that many rows, and the result is undefined if all are
  // missing.
  at::Tensor stacked(const std::vector<TensorRole>& roles, const std::vector<std::int64_t>& rows);

  // Continues reading with all threads available to the caller until done or `goesOn` (called from any
  // thread) returns false. Returns whether everything is read.
  bool read(const std::function<bool()>& goesOn);

 private:
  // The first rows of a tensor, and their target.
  struct Part {
    Part(const BoundTensor& tensorToRead, at::Tensor place)
        : tensor(&tensorToRead), target(std::move(place)) {}
    const BoundTensor* tensor;
    at::Tensor target;
    std::atomic<std::int64_t> piecesLeft = 0;
  };
  struct Piece {
    Part* part;
    at::Tensor target;
    std::int64_t first;  // row, or column if the tensor liesAcross(); counted over all matrices
  };
  const BoundTensor* find(TensorRole role) const;
  at::Tensor part(const BoundTensor& tensor, at::Tensor target);
  void cut(Part& part);
  void read(const Piece& piece) const;
  void read(const Piece& piece, const at::Tensor& target) const;

  const Model& m_model;
  const std::map<TensorRole, BoundTensor>& m_tensors;
  at::TensorOptions m_options;
  c10::ScalarType m_normType;
  std::optional<c10::Stream> m_copies;  // copies to a GPU in parallel with computation
  std::deque<Part> m_parts;
  std::vector<Piece> m_pieces;
  std::atomic<std::size_t> m_next = 0;  // next piece to read
};

}  // namespace plastiscope
