#pragma once
// Known rules that cut a text into the pieces a vocabulary is applied to. Each is a hand-written scanner,
// linear in the text: patterns from files are recognised by their exact spelling and never run.
//
// To add one: a scanner in pre_split/, declared in pre_split/scanners.h, and a line in kRules
// (pre_split.cpp); for GGUF files also a line in kGgufRules.
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace plastiscope {

// Appends the ends of the pieces of `text`, ascending; the last one is text.size().
using SplitScanner = void (*)(std::string_view text, std::vector<std::size_t>& ends);

struct SplitRule {
  std::string_view name;
  std::vector<std::string_view> patterns;  // spellings in `Split` steps of tokenizer.json
  SplitScanner scan;
  bool matchesAll;  // the pattern matches every character
};

// A value of `tokenizer.ggml.pre`: rules applied one after the other, and what else the name implies.
struct GgufSplitRule {
  std::vector<std::string_view> names;
  std::vector<std::string_view> rules;
  bool ignoreMerges = false;
  bool addBos = false;  // when the file does not say
};

std::span<const SplitRule> splitRules();
std::span<const GgufSplitRule> ggufSplitRules();
// nullptr when unknown.
const SplitRule* findSplitRule(std::string_view name);
const SplitRule* splitRuleOfPattern(std::string_view pattern);
const GgufSplitRule* ggufSplitRule(std::string_view preName);

}  // namespace plastiscope
