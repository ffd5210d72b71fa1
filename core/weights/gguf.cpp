#include "core/weights/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <limits>
#include <type_traits>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMaxParts = 4096;

std::int64_t integerOr(const std::map<std::string, GgufValue>& metadata, const std::string& key,
                       std::int64_t otherwise) {
  const auto found = metadata.find(key);
  const auto* value = found == metadata.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return value == nullptr ? otherwise : *value;
}

// Opens all parts of a split model; metadata come from the first part.
std::shared_ptr<const GgufFile> openParts(const fs::path& file, std::int64_t count) {
  if (count > kMaxParts) throw InputError({file, "split.count", "at most 4096 parts", std::to_string(count)});
  const std::optional<GgufPart> names = ggufPartOf(file.filename().string());
  if (!names || names->count != count) {
    throw InputError({file, "file name", "the form NAME-00001-of-0000N.gguf of a split model",
                      "\"" + sanitized(file.filename().string()) + "\""});
  }
  TensorDirectory directory;
  std::map<std::string, GgufValue> metadata;
  for (std::int64_t number = 1; number <= count; ++number) {
    const fs::path name = file.parent_path() / names->fileName(number);
    if (std::error_code code; !fs::exists(name, code))
      throw InputError({name, "", "",
                        "this part of a model of " + std::to_string(count) +
                            " parts is missing: download it into the same folder"});
    const auto part = openBytes(name);
    GgufDirectory content = readGgufDirectory(*part);
    if (integerOr(content.metadata, "split.no", -1) != number - 1 ||
        integerOr(content.metadata, "split.count", -1) != count) {
      throw InputError({name, "split.no", "part " + std::to_string(number) + " of " + std::to_string(count),
                        "another part"});
    }
    directory.add(part, std::move(content.tensors));
    if (number == 1) metadata = std::move(content.metadata);
  }
  const std::int64_t expected = integerOr(metadata, "split.tensors.count", -1);
  if (expected >= 0 && expected != static_cast<std::int64_t>(directory.tensors().size())) {
    throw InputError({file, "split.tensors.count", std::to_string(expected) + " tensors in all parts",
                      std::to_string(directory.tensors().size())});
  }
  return std::make_shared<const GgufFile>(file.parent_path() / names->fileName(1), std::move(metadata),
                                          std::move(directory));
}

template <typename Value>
std::optional<Value> lookUp(const GgufFile& file, const std::string& key, const char* expected) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) return std::nullopt;
  const auto* value = std::get_if<Value>(&found->second);
  if (value == nullptr) throw InputError({file.path(), "metadata " + key, expected, "another type"});
  return *value;
}

}  // namespace

std::string GgufPart::fileName(std::int64_t ofNumber) const {
  char ending[64];
  std::snprintf(ending, sizeof ending, "-%05lld-of-%05lld.gguf", static_cast<long long>(ofNumber),
                static_cast<long long>(count));
  return name + ending;
}

std::optional<GgufPart> ggufPartOf(const std::string& fileName) {
  constexpr std::string_view kForm = "-#####-of-#####.gguf";
  if (fileName.size() <= kForm.size()) return std::nullopt;
  const std::string_view ending = std::string_view(fileName).substr(fileName.size() - kForm.size());
  const bool fits = std::equal(kForm.begin(), kForm.end(), ending.begin(), [](char form, char found) {
    return form == '#' ? found >= '0' && found <= '9' : found == form;
  });
  if (!fits) return std::nullopt;
  GgufPart part{fileName.substr(0, fileName.size() - kForm.size())};
  std::from_chars(ending.data() + 1, ending.data() + 6, part.number);
  std::from_chars(ending.data() + 10, ending.data() + 15, part.count);
  return part;
}

bool isGgufModelName(const std::string& fileName) {
  const auto part = ggufPartOf(fileName);
  return fileName.ends_with(".gguf") && (!part || part->number == 1) &&
         fileName.find("mmproj") == std::string::npos;
}

std::optional<std::int64_t> GgufFile::integer(const std::string& key) const {
  return lookUp<std::int64_t>(*this, key, "an integer");
}

std::optional<double> GgufFile::number(const std::string& key) const {
  const auto found = metadata().find(key);
  if (found != metadata().end() && std::holds_alternative<std::int64_t>(found->second)) {
    return static_cast<double>(std::get<std::int64_t>(found->second));
  }
  return lookUp<double>(*this, key, "a number");
}

std::optional<bool> GgufFile::flag(const std::string& key) const {
  return lookUp<bool>(*this, key, "a truth value");
}

std::optional<std::string> GgufFile::text(const std::string& key) const {
  return lookUp<std::string>(*this, key, "a text");
}

bool looksLikeGguf(const fs::path& file) {
  try {
    return readStart(file, 4) == "GGUF";
  } catch (const InputError&) {
    return false;  // missing or unreadable
  }
}

std::shared_ptr<const GgufFile> openGguf(const fs::path& path) {
  const auto file = openBytes(path);
  GgufDirectory content = readGgufDirectory(*file);
  const std::int64_t parts = integerOr(content.metadata, "split.count", 1);
  if (parts > 1) return openParts(path, parts);
  TensorDirectory directory;
  directory.add(file, std::move(content.tensors));
  return std::make_shared<const GgufFile>(path, std::move(content.metadata), std::move(directory));
}

// ---- Reading of the directory

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
