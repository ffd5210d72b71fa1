#pragma once
// One interface over all weight files. Every count and offset is checked at opening; data are read when asked
// for.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

struct InputError;

// How one tensor lies on disk. The list of types with their names and sizes is in tensor_type.cpp.
enum class TensorType {
  F64,
  F32,
  F16,
  BF16,
  F8_E4M3,
  F8_E5M2,
  I64,
  I32,
  I16,
  I8,
  U64,
  U32,
  U16,
  U8,
  Bool,
  Q4_0,
  Q4_1,
  Q5_0,
  Q5_1,
  Q8_0,
  Q2_K,
  Q3_K,
  Q4_K,
  Q5_K,
  Q6_K,
  IQ1_S,
  IQ1_M,
  IQ2_XXS,
  IQ2_XS,
  IQ2_S,
  IQ3_XXS,
  IQ3_S,
  IQ4_NL,
  IQ4_XS,
  TQ1_0,
  TQ2_0,
  MXFP4,
  Other,  // of a type that is not read
};

std::string_view nameOf(TensorType type);                    // "BF16", "Q4_1", ...
std::string shapeText(std::span<const std::int64_t> shape);  // "[576,1536]"

struct TensorInfo {
  std::string name;
  TensorType type = TensorType::F32;
  std::vector<std::int64_t>
      shape;                 // outermost first, as in PyTorch; a GGUF file's order is reversed on reading
  std::uint64_t bytes = 0;   // on disk
  std::uint64_t offset = 0;  // of the first byte, from the start of the file
  std::filesystem::path file;
  std::shared_ptr<const InputError> unread;  // why it cannot be read: its type, its file; thrown on reading
  std::int64_t elements() const;
};

class TensorSource {
 public:
  virtual ~TensorSource() = default;
  // In file order (shards in index order).
  virtual const std::vector<TensorInfo>& tensors() const = 0;
  virtual const TensorInfo* find(std::string_view name) const;  // nullptr when there is none
  // Fills `out` with the tensor's bytes as they lie on disk, from byte `first` of the tensor on.
  virtual void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const = 0;
  // Elements [first, first + out.size()), widened or dequantised. readFloat32 below checks the sizes.
  virtual void readValues(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const;
  // Says that the tensor is not needed again in this pass (streaming of models larger than memory).
  virtual void dropPageCache(const TensorInfo& tensor) const = 0;
  // File or folder that was opened.
  virtual const std::filesystem::path& path() const = 0;
  // Text that changes when the tensor directory changes (names, types, shapes, offsets): goes into
  // fingerprints.
  virtual std::string directoryText() const = 0;
};

// Elements [first, first + out.size()) of a tensor of the given type; `read` fills its argument with stored
// bytes from an offset on.
void dequantize(TensorType type, std::int64_t first, std::span<float> out,
                const std::function<void(std::uint64_t offset, std::span<std::byte>)>& read);

// Widens or dequantises a whole tensor, or its rows [firstRow, firstRow + rows) along the outermost
// dimension, to float32. out.size() must be the number of elements.
void readFloat32(const TensorSource& source, const TensorInfo& tensor, std::span<float> out);
void readFloat32Rows(const TensorSource& source, const TensorInfo& tensor, std::int64_t firstRow,
                     std::int64_t rows, std::span<float> out);

// Opens one .safetensors file, a folder with model.safetensors or an index of shards, or a .gguf file (also a
// split one, and a GGUF without extension, known by its magic). InputError when missing, damaged or of an
// unknown kind.
std::shared_ptr<const TensorSource> openTensors(const std::filesystem::path& path, bool followLinks = false);

}  // namespace plastiscope
