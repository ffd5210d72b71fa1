#pragma once
// Where a text may be cut without changing its tokens.
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace plastiscope {

// Pairs of characters that stand side by side inside some token. Between two characters that never do, no
// merge can happen, so that a long text may be encoded in parts; both must be characters that the vocabulary
// knows.
class CharJoints {
 public:
  CharJoints() : m_known(0x110000), m_ascii(128 * 128) {}
  void addKnown(char32_t character) {
    if (character < m_known.size()) m_known[character] = true;
  }
  void addToken(std::string_view text);  // every pair inside

  // Appends the ends of the parts of `text`.
  void cut(std::string_view text, std::vector<std::size_t>& ends) const;

 private:
  bool joined(char32_t left, char32_t right) const;

  std::vector<bool> m_known, m_ascii;
  std::unordered_set<std::uint64_t> m_pairs;
};

}  // namespace plastiscope
