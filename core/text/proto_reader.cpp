#include "core/text/proto_reader.h"

#include <cstring>

#include "core/base/error.h"

namespace plastiscope {

void ProtoReader::refuse(const std::string& expected, const std::string& found) const {
  throw InputError({*m_file, m_place + ", byte " + std::to_string(m_position), expected, found});
}

std::uint64_t ProtoReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (m_position == m_bytes.size())
      refuse("", "the file is cut short or damaged: a number ends after " + std::to_string(m_bytes.size()) +
                     " bytes");
    const auto byte = static_cast<unsigned char>(m_bytes[m_position++]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  refuse("a number of at most ten bytes", "a longer one");
}

std::string_view ProtoReader::take(std::uint64_t size) {
  if (size > m_bytes.size() - m_position) {
    refuse("", "the file is cut short or damaged: " + std::to_string(m_bytes.size() - m_position) + " of " +
                   std::to_string(size) + " bytes are left");
  }
  const std::string_view value = m_bytes.substr(m_position, size);
  m_position += size;
  return value;
}

bool ProtoReader::next() {
  if (m_position == m_bytes.size()) return false;
  const std::uint64_t tag = varint();
  m_field = static_cast<std::uint32_t>(tag >> 3);
  m_type = static_cast<Type>(tag & 7);
  switch (m_type) {
    case Type::Varint:
      m_integer = varint();
      break;
    case Type::Fixed64:
      m_value = take(8);
      break;
    case Type::Fixed32:
      m_value = take(4);
      break;
    case Type::Bytes:
      m_value = take(varint());
      break;
    default:
      refuse("wire type 0, 1, 2 or 5", std::to_string(tag & 7));
  }
  return true;
}

void ProtoReader::requireType(Type type, const char* name) const {
  if (m_type != type) refuse(name, "another wire type in field " + std::to_string(m_field));
}

std::int64_t ProtoReader::integer() const {
  requireType(Type::Varint, "a whole number");
  return static_cast<std::int64_t>(m_integer);
}

float ProtoReader::real() const {
  requireType(Type::Fixed32, "a real number of four bytes");
  float value = 0;
  std::memcpy(&value, m_value.data(), sizeof value);
  return value;
}

std::string_view ProtoReader::bytes() const {
  requireType(Type::Bytes, "a text or a message");
  return m_value;
}

}  // namespace plastiscope
