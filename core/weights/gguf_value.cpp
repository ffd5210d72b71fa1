#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/weights/gguf_reader.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kMaxText = 64ull << 20;
constexpr std::size_t kReadAhead = std::size_t{1} << 16;

// Metadata types by their number in the file.
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

constexpr std::uint32_t kArray = 9;
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
  if (number != kArray) return typeOf(cursor, number, key).one(cursor, key);
  const ValueType& element = typeOf(cursor, cursor.number<std::uint32_t>("array type"), key);
  return element.many(cursor, key, cursor.arrayLength(element.bytes));
}

}  // namespace plastiscope
