#pragma once
// Code points of UTF-8 text. All functions but repairUtf8 (tokenizer.h) expect valid UTF-8.
#include <cstddef>
#include <cstdint>
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

// ---- Unicode character classes for pre-split patterns: \p{L}, \p{N}, \s and others.

// Groups of general categories.
enum class CharClass : std::uint8_t {
  Other,
  UpperLetter,     // Lu
  LowerLetter,     // Ll
  TitleLetter,     // Lt
  ModifierLetter,  // Lm
  OtherLetter,     // Lo
  Mark,            // Mn Mc Me
  Number,          // Nd Nl No
  Punctuation,     // Pc Pd Ps Pe Pi Pf Po
  Symbol,          // Sm Sc Sk So
};

// The category in Unicode 16, also with an older ICU.
CharClass charClass(char32_t codePoint);

bool isLetter(char32_t codePoint);      // \p{L}
bool isNumber(char32_t codePoint);      // \p{N}
bool isWhitespace(char32_t codePoint);  // \s: the White_Space property
bool isLatin(char32_t codePoint);       // script Latin, Common or Inherited
bool isWordCharacter(
    char32_t codePoint);  // \w: alphabetic, mark, decimal digit, connecting punctuation, joiner
// [^\s\p{L}\p{N}]
bool isOtherThanWord(char32_t codePoint);

}  // namespace plastiscope
