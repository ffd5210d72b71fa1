#include "core/text/token_types.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstdio>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/text/unicode.h"

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

// ---- Tokens of sequences that are not texts

std::vector<std::int32_t> ordinaryTokens(const Tokenizer* tokenizer, std::int64_t vocabulary) {
  std::vector<std::int32_t> ordinary;
  for (std::int32_t id = 0; id < vocabulary; ++id) {
    if (!tokenizer || (tokenizer->role(id) == TokenRole::Plain && !tokenizer->tokenText(id).empty()))
      ordinary.push_back(id);
  }
  return ordinary;
}

std::vector<std::int32_t> tokensBeforeTexts(const Tokenizer& tokenizer) {
  const auto [ids, offsets] = tokenizer.encode("a");
  std::vector<std::int32_t> before;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (offsets[i].first != offsets[i].second || tokenizer.role(ids[i]) != TokenRole::Special) break;
    before.push_back(ids[i]);
  }
  return before;
}

// ---- Unusual tokens

void UnusualTokens::add(const Tokenizer& tokenizer, const Encoding& encoding, std::string_view text) {
  std::array<std::int64_t, 4> found{};
  const auto& ids = encoding.ids;
  const bool doubled = ids.size() > 1 && ids[0] == ids[1] && tokenizer.role(ids[0]) == TokenRole::Special;
  found[Doubled] = doubled ? 1 : 0;
  for (std::size_t i = doubled ? 2 : 0; i < ids.size(); ++i) {
    const TokenRole role = tokenizer.role(ids[i]);
    if (role == TokenRole::Plain) continue;
    std::string_view written;
    if (!text.empty()) {
      const auto [begin, end] = encoding.offsets[i];
      written = text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
    // An unknown token may be spelled out in the text or be part of the template.
    const bool spelled =
        !written.empty() && written.find(tokenizer.tokenText(ids[i])) != std::string_view::npos;
    if (role == TokenRole::Byte)
      ++found[Bytes];
    else if (role == TokenRole::Special || spelled)
      found[Special] += written.empty() ? 0 : 1;
    else if (!written.empty() || text.empty())
      ++found[Unknown];
  }
  if (2 * found[Bytes] <= static_cast<std::int64_t>(ids.size())) found[Bytes] = 0;
  for (std::size_t kind = 0; kind < found.size(); ++kind) {
    m_counts[kind].tokens += found[kind];
    m_counts[kind].texts += found[kind] > 0 ? 1 : 0;
  }
}

std::vector<std::string> UnusualTokens::warnings() const {
  const auto counted = [](std::int64_t count, const std::string& thing) {
    return withCommas(count) + " " + thing + (count == 1 ? "" : "s");
  };
  const auto inTexts = [&](Kind kind) { return " in " + counted(m_counts[kind].texts, "text"); };
  std::vector<std::string> warnings;
  if (m_counts[Doubled].texts > 0)
    warnings.push_back("the special token at the start stands there twice" + inTexts(Doubled) + " (" +
                       counted(m_counts[Doubled].tokens, "token") +
                       " too many); use --no-special where the texts begin with it");
  if (m_counts[Special].texts > 0)
    warnings.push_back(counted(m_counts[Special].tokens, "special token") + inTexts(Special) +
                       " came from the words of the texts, not from the model's template");
  if (m_counts[Unknown].texts > 0)
    warnings.push_back(counted(m_counts[Unknown].tokens, "unknown token") + inTexts(Unknown) +
                       ": the vocabulary lacks these characters");
  if (m_counts[Bytes].texts > 0)
    warnings.push_back(counted(m_counts[Bytes].tokens, "byte token") + inTexts(Bytes) +
                       ": more than half of the tokens there are single bytes (<0x00> to <0xFF>)");
  return warnings;
}

}  // namespace plastiscope
