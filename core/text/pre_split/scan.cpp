#include "core/text/pre_split/scan.h"

namespace plastiscope::split {

std::size_t lineOrWhitespaceEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWhitespace);
  const std::size_t lineBreak = text.substr(position, end - position).find_last_of("\r\n");
  return lineBreak != std::string_view::npos ? position + lineBreak + 1 : whitespaceEnd(text, position);
}

std::size_t numberEnd(std::string_view text, std::size_t position, int most) {
  for (int count = 0; count < most && isNumber(peek(text, position)); ++count)
    position = behind(text, position);
  return position;
}

std::size_t contractionLength(std::string_view text, std::size_t position, bool anyCase) {
  if (position + 1 >= text.size() || text[position] != '\'') return 0;
  const auto letterAt = [&](std::size_t offset) -> char {
    if (position + offset >= text.size()) return 0;
    const char letter = text[position + offset];
    return anyCase && letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter | 0x20) : letter;
  };
  const char first = letterAt(1);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  const char second = letterAt(2);
  if ((first == 'r' || first == 'v') && second == 'e') return 3;
  if (first == 'l' && second == 'l') return 3;
  if (anyCase && text.substr(position + 1).starts_with("\xC5\xBF")) return 3;  // long s
  return 0;
}

}  // namespace plastiscope::split
