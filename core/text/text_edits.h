#pragma once
// Normalisers that put text in, take it away or exchange it.
#include <memory>
#include <string>

#include "core/text/normalizer.h"

namespace plastiscope {

// `prefix` before a text that is not empty.
std::shared_ptr<const Normalizer> makePrepend(std::string prefix);
// Every occurrence of `pattern`; the new text comes from the last character of the old one.
std::shared_ptr<const Normalizer> makeReplace(std::string pattern, std::string content);
// Every run of two or more spaces, which tokenizer.json spells " {2,}".
std::shared_ptr<const Normalizer> makeReplaceSpaceRuns(std::string content);
// White space at the ends.
std::shared_ptr<const Normalizer> makeStrip(bool left, bool right);

}  // namespace plastiscope
