#pragma once
// Collects which tensors of a layer are wanted where, then reads them piece by piece.
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

// The numbers of a contiguous float32 tensor in memory.
std::span<float> floatsOf(const at::Tensor& tensor);

// What a thread reads and converts at once: at most so many numbers, but whole rows (of permuted heads and
// MXFP4 experts all) of a tensor.
inline constexpr std::int64_t kLoadedNumbers = std::int64_t{1} << 19;

class LayerReader {
 public:
  LayerReader(const Model& model, std::int64_t layer, const Compute& compute);
  ~LayerReader();
  LayerReader(const LayerReader&) = delete;
  LayerReader& operator=(const LayerReader&) = delete;

  bool has(TensorRole role) const { return m_tensors.contains(role); }
  // The tensor in the compute type or, for a few numbers that decide much, in float32; undefined when the
  // layer has none. What it holds is there when read() has said so.
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

  // Reads on, with all threads that the caller may use, until nothing is left or `goesOn` (of any thread)
  // says no; whether nothing is left.
  bool read(const std::function<bool()>& goesOn);

 private:
  // The first rows of a tensor, which go into (a part of) another.
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
    std::int64_t first;  // row, or column of a tensor that lies across; of all matrices
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
  std::optional<c10::Stream> m_copies;  // to a card, beside what it computes
  std::deque<Part> m_parts;
  std::vector<Piece> m_pieces;
  std::atomic<std::size_t> m_next = 0;  // piece that nobody has begun
};

}  // namespace plastiscope
