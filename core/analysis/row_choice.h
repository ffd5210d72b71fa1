#pragma once
// Which rows of a capture are analysed: the settings examples, positions and token_types.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/settings.h"
#include "core/text/token_types.h"

namespace plastiscope {

// As settings state it; "" = every one.
struct RowChoice {
  std::string examples, positions, tokenTypes;
  bool all() const { return examples.empty() && positions.empty() && tokenTypes.empty(); }
  bool operator==(const RowChoice&) const = default;
};
RowChoice rowChoiceOf(const AnalysisSettings& settings);
void useRowChoice(AnalysisSettings& settings, const RowChoice& choice);
// "texts 0-3 · positions 0..2047 · token types number"; "" for all.
std::string textOf(const RowChoice& choice);

// Parts of a list that is separated by commas, and numbers as "3" or, between both, as "0-7".
std::vector<std::string> listParts(const std::string& list);
std::optional<std::pair<std::int64_t, std::int64_t>> numberRange(const std::string& text,
                                                                 const std::string& between);
// "0..2047": both ends are meant; nothing for "". UsageError.
std::optional<std::pair<std::int64_t, std::int64_t>> positionsMeant(const std::string& positions);
std::vector<TokenType> typesMeant(const std::string& list);  // "" = all; UsageError

}  // namespace plastiscope
