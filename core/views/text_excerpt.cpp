#include "core/views/text_excerpt.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/option.h"
#include "core/text/unicode.h"
#include "core/views/metric_info.h"
#include "core/views/plot.h"

namespace plastiscope {

namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
constexpr const char* kLineEnd = "\u21B5";

void mark(std::vector<bool>& marks, std::int64_t position) {
  if (position < std::ssize(marks)) marks[static_cast<std::size_t>(position)] = true;
}

// Approximate width of a character in a serif font, in em.
double roughWidth(char32_t character) {
  if (character >= 0x2E80) return 1;  // Chinese, Japanese, Korean, pictures
  if (character == ' ' || character == '.' || character == ',' || character == '\'') return 0.25;
  if (character >= 'A' && character <= 'Z') return 0.69;
  return character < 0x80 && std::string_view("fijlrt()[]-;:!|").find(static_cast<char>(character)) !=
                                 std::string_view::npos
             ? 0.33
             : 0.5;
}

double roughWidth(const std::string& token) {
  double width = 0;
  for (std::size_t at = 0; at < token.size();) width += roughWidth(nextCodePoint(token, at));
  return width;
}

constexpr double kToSpare = 1.04;  // safety factor on estimated widths

std::vector<double> roughWidths(const TextDocument& text) {
  std::vector<double> widths;
  widths.reserve(text.size());
  for (const std::string& token : text.tokens) widths.push_back(kToSpare * roughWidth(token));
  return widths;
}

TextDocument partOf(const TextDocument& text, std::size_t first, std::size_t last) {
  const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(last);
  return {text.id,
          {text.tokens.begin() + from, text.tokens.begin() + to},
          {text.endsParagraph.begin() + from, text.endsParagraph.begin() + to}};
}

// First line of a page with the query in its lower third.
std::size_t lineBefore(const std::vector<TokenLine>& lines, std::int64_t query, std::size_t count) {
  const auto at = std::ranges::upper_bound(lines, static_cast<std::size_t>(query), {}, &TokenLine::last);
  const auto line = static_cast<std::size_t>(at - lines.begin());
  return line > 2 * count / 3 ? line - 2 * count / 3 : 0;
}

std::pair<std::size_t, std::size_t> stretchOf(const TextDocument& text,
                                              const std::optional<std::int64_t>& query,
                                              const ExcerptPlace& place, const PageRoom& room) {
  const std::size_t size = text.size(), lines = std::max<std::size_t>(1, room.lines);
  if (place.first && (*place.first < 0 || *place.first >= std::ssize(text.tokens)))
    throw UsageError("token " + withCommas(*place.first) + " lies outside of " + text.id + ", which has " +
                     withCommas(std::ssize(text.tokens)) + " tokens");
  const std::vector<double> widths = roughWidths(text);
  std::size_t first = 0;
  if (place.first) {
    first = static_cast<std::size_t>(*place.first);
  } else if (query) {
    const std::vector<TokenLine> all = wrapTokens(text, widths, room.ems);
    first = all[lineBefore(all, std::min(*query, std::ssize(text.tokens) - 1), lines)].first;
  }
  const auto asked = place.tokens > 0 ? static_cast<std::size_t>(place.tokens) : size;
  const std::size_t last = std::min(size, first + std::min(asked, size));
  const auto wrapped =
      wrapTokens(partOf(text, first, last), std::span(widths).subspan(first, last - first), room.ems);
  if (wrapped.size() <= lines) return {first, last};
  const std::size_t fitting = wrapped[lines - 1].last;
  if (place.tokens > 0)
    throw UsageError(withCommas(place.tokens) + " tokens do not fit the figure, about " +
                     withCommas(static_cast<long long>(fitting)) +
                     " do: use fewer --tokens or a larger --size");
  return {first, first + fitting};
}

// The part of a colouring that belongs to tokens [first, last).
TokenColouring partOf(const TokenColouring& all, std::size_t first, std::size_t last) {
  const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(last);
  return {{all.value.begin() + from, all.value.begin() + to},
          {all.captured.begin() + from, all.captured.begin() + to},
          {all.other.begin() + from, all.other.begin() + to},
          all.range};
}

const TokenMeasureInfo& infoOf(TokenMeasure measure) {
  return *std::ranges::find(tokenMeasures(), measure, &TokenMeasureInfo::measure);
}

}  // namespace

double TokenColouring::share(std::size_t token) const {
  return (static_cast<double>(value[token]) - range.first) / (range.second - range.first);
}

