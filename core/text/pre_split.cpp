#include "core/text/pre_split.h"

#include <algorithm>

#include "core/text/pre_split/scanners.h"

namespace plastiscope {

namespace {

const std::vector<SplitRule> kRules = {
    {"gpt2",
     {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
      R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
     split::gpt2},
    {"llama3",
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)"},
     split::llama3},
    {"qwen2",
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::qwen2},
    {"qwen35",
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::qwen35},
    {"seed",
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::seed},
    {"o200k",
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::o200k},
    {"tekken",
     {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::tekken},
    {"deepseek3",
     {R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     split::deepseek3},
    {"cjk_runs", {"[一-龥\u3040-ゟ゠-ヿ]+"}, split::cjkRuns},
    {"digits", {R"(\p{N})"}, split::digits},
    {"digit_runs", {R"(\p{N}+)"}, split::digitRuns},
    {"digits_by_three", {R"(\p{N}{1,3})"}, split::digitsByThree},
    {"digit_triples", {"[0-9][0-9][0-9]"}, split::digitTriples},
    {"punctuation_runs", {R"([\p{P}\$\+<=>\^~\|]+)"}, split::punctuationRuns},
    {"space", {" "}, split::spaces},
};

// The pattern with its line breaks written as escapes.
std::string spelt(std::string_view pattern) {
  std::string text;
  for (const char letter : pattern) {
    if (letter == '\r' || letter == '\n') {
      text += letter == '\r' ? "\\r" : "\\n";
    } else {
      text += letter;
    }
  }
  return text;
}

// Whether the part at the cut belongs to the piece before it.
bool joinsPrevious(SplitBehavior behavior, bool match, bool previousMatch) {
  switch (behavior) {
    case SplitBehavior::MergedWithPrevious:
      return match && !previousMatch;
    case SplitBehavior::MergedWithNext:
      return previousMatch && !match;
    case SplitBehavior::Contiguous:
      return match == previousMatch;
    default:
      return false;
  }
}

}  // namespace

void appendPieces(const std::vector<Cut>& cuts, SplitBehavior behavior, std::size_t begin,
                  std::vector<Span>& pieces) {
  std::size_t start = begin;
  bool first = true, previousMatch = false;
  for (const Cut& cut : cuts) {
    const std::size_t end = begin + cut.end;
    if (behavior != SplitBehavior::Removed || !cut.match) {
      if (!first && joinsPrevious(behavior, cut.match, previousMatch)) {
        pieces.back().end = end;
      } else {
        pieces.push_back({start, end});
      }
    }
    first = false;
    previousMatch = cut.match;
    start = end;
  }
}

void scanForText(std::string_view pattern, std::string_view text, std::vector<Cut>& cuts) {
  std::size_t done = 0;
  for (std::size_t found = text.find(pattern); found != std::string_view::npos;
       found = text.find(pattern, done)) {
    if (found > done) cuts.push_back({found, false});
    done = found + pattern.size();
    cuts.push_back({done, true});
  }
  if (done < text.size()) cuts.push_back({text.size(), false});
}

const SplitRule* findSplitRule(std::string_view name) {
  const auto found = std::ranges::find(kRules, name, &SplitRule::name);
  return found == kRules.end() ? nullptr : &*found;
}

const SplitRule* splitRuleOfPattern(std::string_view pattern) {
  const std::string text = spelt(pattern);
  for (const SplitRule& rule : kRules) {
    if (std::ranges::find(rule.patterns, text) != rule.patterns.end()) return &rule;
  }
  return nullptr;
}

}  // namespace plastiscope
