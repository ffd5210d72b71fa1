#pragma once
// Code points of UTF-8 text. All functions but repairUtf8 (tokenizer.h) expect valid UTF-8.
#include <cstddef>
#include <string>
#include <string_view>

namespace plastiscope {

// Length in bytes of the code point that starts with `first`.
constexpr std::size_t utf8Length(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}
constexpr bool isUtf8Continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// Reads the code point at `position` and advances it.
char32_t nextCodePoint(std::string_view text, std::size_t& position);
// Start of the code point before `position` (> 0).
std::size_t previousCodePoint(std::string_view text, std::size_t position);
void appendUtf8(char32_t codePoint, std::string& text);

}  // namespace plastiscope
