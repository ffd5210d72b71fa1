#include "core/weights/gguf_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint64_t kMaxName = 65'535;
constexpr std::uint64_t kMaxKeys = 100'000;
constexpr std::uint64_t kMaxTensors = 200'000;
constexpr std::uint32_t kMaxRank = 4;
constexpr std::uint64_t kMaxOffset = std::uint64_t{1} << 62;
constexpr std::int64_t kDefaultAlignment = 32;
constexpr const char* kAlignment = "general.alignment";
constexpr std::uint64_t kMaxAlignment = 1 << 20;

void readVersion(GgufCursor& cursor) {
  const auto magic = cursor.number<std::uint32_t>("magic");
  if (magic != kMagic) {
    const std::string_view bytes(reinterpret_cast<const char*>(&magic), sizeof magic);
    cursor.refuse("magic", "\"GGUF\"", "\"" + sanitized(bytes) + "\"");
  }
  const auto version = cursor.number<std::uint32_t>("version");
  if (version != 0 && (version & 0xffff) == 0)
    cursor.refuse("version", "a little-endian file", "a big-endian one");
  if (version != 2 && version != 3) cursor.refuse("version", "2 or 3", std::to_string(version));
}

// Reads the name of a key or tensor, which must be UTF-8.
std::string readName(GgufCursor& cursor, const char* what) {
  std::string name = cursor.text(what, kMaxName);
  for (std::size_t position = 0, unused = 0; position < name.size();) {
    const std::size_t length = wellFormedLength(name, position, unused);
    if (length == 0) cursor.refuse(what, "UTF-8", "\"" + sanitized(name) + "\"");
    position += length;
  }
  return name;
}

std::map<std::string, GgufValue> readMetadata(GgufCursor& cursor, std::uint64_t keys) {
  std::map<std::string, GgufValue> metadata;
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::string key = readName(cursor, "metadata key");
    GgufValue value = readGgufValue(cursor, key);
    if (!metadata.emplace(key, std::move(value)).second) {
      cursor.refuse("metadata " + sanitized(key), "", "this key appears twice");
    }
  }
  return metadata;
}

TensorInfo readTensor(GgufCursor& cursor) {
  TensorInfo tensor;
  tensor.name = readName(cursor, "tensor name");
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
  tensor.type = format == nullptr ? TensorType::Other : format->type;
  if (format == nullptr)
    tensor.unread = std::make_shared<const InputError>(
        Fault{cursor.path(), place, "a type of " + ggufTypeNames(), nameOfUnreadGgufType(typeId)});
  const auto bytes = format == nullptr ? 0 : byteCount(*format, tensor.shape);
  if (!bytes) {
    cursor.refuse(place, "rows of whole blocks and a size that fits 63 bits", shapeText(tensor.shape));
  }
  tensor.bytes = *bytes;
  tensor.offset = cursor.number<std::uint64_t>("tensor offset");  // made absolute by placeTensors()
  return tensor;
}

std::uint64_t alignmentOf(const std::map<std::string, GgufValue>& metadata, const GgufCursor& cursor) {
  const auto found = metadata.find(kAlignment);
  if (found == metadata.end()) return kDefaultAlignment;
  const auto value = static_cast<std::uint64_t>(std::get<std::int64_t>(found->second));
  if (value > kMaxAlignment || !std::has_single_bit(value))
    cursor.refuse(kAlignment, "a power of two up to 2^20", std::to_string(value));
  return value;
}

// End of the last tensor with a plausible offset, relative to the data area.
std::uint64_t neededBytes(const std::vector<TensorInfo>& tensors) {
  std::uint64_t needed = 0;
  for (const TensorInfo& tensor : tensors) {
    if (tensor.offset <= kMaxOffset && tensor.bytes <= kMaxOffset)
      needed = std::max(needed, tensor.offset + tensor.bytes);
  }
  return needed;
}

