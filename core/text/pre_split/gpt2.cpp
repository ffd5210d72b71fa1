#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

// ` ?X+` for the three kinds of X, at a character that is no white space or behind one space.
std::size_t wordEnd(std::string_view text, std::size_t position) {
  const char32_t first = peek(text, position);
  if (isLetter(first)) return runEnd(text, position, isLetter);
  if (isNumber(first)) return runEnd(text, position, isNumber);
  return runEnd(text, position, isOtherThanWord);
}

std::size_t gpt2PieceEnd(std::string_view text, std::size_t position) {
  if (const std::size_t length = contractionLength(text, position, false)) return position + length;
  if (!isWhitespace(peek(text, position))) return wordEnd(text, position);
  const bool spaceBeforeWord =
      text[position] == ' ' && position + 1 < text.size() && !isWhitespace(peek(text, position + 1));
  return spaceBeforeWord ? wordEnd(text, position + 1) : whitespaceEnd(text, position);
}

}  // namespace

void gpt2(std::string_view text, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return gpt2PieceEnd(text, position); });
}

}  // namespace plastiscope::split
