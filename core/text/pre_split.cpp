#include "core/text/pre_split.h"

#include <algorithm>

#include "core/text/pre_split/scanners.h"

namespace plastiscope {

namespace {

const std::vector<SplitRule> kRules = {
    {"gpt2",
     {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
      R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
     split::gpt2,
     true},
    {"llama3",
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::llama3,
     true},
    {"qwen2",
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::qwen2,
     true},
    {"digits", {R"(\p{N})"}, split::digits, false},
    {"digit_runs", {R"(\p{N}+)"}, split::digitRuns, false},
    {"digit_triples", {"[0-9][0-9][0-9]"}, split::digitTriples, false},
    {"punctuation_runs", {R"([\p{P}\$\+<=>\^~\|]+)"}, split::punctuationRuns, false},
};

// Names and their meaning as llama.cpp defines them.
const std::vector<GgufSplitRule> kGgufRules = {
    {{"gpt-2", "phi-2", "olmo", "mpt", "exaone4", "jais", "mellum", "trillion"}, {"gpt2"}},
    {{"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "lfm2"}, {"llama3"}, true, true},
    {{"smaug-bpe", "dbrx", "glm4", "chatglm-bpe"}, {"llama3"}},
    {{"qwen2", "stablelm2", "deepseek-r1-qwen", "hunyuan", "megrez", "solar-open", "grok-2"}, {"qwen2"}},
    {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"},
     {"digits", "gpt2"}},
    {{"default"}, {"punctuation_runs", "gpt2", "digit_runs", "digit_triples"}},
};

}  // namespace

std::span<const SplitRule> splitRules() {
  return kRules;
}
std::span<const GgufSplitRule> ggufSplitRules() {
  return kGgufRules;
}

const SplitRule* findSplitRule(std::string_view name) {
  const auto found = std::ranges::find(kRules, name, &SplitRule::name);
  return found == kRules.end() ? nullptr : &*found;
}

const SplitRule* splitRuleOfPattern(std::string_view pattern) {
  for (const SplitRule& rule : kRules) {
    if (std::ranges::find(rule.patterns, pattern) != rule.patterns.end()) return &rule;
  }
  return nullptr;
}

const GgufSplitRule* ggufSplitRule(std::string_view preName) {
  for (const GgufSplitRule& rule : kGgufRules) {
    if (std::ranges::find(rule.names, preName) != rule.names.end()) return &rule;
  }
  return nullptr;
}

}  // namespace plastiscope
