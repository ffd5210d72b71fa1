#include <unicode/uchar.h>

#include <algorithm>

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

std::size_t threeDigitsEnd(std::string_view text, std::size_t position) {
  const std::string_view three = text.substr(position, 3);
  return three.size() == 3 && std::ranges::all_of(three, isAsciiDigit) ? position + 3 : position;
}

std::size_t upToThreeEnd(std::string_view text, std::size_t position) {
  return numberEnd(text, position, 3);
}

}  // namespace

const SplitScanner digits = matches<oneEnd<isNumber>>;
const SplitScanner digitRuns = matches<allEnd<isNumber>>;
const SplitScanner digitsByThree = matches<upToThreeEnd>;
const SplitScanner digitTriples = matches<threeDigitsEnd>;
const SplitScanner punctuationRuns = matches<allEnd<isMark>>;
const SplitScanner cjkRuns = matches<allEnd<isCjk>>;
const SplitScanner spaces = [](std::string_view text, std::vector<Cut>& cuts) {
  scanForText(" ", text, cuts);
};

// ---- Named steps of the reference library: their tables come from other Unicode versions than those of its
// regular expressions.

namespace {

// Unicode 17: includes the digits of Tolong Siki and Chisoi.
bool isNumeric(char32_t character) {
  return isNumber(character) || (character >= 0x11DE0 && character <= 0x11DE9) ||
         (character >= 0x16FF4 && character <= 0x16FF6);
}

// Unicode 8, and all punctuation and symbols of ASCII.
bool isPunctuation(char32_t character) {
  if (character < 0x80)
    return character > ' ' && character < 0x7F && !isLetter(character) && !isNumber(character);
  // A Canadian syllabics and a Sharada sign whose categories have changed since.
  if (character == 0x166D || character == 0x111C9) return true;
  if (!u_ispunct(static_cast<UChar32>(character))) return false;
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(character), age);
  return age[0] <= 8;
}

bool isNeitherWordNorSpace(char32_t character) {
  return !isWordCharacter(character) && !isWhitespace(character);
}

std::size_t wordOrOtherEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWordCharacter);
  return end > position ? end : runEnd(text, position, isNeitherWordNorSpace);
}

}  // namespace

const SplitScanner numericCharacters = matches<oneEnd<isNumeric>>;
const SplitScanner punctuationCharacters = matches<oneEnd<isPunctuation>>;
const SplitScanner whitespaceCharacters = matches<oneEnd<isWhitespace>>;
const SplitScanner words = matches<wordOrOtherEnd>;

}  // namespace plastiscope::split
