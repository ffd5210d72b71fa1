#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

bool isLetterOrMark(char32_t character) {
  return isLetter(character) || charClass(character) == CharClass::Mark;
}

bool isCl100kPunctuation(char32_t character) {
  return isOtherThanWord(character) && charClass(character) != CharClass::Mark;
}

// What the patterns of this family differ in.
struct Cl100kVariant {
  int mostDigits;
  bool (*isLetter)(char32_t);       // of words
  bool (*isPunctuation)(char32_t);  // of runs of anything else
  bool linesBehindPunctuation;
};
constexpr Cl100kVariant kLlama3{3, isLetter, isOtherThanWord, true};
constexpr Cl100kVariant kQwen2{1, isLetter, isOtherThanWord, true};
constexpr Cl100kVariant kQwen35{1, isLetterOrMark, isCl100kPunctuation, true};
constexpr Cl100kVariant kSeed{1, isLetter, isOtherThanWord, false};

std::size_t punctuationEnd(std::string_view text, std::size_t position, const Cl100kVariant& variant) {
  const std::size_t end = runEnd(text, position, variant.isPunctuation);
  return variant.linesBehindPunctuation ? runEnd(text, end, isLineBreak) : end;
}

std::size_t pieceEnd(std::string_view text, std::size_t position, const Cl100kVariant& variant) {
  if (const std::size_t length = contractionLength(text, position, true)) return position + length;
  std::size_t next = position;
  const char32_t first = nextCodePoint(text, next);
  if (variant.isLetter(first)) return runEnd(text, next, variant.isLetter);
  if (isNumber(first)) return numberEnd(text, position, variant.mostDigits);
  const bool more = next < text.size();
  const char32_t second = peek(text, next);
  if (!isLineBreak(first) && more && variant.isLetter(second)) return runEnd(text, next, variant.isLetter);
  if (!isWhitespace(first)) return punctuationEnd(text, position, variant);
  if (first == ' ' && more && variant.isPunctuation(second)) return punctuationEnd(text, next, variant);
  return lineOrWhitespaceEnd(text, position);
}

void scan(std::string_view text, const Cl100kVariant& variant, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return pieceEnd(text, position, variant); });
}

}  // namespace

void llama3(std::string_view text, Cuts& cuts) {
  scan(text, kLlama3, cuts);
}
void qwen2(std::string_view text, Cuts& cuts) {
  scan(text, kQwen2, cuts);
}
void qwen35(std::string_view text, Cuts& cuts) {
  scan(text, kQwen35, cuts);
}
void seed(std::string_view text, Cuts& cuts) {
  scan(text, kSeed, cuts);
}

}  // namespace plastiscope::split
