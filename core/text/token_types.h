#pragma once
// What a token is, seen as text.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

// By the first letter or number that begins in the token; without one it is punctuation (signs and broken
// bytes too) or space. A letter goes on with a word directly behind a letter, a number, or an apostrophe of
// that word.
enum class TokenType : std::uint8_t {
  WordStart,
  Continuation,
  Number,
  Punctuation,
  Space,       // white space, line ends, nothing
  OtherScript  // a letter of a script that is not Latin
};
constexpr std::array<const char*, 6> namesOf(TokenType) {
  return {"word_start", "continuation", "number", "punctuation", "space", "other_script"};
}

constexpr std::array<const char*, 6> titlesOf(TokenType) {
  return {"word start", "continuation", "number", "punctuation", "space", "other script"};
}

// `tokens`: the bytes of every token of a text. A token in which no character begins has the type of the one
// before it.
std::vector<TokenType> tokenTypes(std::span<const std::string> tokens);

// How a token without a visible character is labelled, given its bytes: spaces stay, line ends become their
// sign, control characters and bytes of cut characters read "<0x0D>", other code points "U+200B", no bytes
// "<empty>". Nothing where a character is visible by itself.
std::optional<std::string> invisibleLabel(std::string_view bytes);

}  // namespace plastiscope
