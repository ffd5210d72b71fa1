#pragma once
// The names of pre-split rules in GGUF files (tokenizer.ggml.pre).
#include <span>
#include <string_view>
#include <vector>

namespace plastiscope {

// A value of `tokenizer.ggml.pre`: rules of pre_split.h applied one after the other, and what else the name
// implies.
struct GgufSplitRule {
  std::vector<std::string_view> names;
  std::vector<std::string_view> rules;
  bool ignoreMerges = false;
  bool addBos = false;  // when the file does not say
};

std::span<const GgufSplitRule> ggufSplitRules();
const GgufSplitRule* ggufSplitRule(std::string_view preName);  // nullptr when unknown

}  // namespace plastiscope
