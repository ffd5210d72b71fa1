#pragma once
// The list of tensor types: how each is called in either container, how large its blocks are, how it is
// widened.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/weights/tensor_source.h"

namespace plastiscope {

struct TensorFormat {
  TensorType type;
  std::string_view name;
  std::string_view safetensorsName;  // "" when safetensors files do not have it
  std::int64_t ggufId;               // -1 when GGUF files do not have it
  std::int64_t blockElements;        // elements that share one block along the innermost dimension
  std::int64_t blockBytes;
  // Widens `blocks` blocks at `in` (any alignment) to blocks * blockElements floats.
  void (*toFloat32)(const std::byte* in, std::int64_t blocks, float* out);
  bool isWeight;  // floating point or a block format, so that it can hold a model's weights
};

std::span<const TensorFormat> tensorFormats();
const TensorFormat& formatOf(TensorType type);
const TensorFormat* formatOfSafetensors(std::string_view dtype);  // nullptr when unknown
const TensorFormat* formatOfGguf(std::int64_t id);                // nullptr when unknown
// "IQ4_XS" for an id that GGUF defines and we do not read, else "number 77".
std::string nameOfUnreadGgufType(std::int64_t id);
std::string safetensorsTypeNames();  // "F64, F32, ..." for messages
std::string ggufTypeNames();         // those that hold weights

// Product of the dimensions; nothing when one is negative or the product does not fit.
std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape);
// Bytes of a tensor; nothing when the innermost dimension is no whole number of blocks or the size does not
// fit.
std::optional<std::uint64_t> byteCount(const TensorFormat& format, std::span<const std::int64_t> shape);

}  // namespace plastiscope
