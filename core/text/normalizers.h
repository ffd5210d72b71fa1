#pragma once
// Normalisers: change the text before it is split.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/text_limits.h"

namespace plastiscope {

using Normalizer = std::function<AlignedText(AlignedText text, TextLimits& limits)>;
using Normalizers = std::vector<Normalizer>;

inline AlignedText normalized(AlignedText text, const Normalizers& steps, TextLimits& limits) {
  for (const Normalizer& step : steps) text = step(std::move(text), limits);
  return text;
}

// ---- Normalisers that insert, remove or replace text.

// Puts `prefix` before a text that is not empty.
Normalizer makePrepend(std::string prefix);
// Replaces every `pattern`; the new text maps to the last character of the replaced one.
Normalizer makeReplace(std::string pattern, std::string content);
// Replaces every run of two or more spaces, " {2,}" in tokenizer.json.
Normalizer makeReplaceSpaceRuns(std::string content);
// Removes white space at the ends.
Normalizer makeStrip(bool left, bool right);

// Unicode normal form "NFC", "NFD", "NFKC" or "NFKD" with data of Unicode 9, as in the `tokenizers` library;
// newer characters stay unchanged. A composed character maps to the first of its parts, as in that library.
Normalizer makeNormalForm(std::string_view name);

// ---- Precompiled normalisation rules of SentencePiece: strings and their replacements.

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
