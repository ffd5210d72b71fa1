#pragma once
// Choice of the analysed rows of a capture: the settings examples, positions and token_types.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/settings.h"
#include "core/text/token_types.h"

namespace plastiscope {

// Strings as in the settings; "" = all.
struct RowChoice {
  std::string examples, positions, tokenTypes;
  bool all() const { return examples.empty() && positions.empty() && tokenTypes.empty(); }
  bool operator==(const RowChoice&) const = default;
};
RowChoice rowChoiceOf(const AnalysisSettings& settings);
void useRowChoice(AnalysisSettings& settings, const RowChoice& choice);
// "texts 0-3 · positions 0..2047 · token types number"; "" for all.
std::string textOf(const RowChoice& choice);

// Splits a list at commas, and parses numbers as "3" or, for ranges, "0-7".
std::vector<std::string> listParts(const std::string& list);
std::optional<std::pair<std::int64_t, std::int64_t>> numberRange(const std::string& text,
                                                                 const std::string& between);
// Parses "0..2047", ends included; nothing for "". UsageError.
std::optional<std::pair<std::int64_t, std::int64_t>> positionsMeant(const std::string& positions);
std::vector<TokenType> typesMeant(const std::string& list);  // "" = all; UsageError

}  // namespace plastiscope
