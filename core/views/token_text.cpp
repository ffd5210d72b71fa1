#include "core/views/token_text.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

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

namespace {

constexpr std::size_t kMaxLead = 256, kProbe = 64;  // bytes
constexpr double kAlike = 0.95;

bool isSpace(char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

// The share of equal bytes among those that both texts have.
double equalShare(std::string_view first, std::string_view second) {
  const std::size_t both = std::min(first.size(), second.size());
  std::size_t same = 0;
  for (std::size_t i = 0; i < both; ++i) same += first[i] == second[i] ? 1 : 0;
  return both > 0 ? static_cast<double>(same) / static_cast<double>(both) : 0;
}

}  // namespace

TokenOffsets::TokenOffsets(std::span<const std::string> tokens) {
  m_begin.reserve(tokens.size() + 1);
  for (const std::string& token : tokens) {
    m_begin.push_back(static_cast<std::int64_t>(m_text.size()));
    m_text += token;
  }
  m_begin.push_back(static_cast<std::int64_t>(m_text.size()));
}

std::pair<std::int64_t, std::int64_t> TokenOffsets::bytesOf(std::int64_t token) const {
  const auto place = static_cast<std::size_t>(token);
  return {m_begin.at(place), m_begin.at(place + 1)};
}

std::optional<std::int64_t> TokenOffsets::tokenAt(std::int64_t byte) const {
  if (byte < 0 || byte >= m_begin.back()) return std::nullopt;
  return std::ranges::upper_bound(m_begin, byte) - m_begin.begin() - 1;
}

std::optional<std::int64_t> textShift(const std::string& first, const std::string& second) {
  // Starts after any prefix a tokenizer may add; in a short text at its second half.
  const std::size_t begin = std::min(kMaxLead, first.size() / 2);
  const std::string_view probe = std::string_view(first).substr(begin, kProbe);
  if (probe.empty()) return std::nullopt;
  for (std::size_t at = second.find(probe, begin > kMaxLead ? begin - kMaxLead : 0);
       at != std::string::npos && at <= begin + kMaxLead; at = second.find(probe, at + 1)) {
    if (equalShare(std::string_view(first).substr(begin), std::string_view(second).substr(at)) >= kAlike)
      return static_cast<std::int64_t>(at) - static_cast<std::int64_t>(begin);
  }
  return std::nullopt;
}

std::vector<std::int64_t> alignedTokens(std::span<const std::int64_t> positions, const TokenOffsets& from,
                                        const TokenOffsets& to, std::int64_t shift) {
  std::set<std::int64_t> found;
  for (const std::int64_t position : positions) {
    if (position < 0 || position >= from.tokens()) continue;
    auto [first, last] = from.bytesOf(position);
    const auto byte = [&from](std::int64_t at) { return from.text()[static_cast<std::size_t>(at)]; };
    auto begin = first, end = last;
    while (begin < end && isSpace(byte(begin))) ++begin;
    while (end > begin && isSpace(byte(end - 1))) --end;
    if (begin == end) std::tie(begin, end) = std::pair(first, last);
    for (std::int64_t at = begin; at < end; ++at) {
      if (const auto token = to.tokenAt(at + shift)) found.insert(*token);
    }
  }
  return {found.begin(), found.end()};
}

std::optional<TextMatch> findText(const TokenOffsets& text, const std::string& id, const CaptureFile& in) {
  const std::vector<CaptureExampleInfo>& examples = in.info().examples;
  std::vector<std::int64_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(
      order, [&](std::int64_t example) { return examples[static_cast<std::size_t>(example)].id == id; });
  for (const std::int64_t example : order) {
    TokenOffsets offsets(in.tokenTexts(example));
    if (const auto shift = textShift(text.text(), offsets.text()))
      return TextMatch{example, *shift, std::move(offsets)};
  }
  return std::nullopt;
}

}  // namespace plastiscope
