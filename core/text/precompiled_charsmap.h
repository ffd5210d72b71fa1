#pragma once
// Precompiled normalisation rules of SentencePiece: strings and their replacements.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/normalizers.h"

namespace plastiscope {

// Format: 4 bytes with the size of a double-array trie, the trie (darts-clone: 32-bit units, little endian),
// then zero-terminated replacements; the trie's values are offsets into them.
class PrecompiledCharsmap {
 public:
  struct Rule {
    std::size_t length;       // bytes of the text to replace
    std::string_view result;  // whole characters
  };

  PrecompiledCharsmap() = default;  // no rules
  // InputError names `place` when the blob is damaged.
  PrecompiledCharsmap(std::string_view blob, const std::filesystem::path& file, const std::string& place);

  bool empty() const { return m_units.empty(); }
  // The rule for the longest or the shortest prefix of `text` that has one.
  std::optional<Rule> longest(std::string_view text) const;
  std::optional<Rule> shortest(std::string_view text) const;

 private:
  template <typename Take>
  void search(std::string_view text, Take take) const;  // take(Rule) returns whether to continue

  std::vector<std::uint32_t> m_units;
  std::string m_results;
};

// `Precompiled` of tokenizer.json: applies the rules as the `tokenizers` library does, to grapheme clusters
// of up to five bytes, else to single code points.
Normalizer makePrecompiled(PrecompiledCharsmap rules);

}  // namespace plastiscope
