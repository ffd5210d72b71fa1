#include "core/text/utf8.h"

#include <algorithm>
#include <cstdint>

#include "core/text/tokenizer.h"

namespace plastiscope {

namespace {

unsigned char byteAt(std::string_view text, std::size_t position) {
  return static_cast<unsigned char>(text[position]);
}

// Length of the well-formed sequence at `position`, or 0; then `illFormed` is the length of the maximal part
// that begins a well-formed sequence, at least 1 (Unicode 15, table 3-7 and "substitution of maximal
// subparts").
std::size_t wellFormedLength(std::string_view text, std::size_t position, std::size_t& illFormed) {
  const unsigned char first = byteAt(text, position);
  illFormed = 1;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = utf8Length(first);
  unsigned char least = 0x80, most = 0xBF;  // of the second byte
  if (first == 0xE0) least = 0xA0;
  if (first == 0xED) most = 0x9F;
  if (first == 0xF0) least = 0x90;
  if (first == 0xF4) most = 0x8F;
  for (std::size_t i = 1; i < length; ++i) {
    if (position + i >= text.size()) return 0;
    const unsigned char byte = byteAt(text, position + i);
    if (byte < least || byte > most) return 0;
    least = 0x80;
    most = 0xBF;
    illFormed = i + 1;
  }
  return length;
}

}  // namespace

char32_t nextCodePoint(std::string_view text, std::size_t& position) {
  const unsigned char first = byteAt(text, position);
  const std::size_t length = std::min(utf8Length(first), text.size() - position);
  char32_t value = length == 1 ? first : first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = (value << 6) | (byteAt(text, position + i) & 0x3Fu);
  position += length;
  return value;
}

std::size_t previousCodePoint(std::string_view text, std::size_t position) {
  do {
    --position;
  } while (position > 0 && isUtf8Continuation(byteAt(text, position)));
  return position;
}

void appendUtf8(char32_t codePoint, std::string& text) {
  const auto value = static_cast<std::uint32_t>(codePoint);
  if (value < 0x80) {
    text += static_cast<char>(value);
    return;
  }
  const int more = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;  // continuation bytes
  static constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kLead[more] | (value >> (6 * more)));
  for (int shift = 6 * (more - 1); shift >= 0; shift -= 6) {
    text += static_cast<char>(0x80u | ((value >> shift) & 0x3Fu));
  }
}

std::string repairUtf8(std::string_view bytes, std::int64_t* repaired) {
  std::string text;
  text.reserve(bytes.size());
  std::int64_t count = 0;
  std::size_t copied = 0;
  for (std::size_t position = 0; position < bytes.size();) {
    std::size_t illFormed = 0;
    const std::size_t length = wellFormedLength(bytes, position, illFormed);
    if (length > 0) {
      position += length;
      continue;
    }
    text.append(bytes.substr(copied, position - copied)).append("\xEF\xBF\xBD");
    position += illFormed;
    copied = position;
    ++count;
  }
  text.append(bytes.substr(copied));
  if (repaired != nullptr) *repaired = count;
  return text;
}

}  // namespace plastiscope
