#include "core/text/byte_spellings.h"

#include <openssl/evp.h>

#include <algorithm>

#include "core/text/unicode.h"

namespace plastiscope {

namespace {

constexpr char32_t kFirstShifted = 0x100;  // for bytes without a printable Latin-1 character
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

namespace {

constexpr std::string_view kSpaceSymbol = "\u2581";

int hexDigit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<unsigned char> byteOfToken(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
  const int high = hexDigit(text[3]), low = hexDigit(text[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<unsigned char>(high * 16 + low);
}

std::string bytesOfCharacterToken(std::string_view text) {
  if (const auto byte = byteOfToken(text)) return std::string(1, static_cast<char>(*byte));
  std::string bytes;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t symbol = std::min(text.find(kSpaceSymbol, position), text.size());
    bytes.append(text.substr(position, symbol - position));
    if (symbol < text.size()) bytes += ' ';
    position = symbol + kSpaceSymbol.size();
  }
  return bytes;
}

std::optional<std::string> bytesOfBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0 || static_cast<std::size_t>(size) != bytes.size()) return std::nullopt;
  const auto padding =
      std::ranges::count(text.substr(text.size() - std::min<std::size_t>(text.size(), 2)), '=');
  bytes.resize(bytes.size() - std::min(bytes.size(), static_cast<std::size_t>(padding)));
  return bytes;
}

}  // namespace plastiscope
