#include <unicode/uchar.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/text/pre_split/scanners.h"
#include "core/text/unicode.h"

namespace plastiscope::split {

namespace {

// End of the run of characters from `position` on that satisfy `belongs`.
template <typename Belongs>
std::size_t runEnd(std::string_view text, std::size_t position, Belongs belongs) {
  while (position < text.size()) {
    std::size_t next = position;
    if (!belongs(nextCodePoint(text, next))) break;
    position = next;
  }
  return position;
}

// The character at `position`, or 0 at the end.
char32_t peek(std::string_view text, std::size_t position) {
  return position < text.size() ? nextCodePoint(text, position) : 0;
}

// The position after the character at `position`.
std::size_t behind(std::string_view text, std::size_t position) {
  nextCodePoint(text, position);
  return position;
}

bool isLineBreak(char32_t character) {
  return character == '\r' || character == '\n';
}

// Matches \s+(?!\S)|\s+ at the start of white space: all of it at the end of the text, else all but its last
// character, or that character if it is the only one.
std::size_t whitespaceEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWhitespace);
  if (end == text.size()) return end;
  const std::size_t last = previousCodePoint(text, end);
  return last > position ? last : end;
}

using CharacterTest = bool (*)(char32_t);
// The end of the match at a position, or the position itself if there is none.
using MatchEnd = std::size_t (*)(std::string_view text, std::size_t position);

// Cuts at the ends of all matches.
template <MatchEnd matchEnd>
void matches(std::string_view text, std::vector<Cut>& cuts) {
  std::size_t done = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t end = matchEnd(text, position);
    if (end == position) {
      position = behind(text, position);
      continue;
    }
    if (position > done) cuts.push_back({position, false});
    cuts.push_back({end, true});
    position = done = end;
  }
  if (done < text.size()) cuts.push_back({text.size(), false});
}

// Ends of one character, or of a run of characters, that satisfy `belongs`.
template <CharacterTest belongs>
std::size_t oneEnd(std::string_view text, std::size_t position) {
  std::size_t next = position;
  return belongs(nextCodePoint(text, next)) ? next : position;
}
template <CharacterTest belongs>
std::size_t allEnd(std::string_view text, std::size_t position) {
  return runEnd(text, position, belongs);
}

// Matches \s*[\r\n]+|\s+(?!\S)|\s+ at the start of white space.
std::size_t lineOrWhitespaceEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWhitespace);
  const std::size_t lineBreak = text.substr(position, end - position).find_last_of("\r\n");
  return lineBreak != std::string_view::npos ? position + lineBreak + 1 : whitespaceEnd(text, position);
}

// End of a run of at most `most` numbers.
std::size_t numberEnd(std::string_view text, std::size_t position, int most) {
  for (int count = 0; count < most && isNumber(peek(text, position)); ++count)
    position = behind(text, position);
  return position;
}

// Length of 's 't 'm 'd 're 've 'll at `position`, or 0. With `anyCase`, U+017F counts as s.
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

// Matches ` ?X+` for the three kinds of X, at a character that is no white space or after one space.
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

const SplitScanner gpt2 = matches<gpt2PieceEnd>;

namespace {

bool isLetterOrMark(char32_t character) {
  return isLetter(character) || charClass(character) == CharClass::Mark;
}

bool isCl100kPunctuation(char32_t character) {
  return isOtherThanWord(character) && charClass(character) != CharClass::Mark;
}

// Differences between the patterns of this family.
struct Cl100kVariant {
  int mostDigits;
  bool (*isLetter)(char32_t);       // for words
  bool (*isPunctuation)(char32_t);  // for runs of other characters
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

template <const Cl100kVariant& variant>
std::size_t cl100kEnd(std::string_view text, std::size_t position) {
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

}  // namespace

const SplitScanner llama3 = matches<cl100kEnd<kLlama3>>;
const SplitScanner qwen2 = matches<cl100kEnd<kQwen2>>;
const SplitScanner qwen35 = matches<cl100kEnd<kQwen35>>;
const SplitScanner seed = matches<cl100kEnd<kSeed>>;

namespace {

// \p{Lm}\p{Lo}\p{M} count as both upper and lower case.
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

// Matches U*L+|U+L* at `position`: U* is greedy with backtracking until an L follows; without any L the match
// is all of the U. Returns `position` when there is no match.
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

// A word with or without one preceding character; `position` if there is none. A mark counts as part of the
// word, which gives the same match as counting it as the preceding character.
std::size_t prefixedWordEnd(std::string_view text, std::size_t position, const O200kVariant& variant) {
  const char32_t first = peek(text, position);
  if (isLineBreak(first) || isNumber(first)) return position;
  const bool partOfWord = isLetter(first) || charClass(first) == CharClass::Mark;
  const std::size_t start = partOfWord ? position : behind(text, position);
  const std::size_t end = casedWordEnd(text, start);
  return end == start ? position : withContraction(text, end, variant);
}

template <const O200kVariant& variant>
std::size_t o200kEnd(std::string_view text, std::size_t position) {
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

}  // namespace

const SplitScanner o200k = matches<o200kEnd<kO200k>>;
const SplitScanner tekken = matches<o200kEnd<kTekken>>;

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

// The end of the match at `position`; `position` for control characters that match nothing.
std::size_t deepseekEnd(std::string_view text, std::size_t position) {
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

const SplitScanner deepseek3 = matches<deepseekEnd>;

// ---- Classes of characters

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