TokenColouring colourTokens(const HeadText& head, QueryOrKey coloured, TokenMeasure measure,
                            std::int64_t tokens) {
  const auto size = static_cast<std::size_t>(tokens);
  TokenColouring colouring{
      std::vector(size, kNoValue), std::vector(size, false), std::vector(size, false), {0, 1}};
  if (!head.missing.empty()) return colouring;
  const TokenRows &rows = head.rows(coloured),
                  &others = head.rows(coloured == QueryOrKey::Query ? QueryOrKey::Key : QueryOrKey::Query);
  colouring.value = tokenValues(rows, measure, tokens);
  if (isOfQuery(measure) && head.scoredBy)
    std::fill(colouring.value.begin() + std::min(tokens, *head.scoredBy + 1), colouring.value.end(),
              kNoValue);
  colouring.range = valueRange(rows, measure);
  const std::vector<float>& values = rows.values(measure);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) mark(colouring.captured, rows.position[i]);
  for (std::size_t i = 0; i < others.row.size(); ++i)
    if (others.row[i] >= 0) mark(colouring.other, others.position[i]);
  return colouring;
}

std::vector<TokenLine> wrapTokens(const TextDocument& text, std::span<const double> widths, double room) {
  std::vector<TokenLine> lines;
  TokenLine line;
  double used = 0;
  const auto end = [&](std::size_t next) {
    line.last = next;
    lines.push_back(line);
    line.first = next;
    used = 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    // A word: a token and the following tokens that continue it without a space.
    std::size_t next = i + 1;
    double width = widths[i];
    while (next < text.size() && !text.endsParagraph[next - 1] && !text.tokens[next].starts_with(' ') &&
           !text.tokens[next - 1].ends_with(kLineEnd) && width + widths[next] <= room) {
      width += widths[next++];
    }
    if (used > 0 && used + width > room) end(i);
    used += width;
    if (text.endsParagraph[next - 1] || next == text.size()) end(next);
    i = next;
  }
  return lines;
}

TextExcerpt makeTextExcerpt(const TextDocument& text, const HeadText& head, QueryOrKey coloured,
                            TokenMeasure measure, const ExcerptPlace& place, const PageRoom& room) {
  const auto [first, last] = stretchOf(text, head.scoredBy, place, room);
  TextExcerpt excerpt;
  excerpt.head = head.head;
  excerpt.coloured = coloured;
  excerpt.measure = measure;
  excerpt.tokens = std::ssize(text.tokens);
  excerpt.first = static_cast<std::int64_t>(first);
  excerpt.text = partOf(text, first, last);
  excerpt.colour = partOf(colourTokens(head, coloured, measure, excerpt.tokens), first, last);
  excerpt.query = head.scoredBy;
  excerpt.rank.assign(last - first, 0);
  for (std::size_t i = 0; i < head.strongest.size(); ++i) {
    const auto at = static_cast<std::size_t>(head.strongest[i]);
    if (at >= first && at < last) excerpt.rank[at - first] = i + 1;
  }
  return excerpt;
}

std::string measureTitle(TokenMeasure measure, QueryOrKey coloured) {
  const std::string title = infoOf(measure).title;
  if (measure == TokenMeasure::Score) return title + " of keys, logits";
  if (measure == TokenMeasure::Weight) return "attention weight of keys";
  return title + (coloured == QueryOrKey::Query ? " of queries" : " of keys");
}

std::string tokenTip(const TextExcerpt& excerpt, std::size_t token) {
  const TokenColouring& colour = excerpt.colour;
  std::string tip = "<b>" + richEscaped(excerpt.text.tokens[token]) + "</b><br>token " +
                    withCommas(excerpt.first + static_cast<std::int64_t>(token));
  if (excerpt.isQuery(token)) tip += ", the query";
  if (excerpt.rank[token] > 0) tip += ", key " + std::to_string(excerpt.rank[token]) + " by score";
  if (!std::isfinite(colour.value[token])) return tip;
  return tip + "<br>" + measureTitle(excerpt.measure, excerpt.coloured) + " " +
         (excerpt.measure == TokenMeasure::Weight ? metricText(static_cast<double>(colour.value[token]))
                                                  : fixedText(static_cast<double>(colour.value[token]), 2)) +
         (colour.captured[token] ? "" : ", mean of the rows near it");
}

Table tableOf(const TextExcerpt& excerpt) {
  TableBuilder table("text",
                     {texts("text"), integers("position"), texts("token"), numbers(nameOf(excerpt.measure)),
                      texts("from"), texts("other_row"), texts("query"), integers("rank")});
  const TokenColouring& colour = excerpt.colour;
  for (std::size_t i = 0; i < excerpt.text.size(); ++i) {
    const auto value = static_cast<double>(colour.value[i]);
    table.row({excerpt.text.id, excerpt.first + static_cast<std::int64_t>(i), excerpt.text.tokens[i], value,
               std::string(!std::isfinite(value) ? ""
                           : colour.captured[i]  ? "captured"
                                                 : "near"),
               yesNo(colour.other[i]), yesNo(excerpt.isQuery(i)),
               static_cast<std::int64_t>(excerpt.rank[i])});
  }
  return table.take();
}

}  // namespace plastiscope
