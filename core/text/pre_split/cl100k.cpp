#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

bool isLineBreak(char32_t character) {
  return character == '\r' || character == '\n';
}

// [^\s\p{L}\p{N}]+[\r\n]*
std::size_t punctuationEnd(std::string_view text, std::size_t position) {
  return runEnd(text, runEnd(text, position, isOtherThanWord), isLineBreak);
}

// \s*[\r\n]+|\s+(?!\S)|\s+
std::size_t spaceEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWhitespace);
  const std::size_t lineBreak = text.substr(position, end - position).find_last_of("\r\n");
  return lineBreak != std::string_view::npos ? position + lineBreak + 1 : whitespaceEnd(text, position);
}

std::size_t numberEnd(std::string_view text, std::size_t position, int mostDigits) {
  for (int digit = 0; digit < mostDigits && isNumber(peek(text, position)); ++digit) {
    position += utf8Length(static_cast<unsigned char>(text[position]));
  }
  return position;
}

std::size_t pieceEnd(std::string_view text, std::size_t position, int mostDigits) {
  if (const std::size_t length = contractionLength(text, position, true)) return position + length;
  std::size_t behind = position;
  const char32_t first = nextCodePoint(text, behind);
  if (isLetter(first)) return runEnd(text, behind, isLetter);
  if (isNumber(first)) return numberEnd(text, position, mostDigits);
  const char32_t second = peek(text, behind);
  if (!isLineBreak(first) && isLetter(second)) return runEnd(text, behind, isLetter);
  if (!isWhitespace(first)) return punctuationEnd(text, position);
  if (first == ' ' && behind < text.size() && isOtherThanWord(second)) return punctuationEnd(text, behind);
  return spaceEnd(text, position);
}

void scan(std::string_view text, int mostDigits, Ends& ends) {
  for (std::size_t position = 0; position < text.size();) {
    position = pieceEnd(text, position, mostDigits);
    ends.push_back(position);
  }
}

}  // namespace

void llama3(std::string_view text, Ends& ends) {
  scan(text, 3, ends);
}
void qwen2(std::string_view text, Ends& ends) {
  scan(text, 1, ends);
}

}  // namespace plastiscope::split