// Makes offsets absolute. Tensors must be aligned, inside the file, and free of overlaps.
void placeTensors(std::vector<TensorInfo>& tensors, std::uint64_t directoryEnd, std::uint64_t alignment,
                  const ByteSource& file) {
  const std::uint64_t fileSize = file.size();
  const std::uint64_t dataStart = (directoryEnd + alignment - 1) / alignment * alignment;
  const std::uint64_t dataSize = fileSize > dataStart ? fileSize - dataStart : 0;
  std::stable_sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
    return std::pair(a.offset, a.bytes) < std::pair(b.offset, b.bytes);
  });
  std::uint64_t reached = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TensorInfo& tensor = tensors[i];
    const std::string place = "tensor " + sanitized(tensor.name);
    if (tensor.unread && tensor.offset <= dataSize)  // size unknown: up to the next tensor
      tensor.bytes =
          std::min(i + 1 < tensors.size() ? tensors[i + 1].offset : dataSize, dataSize) - tensor.offset;
    if (tensor.offset % alignment != 0) {
      throw InputError({file.path(), place, "an offset that is a multiple of " + std::to_string(alignment),
                        std::to_string(tensor.offset)});
    }
    if (tensor.offset > kMaxOffset) {
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
  const std::uint64_t end = dataStart + (reached + alignment - 1) / alignment * alignment;
  for (const std::uint64_t at : {dataStart + reached, end}) {
    char next[4] = {};
    if (at < fileSize && fileSize - at >= sizeof next) file.read(at, std::as_writable_bytes(std::span(next)));
    if (std::string_view(next, sizeof next) == "GGUF")
      throw InputError(
          {file.path(), "", "",
           "several GGUF files are joined into this one: keep the parts apart, under their own names in "
           "one folder, or merge them with llama-gguf-split --merge"});
  }
}

}  // namespace

GgufDirectory readGgufDirectory(const ByteSource& file) {
  GgufCursor cursor(file);
  readVersion(cursor);
  // Minimum sizes: a tensor has name length, rank, type and offset; a key has length, type and one byte.
  const std::uint64_t tensorCount = cursor.count("tensor count", 24, kMaxTensors);
  const std::uint64_t keyCount = cursor.count("metadata count", 13, kMaxKeys);
  GgufDirectory directory;
  directory.metadata = readMetadata(cursor, keyCount);
  for (std::uint64_t i = 0; i < tensorCount; ++i) directory.tensors.push_back(readTensor(cursor));
  placeTensors(directory.tensors, cursor.position(), alignmentOf(directory.metadata, cursor), file);
  return directory;
}

namespace {

constexpr std::uint64_t kMaxText = 64ull << 20;
constexpr std::size_t kReadAhead = std::size_t{1} << 16;

// Metadata types by number.
struct ValueType {
  std::uint64_t bytes;  // smallest size of one value in the file
  GgufValue (*one)(GgufCursor&, const std::string& key);
  GgufValue (*many)(GgufCursor&, const std::string& key, std::uint64_t count);
};

template <typename Number>
std::int64_t readInteger(GgufCursor& cursor, const std::string& key) {
  const auto value = cursor.number<Number>("metadata value");
  if constexpr (std::is_same_v<Number, std::uint64_t>) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      cursor.refuse("metadata " + sanitized(key), "at most 2^63 - 1", std::to_string(value));
    }
  }
  return static_cast<std::int64_t>(value);
}

template <typename Number>
double readReal(GgufCursor& cursor, const std::string&) {
  return static_cast<double>(cursor.number<Number>("metadata value"));
}

bool readFlag(GgufCursor& cursor, const std::string& key) {
  const auto value = cursor.number<std::uint8_t>("metadata value");
  if (value > 1)
    cursor.refuse("metadata " + sanitized(key), "0 or 1 for a truth value", std::to_string(value));
  return value != 0;
}

std::string readText(GgufCursor& cursor, const std::string&) {
  return cursor.text("metadata text", kMaxText);
}

template <typename Value, Value (*read)(GgufCursor&, const std::string&)>
constexpr ValueType valueType(std::uint64_t bytes) {
  return {bytes, [](GgufCursor& cursor, const std::string& key) { return GgufValue(read(cursor, key)); },
          [](GgufCursor& cursor, const std::string& key, std::uint64_t count) {
            std::vector<Value> values;
            values.reserve(count);
            for (std::uint64_t i = 0; i < count; ++i) values.push_back(read(cursor, key));
            return GgufValue(std::move(values));
          }};
}

