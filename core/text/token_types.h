#pragma once
// Classes of tokens by their text.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace plastiscope {

// Decided by the first letter or number that begins in the token; without one the token is punctuation
// (including symbols and broken bytes) or space. A letter continues a word directly after a letter, a number,
// or an apostrophe in that word.
enum class TokenType : std::uint8_t {
  WordStart,
  Continuation,
  Number,
  Punctuation,
  Space,       // white space, line ends, empty
  OtherScript  // a letter of a non-Latin script
};
constexpr std::array<const char*, 6> namesOf(TokenType) {
  return {"word_start", "continuation", "number", "punctuation", "space", "other_script"};
}

constexpr std::array<const char*, 6> titlesOf(TokenType) {
  return {"word start", "continuation", "number", "punctuation", "space", "other script"};
}

// `tokens`: the bytes of every token of a text. A token in which no character begins gets the type of the
// previous one.
std::vector<TokenType> tokenTypes(std::span<const std::string> tokens);

// Label for a token without a visible character, given its bytes: spaces stay, line ends become their symbol,
// control characters and bytes of incomplete characters read "<0x0D>", other code points "U+200B", no bytes
// "<empty>". Nothing when a character is visible.
std::optional<std::string> invisibleLabel(std::string_view bytes);

// ---- Tokens of sequences that are not texts.

// Ids below `vocabulary`, ascending, that are no special, unknown or byte token and have a text; without a
// tokenizer all.
std::vector<std::int32_t> ordinaryTokens(const Tokenizer* tokenizer, std::int64_t vocabulary);
// The special tokens that the template puts before a text (BOS).
std::vector<std::int32_t> tokensBeforeTexts(const Tokenizer& tokenizer);

// ---- Counts suspicious tokens: doubled first token, special tokens within a text, unknown tokens, mostly
// byte tokens.

class UnusualTokens {
 public:
  // `text`: the encoded text; empty for ids without a text, where special tokens are not counted.
  void add(const Tokenizer& tokenizer, const Encoding& encoding, std::string_view text);
  // One sentence per kind that occurred.
  std::vector<std::string> warnings() const;

 private:
  enum Kind { Doubled, Special, Unknown, Bytes };
  struct Count {
    std::int64_t tokens = 0, texts = 0;
  };
  std::array<Count, 4> m_counts;  // [Kind]
};

}  // namespace plastiscope
