#pragma once
// The same text cut into other tokens: what stands at the same characters.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/store/capture_file.h"

namespace plastiscope {

// Where the tokens of a text begin, in bytes.
class TokenOffsets {
 public:
  // `tokens`: the bytes of every token (CaptureFile::tokenTexts).
  explicit TokenOffsets(std::span<const std::string> tokens);
  const std::string& text() const { return m_text; }
  std::int64_t tokens() const { return static_cast<std::int64_t>(m_begin.size()) - 1; }
  // Bytes of a token, [first, second).
  std::pair<std::int64_t, std::int64_t> bytesOf(std::int64_t token) const;
  // The token that holds a byte; nothing outside of the text.
  std::optional<std::int64_t> tokenAt(std::int64_t byte) const;

 private:
  std::string m_text;
  std::vector<std::int64_t> m_begin;  // [tokens + 1]
};

// The shift for which first[i] is second[i + shift], of one text that may begin with other special tokens or
// a space (up to 256 bytes) and may be cut at other places; nothing for different texts: of the bytes that
// both have, 19 in 20 must be the same.
std::optional<std::int64_t> textShift(const std::string& first, const std::string& second);

// Tokens of `to` that share a byte with one of `positions`, ascending. White space at the ends of a token
// counts only where it has nothing else.
std::vector<std::int64_t> alignedTokens(std::span<const std::int64_t> positions, const TokenOffsets& from,
                                        const TokenOffsets& to, std::int64_t shift);

// The text of a capture that is `text`, and its shift: one of the same name first; nothing where it has none.
struct TextMatch {
  std::int64_t example = 0, shift = 0;
  TokenOffsets offsets;  // of that text
};
std::optional<TextMatch> findText(const TokenOffsets& text, const std::string& id, const CaptureFile& in);

}  // namespace plastiscope
