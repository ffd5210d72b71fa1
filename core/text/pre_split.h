#pragma once
// Known rules that split a text into pieces. Each is a hand-written scanner in linear time; patterns in files
// are recognised by their exact spelling, regex_split.h runs all others.
//
// To add one: a scanner in pre_split/, declared in pre_split/scanners.h, and a line in kRules
// (pre_split.cpp); for GGUF files also a line in kGgufRules (gguf_vocabulary.cpp).
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

// End of a part of a text: a match of the pattern, or the text between two matches.
struct Cut {
  std::size_t end;
  bool match;
};

// Appends the cuts of `text`, ascending; the last one is at text.size().
using SplitScanner = void (*)(std::string_view text, std::vector<Cut>& cuts);

struct SplitRule {
  std::string_view name;
  // Spellings in `Split` steps of tokenizer.json; line breaks are written as \r or \n.
  std::vector<std::string_view> patterns;
  SplitScanner scan;
};

// Treatment of the matches, as in tokenizer.json.
enum class SplitBehavior { Isolated, Removed, MergedWithPrevious, MergedWithNext, Contiguous };

// A part of a text.
struct Span {
  std::size_t begin, end;
};

// Appends the pieces that result from `cuts`, which are relative to `begin`.
void appendPieces(const std::vector<Cut>& cuts, SplitBehavior behavior, std::size_t begin,
                  std::vector<Span>& pieces);
// Cuts at the matches of a plain string.
void scanForText(std::string_view pattern, std::string_view text, std::vector<Cut>& cuts);

// nullptr when unknown.
const SplitRule* findSplitRule(std::string_view name);
const SplitRule* splitRuleOfPattern(std::string_view pattern);

}  // namespace plastiscope
