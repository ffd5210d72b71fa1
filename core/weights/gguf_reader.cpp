#include "core/weights/gguf_reader.h"

#include <algorithm>
#include <bit>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint64_t kMaxName = 65'535;
constexpr std::uint64_t kMaxKeys = 100'000;
constexpr std::uint64_t kMaxTensors = 200'000;
constexpr std::uint32_t kMaxRank = 4;
constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 62;
constexpr std::int64_t kDefaultAlignment = 32;
constexpr std::int64_t kMaxAlignment = 1 << 20;

void readVersion(GgufCursor& cursor) {
  if (cursor.number<std::uint32_t>("magic") != kMagic) cursor.refuse("magic", "\"GGUF\"", "something else");
  const auto version = cursor.number<std::uint32_t>("version");
  if (version != 0 && (version & 0xffff) == 0)
    cursor.refuse("version", "a little-endian file", "a big-endian one");
  if (version != 2 && version != 3) cursor.refuse("version", "2 or 3", std::to_string(version));
}

std::map<std::string, GgufValue> readMetadata(GgufCursor& cursor, std::uint64_t keys) {
  std::map<std::string, GgufValue> metadata;
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::string key = cursor.text("metadata key", kMaxName);
    GgufValue value = readGgufValue(cursor, key);
    if (!metadata.emplace(key, std::move(value)).second) {
      cursor.refuse("metadata " + sanitized(key), "", "this key appears twice");
    }
  }
  return metadata;
}

TensorInfo readTensor(GgufCursor& cursor) {
  TensorInfo tensor;
  tensor.name = cursor.text("tensor name", kMaxName);
  const std::string place = "tensor " + sanitized(tensor.name);
  const auto rank = cursor.number<std::uint32_t>("tensor rank");
  if (rank > kMaxRank) cursor.refuse(place, "at most 4 dimensions", std::to_string(rank));
  for (std::uint32_t i = 0; i < rank; ++i) {
    const auto size = cursor.number<std::uint64_t>("tensor shape");
    if (size > static_cast<std::uint64_t>(INT64_MAX))
      cursor.refuse(place, "sizes up to 2^63", std::to_string(size));
    tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(size));
  }
  const auto typeId = cursor.number<std::uint32_t>("tensor type");
  const TensorFormat* format = formatOfGguf(typeId);
  if (format == nullptr) {
    cursor.refuse(place, "a type of " + ggufTypeNames(), nameOfUnreadGgufType(typeId));
  }
  tensor.type = format->type;
  const auto bytes = byteCount(*format, tensor.shape);
  if (!bytes) {
    cursor.refuse(place, "rows of whole blocks and a size that fits 63 bits", "another shape");
  }
  tensor.bytes = *bytes;
  tensor.offset = cursor.number<std::uint64_t>("tensor offset");  // from the start of the data, for now
  return tensor;
}

std::uint64_t alignmentOf(const std::map<std::string, GgufValue>& metadata, const GgufCursor& cursor) {
  const auto found = metadata.find("general.alignment");
  if (found == metadata.end()) return kDefaultAlignment;
  const auto* value = std::get_if<std::int64_t>(&found->second);
  if (value == nullptr || *value < 1 || *value > kMaxAlignment ||
      !std::has_single_bit(static_cast<std::uint64_t>(*value))) {
    cursor.refuse("general.alignment", "a power of two up to 2^20",
                  value == nullptr ? "no integer" : std::to_string(*value));
  }
  return static_cast<std::uint64_t>(*value);
}

// Where the data of the last tensor that can be meant end, from the start of all data; the offsets are still
// those of the file.
std::uint64_t neededBytes(const std::vector<TensorInfo>& tensors) {
  std::uint64_t needed = 0;
  for (const TensorInfo& tensor : tensors) {
    if (tensor.offset <= kMostOffset && tensor.bytes <= kMostOffset)
      needed = std::max(needed, tensor.offset + tensor.bytes);
  }
  return needed;
}

// Offsets become absolute; every tensor is aligned, inside the file, and overlaps no other.
void placeTensors(std::vector<TensorInfo>& tensors, std::uint64_t directoryEnd, std::uint64_t alignment,
                  const ByteSource& file) {
  const std::uint64_t fileSize = file.size();
  const std::uint64_t dataStart = (directoryEnd + alignment - 1) / alignment * alignment;
  const std::uint64_t dataSize = fileSize > dataStart ? fileSize - dataStart : 0;
  std::stable_sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
    return std::pair(a.offset, a.bytes) < std::pair(b.offset, b.bytes);
  });
  std::uint64_t reached = 0;
  for (TensorInfo& tensor : tensors) {
    const std::string place = "tensor " + sanitized(tensor.name);
    if (tensor.offset % alignment != 0) {
      throw InputError({file.path(), place, "an offset that is a multiple of " + std::to_string(alignment),
                        std::to_string(tensor.offset)});
    }
    if (tensor.offset > kMostOffset) {
      throw InputError({file.path(), place, "an offset of at most 2^62", std::to_string(tensor.offset)});
    }
    if (tensor.offset > dataSize || tensor.bytes > dataSize - tensor.offset) {
      throw InputError({file.path(), place, "", cutShort(fileSize, dataStart + neededBytes(tensors))});
    }
    if (tensor.offset < reached) {
      throw InputError({file.path(), place,
                        "data after the tensor before it, from offset " + std::to_string(reached),
                        "offset " + std::to_string(tensor.offset) + " (overlapping data)"});
    }
    reached = tensor.offset + tensor.bytes;
    tensor.offset += dataStart;
    tensor.file = file.path();
  }
}

}  // namespace

GgufDirectory readGgufDirectory(const ByteSource& file) {
  GgufCursor cursor(file);
  readVersion(cursor);
  // A tensor takes at least name length, rank, type and offset; a key its length, type and one byte.
  const std::uint64_t tensorCount = cursor.count("tensor count", 24, kMaxTensors);
  const std::uint64_t keyCount = cursor.count("metadata count", 13, kMaxKeys);
  GgufDirectory directory;
  directory.metadata = readMetadata(cursor, keyCount);
  for (std::uint64_t i = 0; i < tensorCount; ++i) directory.tensors.push_back(readTensor(cursor));
  placeTensors(directory.tensors, cursor.position(), alignmentOf(directory.metadata, cursor), file);
  return directory;
}

}  // namespace plastiscope
