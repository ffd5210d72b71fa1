#pragma once
// Tokens of a text as they are shown: the text around a captured row, and which tokens of two tokenizations
// stand for the same characters.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/store/capture_file.h"

namespace plastiscope {

// Valid UTF-8 without line breaks; empty without a text.
struct RowText {
  std::string before, token, after;
  bool empty() const { return before.empty() && token.empty() && after.empty(); }
};

// Display form of every token of an example: valid UTF-8 with a sign for each line break. A character that is
// split between tokens is shown by the first of them; a token without a visible character is shown as
// invisibleLabel().
std::vector<std::string> shownTokens(std::span<const std::string> tokens);

// The token at `position` and up to `reach` characters on each side of it. `tokens`: the bytes of every token
// of the example (CaptureFile::tokenTexts). A character split between tokens is shown by the first of them.
// Line breaks become a sign, so that a row stays one line.
RowText rowTextOf(std::span<const std::string> tokens, std::int64_t position, std::size_t reach);

// Shortens a text to that many characters, with an ellipsis if it was cut.
std::string beginningOf(const std::string& text, std::size_t characters);

// --- Two tokenizations of one text

// Byte offsets of the tokens of a text.
class TokenOffsets {
 public:
  // `tokens`: the bytes of every token (CaptureFile::tokenTexts).
  explicit TokenOffsets(std::span<const std::string> tokens);
  const std::string& text() const { return m_text; }
  std::int64_t tokens() const { return static_cast<std::int64_t>(m_begin.size()) - 1; }
  // Bytes of a token, [first, second).
  std::pair<std::int64_t, std::int64_t> bytesOf(std::int64_t token) const;
  // The token that contains a byte; nullopt outside of the text.
  std::optional<std::int64_t> tokenAt(std::int64_t byte) const;

 private:
  std::string m_text;
  std::vector<std::int64_t> m_begin;  // [tokens + 1]
};

// The shift for which first[i] equals second[i + shift]. Texts may begin with different special tokens or a
// space (up to 256 bytes) and may end at different places; nullopt for different texts: at least 19 of 20
// bytes that both have must be equal.
std::optional<std::int64_t> textShift(const std::string& first, const std::string& second);

// Tokens of `to` that share a byte with one of `positions`, ascending. White space at the ends of a token is
// ignored unless the token has nothing else.
std::vector<std::int64_t> alignedTokens(std::span<const std::int64_t> positions, const TokenOffsets& from,
                                        const TokenOffsets& to, std::int64_t shift);

// Finds `text` in a capture, with its shift: first by name; nullopt where it is absent.
struct TextMatch {
  std::int64_t example = 0, shift = 0;
  TokenOffsets offsets;  // offsets in the found text
};
std::optional<TextMatch> findText(const TokenOffsets& text, const std::string& id, const CaptureFile& in);

}  // namespace plastiscope
