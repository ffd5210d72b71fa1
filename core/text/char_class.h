#pragma once
// Unicode character classes for pre-split patterns: \p{L}, \p{N}, \s and others.
#include <cstdint>

namespace plastiscope {

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
