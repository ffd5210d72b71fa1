#pragma once
// Normalisers: change the text before it is split.
#include <functional>
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

}  // namespace plastiscope
