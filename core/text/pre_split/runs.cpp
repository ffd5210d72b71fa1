#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

// `matchEnd` gives the end of the match at a position, or the position itself.
template <typename MatchEnd>
void isolate(std::string_view text, Ends& ends, MatchEnd matchEnd) {
  std::size_t pieceStart = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t end = matchEnd(position);
    if (end == position) {
      position += utf8Length(static_cast<unsigned char>(text[position]));
      continue;
    }
    if (position > pieceStart) ends.push_back(position);
    ends.push_back(end);
    position = pieceStart = end;
  }
  if (pieceStart < text.size()) ends.push_back(text.size());
}

bool isAsciiDigit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool isMark(char32_t character) {
  static constexpr std::string_view kSymbols = "$+<=>^~|";
  if (character < 0x80 && kSymbols.find(static_cast<char>(character)) != std::string_view::npos) return true;
  return charClass(character) == CharClass::Punctuation;
}

}  // namespace

void digits(std::string_view text, Ends& ends) {
  isolate(text, ends, [&](std::size_t position) {
    std::size_t behind = position;
    return isNumber(nextCodePoint(text, behind)) ? behind : position;
  });
}

void digitRuns(std::string_view text, Ends& ends) {
  isolate(text, ends, [&](std::size_t position) { return runEnd(text, position, isNumber); });
}

void digitTriples(std::string_view text, Ends& ends) {
  isolate(text, ends, [&](std::size_t position) {
    const std::string_view three = text.substr(position, 3);
    const bool match =
        three.size() == 3 && isAsciiDigit(three[0]) && isAsciiDigit(three[1]) && isAsciiDigit(three[2]);
    return match ? position + 3 : position;
  });
}

void punctuationRuns(std::string_view text, Ends& ends) {
  isolate(text, ends, [&](std::size_t position) { return runEnd(text, position, isMark); });
}

}  // namespace plastiscope::split
