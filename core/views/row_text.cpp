#include "core/views/row_text.h"

#include "core/base/error.h"
#include "core/text/token_types.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace plastiscope {

namespace {

// Moves the bytes of a character that began in `to` from `from` to the end of `to`.
void completeCharacter(std::string& to, std::string& from) {
  std::size_t count = 0;
  while (count < from.size() && isUtf8Continuation(static_cast<unsigned char>(from[count]))) ++count;
  to += from.substr(0, count);
  from.erase(0, count);
}

std::string onOneLine(std::string_view bytes) {
  const std::string valid = repairUtf8(bytes);
  std::string line;
  for (const char c : valid) {
    if (c == '\n')
      line += "\u21B5";
    else if (c >= 0 && (c < ' ' || c == 127))
      line += ' ';
    else
      line += c;
  }
  return line;
}

// `rest`: text of `token` left after split characters went to the tokens of their first bytes.
std::string labelOf(std::string_view token, std::string_view rest) {
  const std::string_view shown = rest.empty() ? token : rest;
  return invisibleLabel(shown).value_or(onOneLine(shown));
}

// At most `reach` characters from the start or the end, with an ellipsis where text was cut.
std::string firstOf(const std::string& text, std::size_t reach, bool more) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < reach && end < text.size(); ++i) nextCodePoint(text, end);
  return text.substr(0, end) + (more || end < text.size() ? "…" : "");
}
std::string lastOf(const std::string& text, std::size_t reach, bool more) {
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < reach && begin > 0; ++i) begin = previousCodePoint(text, begin);
  return (more || begin > 0 ? "…" : "") + text.substr(begin);
}

}  // namespace

std::vector<std::string> shownTokens(std::span<const std::string> tokens) {
  std::vector<std::string> shown(tokens.begin(), tokens.end());
  std::size_t last = 0;  // the last token that is not empty: a character may be split into several
  for (std::size_t i = 1; i < shown.size(); ++i) {
    if (!shown[last].empty()) completeCharacter(shown[last], shown[i]);
    if (!shown[i].empty()) last = i;
  }
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = labelOf(tokens[i], shown[i]);
  return shown;
}

RowText rowTextOf(std::span<const std::string> tokens, std::int64_t position, std::size_t reach) {
  if (position < 0 || static_cast<std::size_t>(position) >= tokens.size())
    throw InputError("position " + std::to_string(position) + " lies outside a text of " +
                     std::to_string(tokens.size()) + " tokens");
  const auto at = static_cast<std::size_t>(position);
  const std::size_t enough = 4 * reach;  // bytes: no character has more than four
  std::size_t first = at, last = at + 1;
  std::string before, token = tokens[at], after;
  while (first > 0 && before.size() < enough) before.insert(0, tokens[--first]);
  while (last < tokens.size() && after.size() < enough) after += tokens[last++];
  if (!before.empty()) completeCharacter(before, token);
  if (!token.empty()) completeCharacter(token, after);
  // Completes a character split by the first token considered, which would show as invalid.
  std::string nothing;
  if (first > 0) completeCharacter(nothing, before);
  return {lastOf(onOneLine(before), reach, first > 0), labelOf(tokens[at], token),
          firstOf(onOneLine(after), reach, last < tokens.size())};
}

std::string beginningOf(const std::string& text, std::size_t characters) {
  return firstOf(text, characters, false);
}

}  // namespace plastiscope
