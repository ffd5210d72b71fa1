#include "core/text/token_types.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdio>

#include "core/text/char_class.h"

namespace plastiscope {

namespace {

constexpr char32_t kBroken = 0xFFFD, kBrailleBlank = 0x2800;

char32_t nextOrBroken(const std::string& text, std::int64_t& at) {
  UChar32 point = 0;
  U8_NEXT(text.data(), at, static_cast<std::int64_t>(text.size()), point);
  return point < 0 ? kBroken : static_cast<char32_t>(point);
}

bool isApostrophe(char32_t point) {
  return point == '\'' || point == 0x2019;
}

std::string inHex(const char* format, unsigned number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

// Assigns types to tokens while reading a text character by character.
class TypeReader {
 public:
  // Updates the type of the token in which the character begins, unless it is decided.
  void read(char32_t point, std::optional<TokenType>& type) {
    const bool letter = isLetter(point) || charClass(point) == CharClass::Mark, number = isNumber(point);
    const bool decided = type && *type != TokenType::Space && *type != TokenType::Punctuation;
    if (!decided) {
      if (letter)
        type = !isLatin(point) ? TokenType::OtherScript
               : m_inWord      ? TokenType::Continuation
                               : TokenType::WordStart;
      else if (number)
        type = TokenType::Number;
      else if (!isWhitespace(point))
        type = TokenType::Punctuation;
      else if (!type)
        type = TokenType::Space;
    }
    m_inWord = letter || number || (m_inWord && isApostrophe(point));
  }

 private:
  bool m_inWord = false;
};

}  // namespace

std::vector<TokenType> tokenTypes(std::span<const std::string> tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  std::vector<TokenType> types;
  types.reserve(tokens.size());
  TypeReader reader;
  std::int64_t at = 0, end = 0;
  for (const std::string& token : tokens) {
    end += static_cast<std::int64_t>(token.size());
    std::optional<TokenType> type;
    while (at < end) reader.read(nextOrBroken(text, at), type);
    types.push_back(type.value_or(token.empty() || types.empty() ? TokenType::Space : types.back()));
  }
  return types;
}

std::optional<std::string> invisibleLabel(std::string_view bytes) {
  if (bytes.empty()) return "<empty>";
  std::string label;
  const auto size = static_cast<std::int64_t>(bytes.size());
  for (std::int64_t at = 0; at < size;) {
    const std::int64_t begin = at;
    UChar32 point = 0;
    U8_NEXT(bytes.data(), at, size, point);
    const auto known = static_cast<char32_t>(point);
    if (point == ' ')
      label += ' ';
    else if (point == '\n')
      label += "\u21B5";
    else if (point < ' ' || point == 127)
      for (std::int64_t i = begin; i < at; ++i)
        label += inHex("<0x%02X>", static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]));
    else if (charClass(known) == CharClass::Other || charClass(known) == CharClass::Mark ||
             u_hasBinaryProperty(point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 || known == kBrailleBlank)
      label += inHex("U+%04X", static_cast<unsigned>(point));
    else
      return std::nullopt;
  }
  return label;
}

}  // namespace plastiscope
