#include "core/text/gguf_split.h"

#include <algorithm>

namespace plastiscope {

namespace {

// Names and their meaning as llama.cpp defines them; where it approximates a model's pattern, the pattern.
const std::vector<GgufSplitRule> kGgufRules = {
    {{"gpt-2", "phi-2", "olmo", "mpt", "exaone4", "jais", "mellum", "trillion", "a.x-4.0"}, {"gpt2"}},
    {{"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"},
     {"llama3"},
     true,
     true},
    {{"smaug-bpe", "dbrx", "glm4", "chatglm-bpe"}, {"llama3"}},
    {{"qwen2", "stablelm2", "deepseek-r1-qwen", "hunyuan", "megrez", "solar-open", "grok-2"}, {"qwen2"}},
    {{"bailingmoe", "bailingmoe2", "llada-moe"}, {"qwen2"}},
    {{"qwen35"}, {"qwen35"}},
    {{"seed-coder"}, {"seed"}},
    {{"gpt-4o", "llama4", "kanana2"}, {"o200k"}},
    {{"tekken"}, {"tekken"}, true, true},
    {{"deepseek-v3", "hunyuan-dense"}, {"digits_by_three", "cjk_runs", "deepseek3"}},
    {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"},
     {"digits", "gpt2"}},
    {{"default"}, {"punctuation_runs", "gpt2", "digit_runs", "digit_triples"}},
};

}  // namespace

std::span<const GgufSplitRule> ggufSplitRules() {
  return kGgufRules;
}

const GgufSplitRule* ggufSplitRule(std::string_view preName) {
  for (const GgufSplitRule& rule : kGgufRules) {
    if (std::ranges::find(rule.names, preName) != rule.names.end()) return &rule;
  }
  return nullptr;
}

}  // namespace plastiscope
