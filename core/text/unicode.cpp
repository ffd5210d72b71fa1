#include "core/text/unicode.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/path_text.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

namespace {

unsigned char byteAt(std::string_view text, std::size_t position) {
  return static_cast<unsigned char>(text[position]);
}

}  // namespace

char32_t nextCodePoint(std::string_view text, std::size_t& position) {
  const unsigned char first = byteAt(text, position);
  const std::size_t length = std::min(utf8Length(first), text.size() - position);
  char32_t value = length == 1 ? first : first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = (value << 6) | (byteAt(text, position + i) & 0x3Fu);
  position += length;
  return value;
}

std::size_t previousCodePoint(std::string_view text, std::size_t position) {
  do {
    --position;
  } while (position > 0 && isUtf8Continuation(byteAt(text, position)));
  return position;
}

void appendUtf8(char32_t codePoint, std::string& text) {
  const auto value = static_cast<std::uint32_t>(codePoint);
  if (value < 0x80) {
    text += static_cast<char>(value);
    return;
  }
  const int more = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;  // number of continuation bytes
  static constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kLead[more] | (value >> (6 * more)));
  for (int shift = 6 * (more - 1); shift >= 0; shift -= 6) {
    text += static_cast<char>(0x80u | ((value >> shift) & 0x3Fu));
  }
}

std::string repairUtf8(std::string_view bytes, std::int64_t* repaired) {
  std::string text;
  text.reserve(bytes.size());
  std::int64_t count = 0;
  std::size_t copied = 0;
  for (std::size_t position = 0; position < bytes.size();) {
    std::size_t illFormed = 0;
    const std::size_t length = wellFormedLength(bytes, position, illFormed);
    if (length > 0) {
      position += length;
      continue;
    }
    text.append(bytes.substr(copied, position - copied)).append("\xEF\xBF\xBD");
    position += illFormed;
    copied = position;
    ++count;
  }
  text.append(bytes.substr(copied));
  if (repaired != nullptr) *repaired = count;
  return text;
}

// ---- Classes

namespace {

struct ClassRange {
  char32_t first, last;
  CharClass value;
};

constexpr ClassRange kNewerThanIcu[] = {
#include "core/text/char_class_new.inc"
};

CharClass classOfUnassigned(char32_t codePoint) {
  const auto after =
      std::upper_bound(std::begin(kNewerThanIcu), std::end(kNewerThanIcu), codePoint,
                       [](char32_t value, const ClassRange& range) { return value < range.first; });
  if (after == std::begin(kNewerThanIcu)) return CharClass::Other;
  const ClassRange& range = *std::prev(after);
  return codePoint <= range.last ? range.value : CharClass::Other;
}

// Indexed by ICU's general category.
constexpr auto kClassOfCategory = [] {
  std::array<CharClass, U_CHAR_CATEGORY_COUNT> table{};
  table[U_UPPERCASE_LETTER] = CharClass::UpperLetter;
  table[U_LOWERCASE_LETTER] = CharClass::LowerLetter;
  table[U_TITLECASE_LETTER] = CharClass::TitleLetter;
  table[U_MODIFIER_LETTER] = CharClass::ModifierLetter;
  table[U_OTHER_LETTER] = CharClass::OtherLetter;
  for (int mark : {U_NON_SPACING_MARK, U_ENCLOSING_MARK, U_COMBINING_SPACING_MARK})
    table[mark] = CharClass::Mark;
  for (int number : {U_DECIMAL_DIGIT_NUMBER, U_LETTER_NUMBER, U_OTHER_NUMBER})
    table[number] = CharClass::Number;
  for (int mark : {U_DASH_PUNCTUATION, U_START_PUNCTUATION, U_END_PUNCTUATION, U_CONNECTOR_PUNCTUATION,
                   U_OTHER_PUNCTUATION, U_INITIAL_PUNCTUATION, U_FINAL_PUNCTUATION}) {
    table[mark] = CharClass::Punctuation;
  }
  for (int symbol : {U_MATH_SYMBOL, U_CURRENCY_SYMBOL, U_MODIFIER_SYMBOL, U_OTHER_SYMBOL}) {
    table[symbol] = CharClass::Symbol;
  }
  return table;
}();

}  // namespace

CharClass charClass(char32_t codePoint) {
  const auto category = static_cast<std::size_t>(u_charType(static_cast<UChar32>(codePoint)));
  return category == U_UNASSIGNED ? classOfUnassigned(codePoint) : kClassOfCategory[category];
}

bool isLetter(char32_t codePoint) {
  if (codePoint < 0x80) return (codePoint | 0x20) >= 'a' && (codePoint | 0x20) <= 'z';
  const CharClass value = charClass(codePoint);
  return value >= CharClass::UpperLetter && value <= CharClass::OtherLetter;
}

bool isNumber(char32_t codePoint) {
  if (codePoint < 0x80) return codePoint >= '0' && codePoint <= '9';
  return charClass(codePoint) == CharClass::Number;
}

bool isWhitespace(char32_t codePoint) {
  if (codePoint < 0x80) return codePoint == ' ' || (codePoint >= '\t' && codePoint <= '\r');
  return u_isUWhiteSpace(static_cast<UChar32>(codePoint));
}

bool isLatin(char32_t codePoint) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(codePoint), &status);
  return script == USCRIPT_LATIN || script == USCRIPT_COMMON || script == USCRIPT_INHERITED;
}

bool isWordCharacter(char32_t codePoint) {
  const auto point = static_cast<UChar32>(codePoint);
  const auto category = u_charType(point);
  return isLetter(codePoint) || u_isUAlphabetic(point) || charClass(codePoint) == CharClass::Mark ||
         category == U_DECIMAL_DIGIT_NUMBER || category == U_CONNECTOR_PUNCTUATION ||
         (category == U_UNASSIGNED && isNumber(codePoint)) ||  // all newer numbers are decimal digits
         u_hasBinaryProperty(point, UCHAR_JOIN_CONTROL);
}

bool isOtherThanWord(char32_t codePoint) {
  return !isLetter(codePoint) && !isNumber(codePoint) && !isWhitespace(codePoint);
}

}  // namespace plastiscope
