#pragma once
// Reads messages in protobuf's wire format, field by field.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace plastiscope {

class ProtoReader {
 public:
  // `bytes` must outlive the reader; `place` names the message in errors.
  ProtoReader(std::string_view bytes, const std::filesystem::path& file, std::string place)
      : m_bytes(bytes), m_file(&file), m_place(std::move(place)) {}

  // Moves to the next field; false at the end. InputError when the message is damaged.
  bool next();
  std::uint32_t field() const { return m_field; }
  // The value of the field; InputError when it has another type.
  std::int64_t integer() const;
  bool flag() const { return integer() != 0; }
  float real() const;
  std::string_view bytes() const;
  ProtoReader message(std::string place) const { return {bytes(), *m_file, std::move(place)}; }

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;

 private:
  enum class Type { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
  std::uint64_t varint();
  std::string_view take(std::uint64_t size);
  void requireType(Type type, const char* name) const;

  std::string_view m_bytes;
  const std::filesystem::path* m_file;
  std::string m_place;
  std::size_t m_position = 0;
  std::uint32_t m_field = 0;
  Type m_type = Type::Varint;
  std::uint64_t m_integer = 0;
  std::string_view m_value;
};

}  // namespace plastiscope
