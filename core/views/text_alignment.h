#pragma once
// Aligns two tokenizations of one text by its characters.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/store/capture_file.h"

namespace plastiscope {

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
