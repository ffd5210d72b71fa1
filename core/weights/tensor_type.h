#pragma once
// List of tensor types: names in both containers, block sizes, conversion to float32.
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
  std::string_view safetensorsName;  // "": not in safetensors
  std::int64_t ggufId;               // -1: not in GGUF
  std::int64_t blockElements;        // elements per block along the innermost dimension
  std::int64_t blockBytes;
  // Converts `blocks` blocks at `in` (any alignment) to blocks * blockElements floats.
  void (*toFloat32)(const std::byte* in, std::int64_t blocks, float* out);
  bool isWeight;  // floating point or block format: can hold a model's weights
};

std::span<const TensorFormat> tensorFormats();
const TensorFormat& formatOf(TensorType type);
const TensorFormat* formatOfSafetensors(std::string_view dtype);  // nullptr when unknown
const TensorFormat* formatOfGguf(std::int64_t id);                // nullptr when unknown
// "IQ4_XS" for a known but unsupported GGUF type, else "number 77".
std::string nameOfUnreadGgufType(std::int64_t id);
std::string safetensorsTypeNames();  // "F64, F32, ..." for messages
std::string ggufTypeNames();         // types that hold weights

// Product of the dimensions; nothing when one is negative or the product overflows.
std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape);
// Size in bytes; nothing on overflow or when the innermost dimension is not a multiple of the block size.
std::optional<std::uint64_t> byteCount(const TensorFormat& format, std::span<const std::int64_t> shape);

}  // namespace plastiscope