constexpr std::uint32_t kUnsigned32 = 4, kArray = 9;
constexpr ValueType kNone{0, nullptr, nullptr};
constexpr std::array kValueTypes = {
    valueType<std::int64_t, readInteger<std::uint8_t>>(1),   // 0
    valueType<std::int64_t, readInteger<std::int8_t>>(1),    // 1
    valueType<std::int64_t, readInteger<std::uint16_t>>(2),  // 2
    valueType<std::int64_t, readInteger<std::int16_t>>(2),   // 3
    valueType<std::int64_t, readInteger<std::uint32_t>>(4),  // 4
    valueType<std::int64_t, readInteger<std::int32_t>>(4),   // 5
    valueType<double, readReal<float>>(4),                   // 6
    valueType<bool, readFlag>(1),                            // 7
    valueType<std::string, readText>(8),                     // 8
    kNone,                                                   // 9: array
    valueType<std::int64_t, readInteger<std::uint64_t>>(8),  // 10
    valueType<std::int64_t, readInteger<std::int64_t>>(8),   // 11
    valueType<double, readReal<double>>(8),                  // 12
};

const ValueType& typeOf(GgufCursor& cursor, std::uint32_t number, const std::string& key) {
  if (number == kArray) cursor.refuse("metadata " + sanitized(key), "a flat array", "an array of arrays");
  if (number >= kValueTypes.size()) {
    cursor.refuse("metadata " + sanitized(key), "a value type of 0 to 12", std::to_string(number));
  }
  return kValueTypes[number];
}

}  // namespace

void GgufCursor::take(std::span<std::byte> out) {
  if (out.size() >= kReadAhead) {
    m_file.read(m_position, out);
  } else {
    if (m_position + out.size() > m_windowStart + m_window.size()) {
      m_window.resize(std::min<std::uint64_t>(kReadAhead, left()));
      m_windowStart = m_position;
      m_file.read(m_windowStart, m_window);
    }
    const auto from = m_window.begin() + static_cast<std::ptrdiff_t>(m_position - m_windowStart);
    std::copy_n(from, out.size(), out.begin());
  }
  m_position += out.size();
}

template <typename Number>
Number GgufCursor::number(const char* what) {
  if (left() < sizeof(Number)) refuse(what, "", cutShort(m_file.size(), m_position + sizeof(Number)));
  Number value;
  take(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}
template std::uint32_t GgufCursor::number<std::uint32_t>(const char*);
template std::uint64_t GgufCursor::number<std::uint64_t>(const char*);

std::string GgufCursor::text(const char* what, std::uint64_t longest) {
  const std::uint64_t length = count(what, 1, longest);
  std::string value(length, '\0');
  take(std::as_writable_bytes(std::span(value)));
  return value;
}

std::uint64_t GgufCursor::count(const char* what, std::uint64_t bytesEach, std::uint64_t most) {
  const auto value = number<std::uint64_t>(what);
  if (value > most) refuse(what, "at most " + std::to_string(most), std::to_string(value));
  if (value > left() / bytesEach) {
    refuse(what, "",
           std::to_string(value) + " are stated, but " +
               cutShort(m_file.size(), m_position + value * bytesEach));
  }
  return value;
}

std::uint64_t GgufCursor::arrayLength(std::uint64_t bytesEach) {
  const std::uint64_t length = count("array length", bytesEach, m_arrayElementsLeft);
  m_arrayElementsLeft -= length;
  return length;
}

void GgufCursor::refuse(const std::string& what, const std::string& expected,
                        const std::string& found) const {
  throw InputError({m_file.path(), what + " before byte " + std::to_string(m_position), expected, found});
}

GgufValue readGgufValue(GgufCursor& cursor, const std::string& key) {
  const auto number = cursor.number<std::uint32_t>("metadata type");
  if (key == kAlignment && number != kUnsigned32)
    cursor.refuse(kAlignment, "an unsigned integer of 32 bits", "no integer of that type");
  if (number != kArray) return typeOf(cursor, number, key).one(cursor, key);
  const ValueType& element = typeOf(cursor, cursor.number<std::uint32_t>("array type"), key);
  return element.many(cursor, key, cursor.arrayLength(element.bytes));
}

}  // namespace plastiscope
