#include "core/text/pre_split/scan.h"
#include "core/text/pre_split/scanners.h"

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

namespace {

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

}  // namespace plastiscope::split
