#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

// \p{Lm}\p{Lo}\p{M} belong to both halves of a word.
bool isUpper(char32_t character) {
  const CharClass value = charClass(character);
  return value == CharClass::UpperLetter || value == CharClass::TitleLetter ||
         value == CharClass::ModifierLetter || value == CharClass::OtherLetter || value == CharClass::Mark;
}
bool isLower(char32_t character) {
  const CharClass value = charClass(character);
  return value == CharClass::LowerLetter || value == CharClass::ModifierLetter ||
         value == CharClass::OtherLetter || value == CharClass::Mark;
}

bool isLineBreakOrSlash(char32_t character) {
  return isLineBreak(character) || character == '/';
}

// Reads U*L+|U+L* at `position`: U* takes as much as it can and gives back until an L follows. Without any L
// in reach all of the U are the match. `position` itself when there is none.
std::size_t casedWordEnd(std::string_view text, std::size_t position) {
  const std::size_t upperEnd = runEnd(text, position, isUpper);
  const std::size_t lowerEnd = runEnd(text, upperEnd, isLower);
  if (lowerEnd > upperEnd) return lowerEnd;
  for (std::size_t end = upperEnd; end > position;) {
    const std::size_t start = previousCodePoint(text, end);
    if (isLower(peek(text, start))) return end;
    end = start;
  }
  return upperEnd;
}

struct O200kVariant {
  int mostDigits;
  bool contractions;
};
constexpr O200kVariant kO200k{3, true};
constexpr O200kVariant kTekken{1, false};

std::size_t withContraction(std::string_view text, std::size_t end, const O200kVariant& variant) {
  return variant.contractions ? end + contractionLength(text, end, true) : end;
}

// A word with or without one character before it, or the position itself. A mark could be that character, but
// the match is the same when it counts as the first of the word.
std::size_t prefixedWordEnd(std::string_view text, std::size_t position, const O200kVariant& variant) {
  const char32_t first = peek(text, position);
  if (isLineBreak(first) || isNumber(first)) return position;
  const bool partOfWord = isLetter(first) || charClass(first) == CharClass::Mark;
  const std::size_t start = partOfWord ? position : behind(text, position);
  const std::size_t end = casedWordEnd(text, start);
  return end == start ? position : withContraction(text, end, variant);
}

std::size_t pieceEnd(std::string_view text, std::size_t position, const O200kVariant& variant) {
  const std::size_t word = prefixedWordEnd(text, position, variant);
  if (word > position) return word;
  std::size_t next = position;
  const char32_t first = nextCodePoint(text, next);
  if (isNumber(first)) return numberEnd(text, position, variant.mostDigits);
  const auto punctuationEnd = [&](std::size_t start) {
    return runEnd(text, runEnd(text, start, isOtherThanWord), isLineBreakOrSlash);
  };
  if (!isWhitespace(first)) return punctuationEnd(position);
  if (first == ' ' && next < text.size() && isOtherThanWord(peek(text, next))) return punctuationEnd(next);
  return lineOrWhitespaceEnd(text, position);
}

void scan(std::string_view text, const O200kVariant& variant, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return pieceEnd(text, position, variant); });
}

}  // namespace

void o200k(std::string_view text, Cuts& cuts) {
  scan(text, kO200k, cuts);
}
void tekken(std::string_view text, Cuts& cuts) {
  scan(text, kTekken, cuts);
}

}  // namespace plastiscope::split
