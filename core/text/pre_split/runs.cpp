#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

namespace plastiscope::split {

namespace {

bool isAsciiDigit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool isMark(char32_t character) {
  static constexpr std::string_view kSymbols = "$+<=>^~|";
  if (character < 0x80 && kSymbols.find(static_cast<char>(character)) != std::string_view::npos) return true;
  return charClass(character) == CharClass::Punctuation;
}

bool isCjk(char32_t character) {
  return (character >= 0x4E00 && character <= 0x9FA5) || (character >= 0x3040 && character <= 0x30FF);
}

}  // namespace

void digits(std::string_view text, Cuts& cuts) {
  scanCharacters(text, cuts, isNumber);
}

void digitRuns(std::string_view text, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return runEnd(text, position, isNumber); });
}

void digitsByThree(std::string_view text, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return numberEnd(text, position, 3); });
}

void digitTriples(std::string_view text, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) {
    const std::string_view three = text.substr(position, 3);
    const bool match =
        three.size() == 3 && isAsciiDigit(three[0]) && isAsciiDigit(three[1]) && isAsciiDigit(three[2]);
    return match ? position + 3 : position;
  });
}

void punctuationRuns(std::string_view text, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return runEnd(text, position, isMark); });
}

void cjkRuns(std::string_view text, Cuts& cuts) {
  scanMatches(text, cuts, [&](std::size_t position) { return runEnd(text, position, isCjk); });
}

void spaces(std::string_view text, Cuts& cuts) {
  scanForText(" ", text, cuts);
}

}  // namespace plastiscope::split
