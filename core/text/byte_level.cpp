#include "core/text/byte_level.h"

#include <array>
#include <cstdint>

#include "core/text/utf8.h"

namespace plastiscope {

namespace {

constexpr char32_t kFirstShifted = 0x100;  // bytes without a printable Latin-1 character stand from here on
constexpr std::size_t kAlphabetEnd = 0x144;

constexpr bool isPrintableLatin1(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr auto kByteOfCharacter = [] {
  std::array<std::int16_t, kAlphabetEnd> table{};
  for (auto& entry : table) entry = -1;
  char32_t shifted = kFirstShifted;
  for (unsigned byte = 0; byte < 256; ++byte) {
    table[isPrintableLatin1(byte) ? byte : shifted++] = static_cast<std::int16_t>(byte);
  }
  return table;
}();

}  // namespace

std::optional<std::string> bytesOfByteLevelText(std::string_view text) {
  std::string bytes;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t character = nextCodePoint(text, position);
    if (character >= kAlphabetEnd || kByteOfCharacter[character] < 0) return std::nullopt;
    bytes += static_cast<char>(kByteOfCharacter[character]);
  }
  return bytes;
}

}  // namespace plastiscope
