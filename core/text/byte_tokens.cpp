#include "core/text/byte_tokens.h"

#include <algorithm>

namespace plastiscope {

namespace {

constexpr std::string_view kSpaceSymbol = "\u2581";

int hexDigit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

}  // namespace

std::string byteTokenText(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">";
}

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

}  // namespace plastiscope
