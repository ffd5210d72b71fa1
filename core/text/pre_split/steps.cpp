// The reference library's own steps do not use its pattern engine: their tables are of other Unicode
// versions.
#include <unicode/uchar.h>

#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

// Unicode 17 in this one: Tolong Siki and Chisoi digits are numbers too.
bool isNumeric(char32_t character) {
  return isNumber(character) || (character >= 0x11DE0 && character <= 0x11DE9) ||
         (character >= 0x16FF4 && character <= 0x16FF6);
}

// Unicode 8 in this one, and all of ASCII's punctuation and symbols.
bool isPunctuation(char32_t character) {
  if (character < 0x80)
    return character > ' ' && character < 0x7F && !isLetter(character) && !isNumber(character);
  // A Canadian syllabics sign and a Sharada one, which are of other categories since.
  if (character == 0x166D || character == 0x111C9) return true;
  if (!u_ispunct(static_cast<UChar32>(character))) return false;
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(character), age);
  return age[0] <= 8;
}

}  // namespace

void numericCharacters(std::string_view text, Cuts& cuts) {
  scanCharacters(text, cuts, isNumeric);
}

void punctuationCharacters(std::string_view text, Cuts& cuts) {
  scanCharacters(text, cuts, isPunctuation);
}

void whitespaceCharacters(std::string_view text, Cuts& cuts) {
  scanCharacters(text, cuts, isWhitespace);
}

void words(std::string_view text, Cuts& cuts) {
  const auto isOther = [](char32_t character) {
    return !isWordCharacter(character) && !isWhitespace(character);
  };
  scanMatches(text, cuts, [&](std::size_t position) {
    const std::size_t end = runEnd(text, position, isWordCharacter);
    return end > position ? end : runEnd(text, position, isOther);
  });
}

}  // namespace plastiscope::split
