#pragma once
// Common interface of weight files. Counts and offsets are checked when opening, data are read on demand.
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

// Storage type of a tensor. Names and sizes are listed in tensor_type.cpp.
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
  Other,  // unsupported type
};

std::string_view nameOf(TensorType type);                    // "BF16", "Q4_1", ...
std::string shapeText(std::span<const std::int64_t> shape);  // "[576,1536]"

struct TensorInfo {
  std::string name;
  TensorType type = TensorType::F32;
  std::vector<std::int64_t> shape;  // outermost first, as in PyTorch; reversed when read from GGUF
  std::uint64_t bytes = 0;          // on disk
  std::uint64_t offset = 0;         // from the start of the file
  std::filesystem::path file;
  std::shared_ptr<const InputError> unread;  // reason why type or file cannot be read; thrown when reading
  std::int64_t elements() const;
};

class TensorSource {
 public:
  virtual ~TensorSource() = default;
  // In file order (sharded: in order of shards).
  virtual const std::vector<TensorInfo>& tensors() const = 0;
  virtual const TensorInfo* find(std::string_view name) const;  // nullptr when missing
  // Fills `out` with stored bytes of the tensor, from its byte `first` on.
  virtual void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const = 0;
  // Elements [first, first + out.size()), converted to float32. Sizes are checked by readFloat32.
  virtual void readValues(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const;
  // Hint that the tensor is not needed again in this pass (streaming of models larger than memory).
  virtual void dropPageCache(const TensorInfo& tensor) const = 0;
  // The file or folder that was opened.
  virtual const std::filesystem::path& path() const = 0;
  // Text that changes with the directory (names, types, shapes, offsets), for fingerprints.
  virtual std::string directoryText() const = 0;
};

// Converts elements [first, first + out.size()) of a tensor to float32; `read` fills its argument with stored
// bytes from an offset on.
void dequantize(TensorType type, std::int64_t first, std::span<float> out,
                const std::function<void(std::uint64_t offset, std::span<std::byte>)>& read);

// Converts a tensor, or its rows [firstRow, firstRow + rows) along the outermost dimension, to float32. Error
// (internal) unless out.size() is the number of elements.
void readFloat32(const TensorSource& source, const TensorInfo& tensor, std::span<float> out);
void readFloat32Rows(const TensorSource& source, const TensorInfo& tensor, std::int64_t firstRow,
                     std::int64_t rows, std::span<float> out);

// Opens a .safetensors file, a folder with model.safetensors or an index of shards, or a GGUF file (split or
// without extension too, known by its magic). InputError when missing, damaged or unknown.
std::shared_ptr<const TensorSource> openTensors(const std::filesystem::path& path, bool followLinks = false);

// ---- Finds the weights for a path from the user.

enum class WeightKind { Safetensors, ShardIndex, Gguf };

struct WeightFile {
  WeightKind kind = WeightKind::Safetensors;
  std::filesystem::path file;  // the .safetensors file, the index, or the (first) GGUF file
};

// `path`: a weight file or a model folder. In a folder: model.safetensors, else its index of shards, else,
// without config.json, its only GGUF model; consolidated*.safetensors are never used. InputError names the
// files found instead (pickled weights, an adapter, ...) and a remedy.
WeightFile weightFileOf(const std::filesystem::path& path);

}  // namespace plastiscope
