#include "core/text/utf8.h"

#include <algorithm>
#include <cstdint>

#include "core/base/path_text.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

namespace {

unsigned char byteAt(std::string_view text, std::size_t position) {
  return static_cast<unsigned char>(text[position]);
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
  const int more = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;  // number of continuation bytes
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
