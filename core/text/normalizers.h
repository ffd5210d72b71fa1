#pragma once
// What some tokenizers do to the text before they split it.
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

// ---- Normalisers that put text in, take it away or exchange it.

// `prefix` before a text that is not empty.
Normalizer makePrepend(std::string prefix);
// Every occurrence of `pattern`; the new text comes from the last character of the old one.
Normalizer makeReplace(std::string pattern, std::string content);
// Every run of two or more spaces, which tokenizer.json spells " {2,}".
Normalizer makeReplaceSpaceRuns(std::string content);
// White space at the ends.
Normalizer makeStrip(bool left, bool right);

// Unicode normal form "NFC", "NFD", "NFKC" or "NFKD", after the data of Unicode 9, which is what the
// `tokenizers` library knows: younger characters stay as they are. Characters that several were composed to
// come from the first of them, as in that library.
Normalizer makeNormalForm(std::string_view name);

}  // namespace plastiscope
