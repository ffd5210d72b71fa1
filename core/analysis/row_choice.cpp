#include "core/analysis/row_choice.h"

#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/base/option.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

RowChoice rowChoiceOf(const AnalysisSettings& settings) {
  return {settings.examples, settings.positions, settings.tokenTypes};
}

void useRowChoice(AnalysisSettings& settings, const RowChoice& choice) {
  settings.examples = choice.examples;
  settings.positions = choice.positions;
  settings.tokenTypes = choice.tokenTypes;
}

std::string textOf(const RowChoice& choice) {
  std::string text;
  const auto add = [&text](const char* what, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : " \u00b7 ") + std::string(what) + " " + value;
  };
  add("texts", choice.examples);
  add("positions", choice.positions);
  add("token types", choice.tokenTypes);
  return text;
}

std::vector<std::string> listParts(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream text(list);
  for (std::string part; std::getline(text, part, ',');) parts.push_back(part);
  return parts;
}

// "3" or "0-7"; nothing for other texts.
std::optional<std::pair<std::int64_t, std::int64_t>> numberRange(const std::string& text,
                                                                 const std::string& between) {
  const std::size_t at = text.find(between);
  const auto first = parsedNumber<std::int64_t>(text.substr(0, at));
  const auto last =
      at == std::string::npos ? first : parsedNumber<std::int64_t>(text.substr(at + between.size()));
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

std::optional<std::pair<std::int64_t, std::int64_t>> positionsMeant(const std::string& positions) {
  if (positions.empty()) return std::nullopt;
  const auto range = numberRange(positions, "..");
  if (!range || positions.find("..") == std::string::npos)
    throw UsageError("positions: expected FIRST..LAST such as 0..2047, found \"" + positions + "\"");
  return range;
}

std::vector<TokenType> typesMeant(const std::string& list) {
  const auto names = namesOf(TokenType());
  std::vector<TokenType> types;
  const auto asked = listParts(list);
  for (const std::string& part : asked) requireWord("token_types", part, {names.begin(), names.end()});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (asked.empty() || std::ranges::count(asked, names[i]) > 0) types.push_back(static_cast<TokenType>(i));
  }
  return types;
}

}  // namespace plastiscope
