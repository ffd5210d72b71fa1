#pragma once
// Added tokens: strings outside the vocabulary that are matched as a whole in the text.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/byte_trie.h"
#include "core/text/text_limits.h"

namespace plastiscope {

// Fields as in tokenizer.json.
struct AddedToken {
  std::string text;
  std::int32_t id = 0;
  bool special = false;
  bool singleWord = false;                     // not inside a word
  bool stripLeft = false, stripRight = false;  // also takes white space on that side
  bool normalized = false;                     // matched in the normalised text
  std::string name;                            // "bos_token", ...; mostly empty
};

// A part of a text: an added token, or the text between two of them.
struct TextPart {
  std::size_t begin = 0, end = 0;
  std::optional<std::int32_t> token;
};

// Finds the leftmost longest matches of several strings.
class AddedTokenFinder {
 public:
  // InputError for texts longer than kLongest bytes.
  static constexpr std::size_t kLongest = 1000;
  AddedTokenFinder(const std::vector<AddedToken>& tokens, const std::filesystem::path& file);

  std::vector<TextPart> split(std::string_view text, TextLimits& limits) const;

 private:
  // Length of the longest token at the position (0 = none) and its index.
  std::size_t longestAt(std::string_view text, std::size_t position, std::size_t& token) const;
  TextPart widened(const AddedToken& token, std::string_view text, TextPart match, std::size_t least) const;

  std::vector<AddedToken> m_tokens;
  ByteTrie m_trie;  // of indices in m_tokens
};

}  // namespace plastiscope
