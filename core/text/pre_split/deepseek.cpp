#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

bool isAsciiLetter(char32_t character) {
  return (character | 0x20) >= 'a' && (character | 0x20) <= 'z';
}
bool isAsciiMark(char32_t character) {
  return character > ' ' && character < 0x7F && !isAsciiLetter(character) && !isNumber(character);
}
bool isDeepseekLetter(char32_t character) {
  return isLetter(character) || charClass(character) == CharClass::Mark;
}
bool isPunctuationOrSymbol(char32_t character) {
  const CharClass value = charClass(character);
  return value == CharClass::Punctuation || value == CharClass::Symbol;
}

// The end of the match at `position`, or the position: some control characters match nothing.
std::size_t matchEnd(std::string_view text, std::size_t position) {
  std::size_t next = position;
  const char32_t first = nextCodePoint(text, next);
  const char32_t second = peek(text, next);
  if (isAsciiMark(first) && isAsciiLetter(second)) return runEnd(text, next, isAsciiLetter);
  if (isDeepseekLetter(first)) return runEnd(text, next, isDeepseekLetter);
  if (!isLineBreak(first) && !isPunctuationOrSymbol(first) && isDeepseekLetter(second))
    return runEnd(text, next, isDeepseekLetter);
  const std::size_t start = first == ' ' ? next : position;
  const std::size_t end = runEnd(text, start, isPunctuationOrSymbol);
  if (end > start) return runEnd(text, end, isLineBreak);
  return isWhitespace(first) ? lineOrWhitespaceEnd(text, position) : position;
}

}  // namespace

void deepseek3(std::string_view text, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return matchEnd(text, position); });
}

}  // namespace plastiscope::split
