#pragma once
// A stretch of a text as a page: what colours its tokens, how they break into lines, what is marked.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/views/text_data.h"

namespace plastiscope {

// What each token is coloured by.
struct TokenColouring {
  std::vector<float> value;               // [tokens] NaN: no colour
  std::vector<bool> captured;             // [tokens] the value is its own; else the mean of the rows near it
  std::vector<bool> other;                // [tokens] has a sampled row of the other kind
  std::pair<double, double> range{0, 1};  // of the colours
  double share(std::size_t token) const;  // of the range
};
// Of a whole text; scores colour no token behind their query.
TokenColouring colourTokens(const HeadText& head, QueryOrKey coloured, TokenMeasure measure,
                            std::int64_t tokens);

struct TokenLine {
  std::size_t first = 0, last = 0;  // tokens, [first, last)
};
// Words stay whole where they fit, paragraphs end their line. `widths`: of the tokens, as `room`.
std::vector<TokenLine> wrapTokens(const TextDocument& text, std::span<const double> widths, double room);

struct TextExcerpt {
  HeadName head;
  QueryOrKey coloured = QueryOrKey::Query;
  TokenMeasure measure = TokenMeasure::A;
  std::int64_t tokens = 0, first = 0;  // of the whole text; the position of the first one here
  TextDocument text;                   // the stretch
  TokenColouring colour;               // of its tokens
  std::vector<std::size_t> rank;       // [tokens] place among the strongest keys, from 1; 0: not one of them
  std::optional<std::int64_t> query;   // position of the one that scores the keys; it may lie elsewhere
  std::int64_t last() const { return first + static_cast<std::int64_t>(text.size()) - 1; }
  bool isQuery(std::size_t token) const {
    return query && *query == first + static_cast<std::int64_t>(token);
  }
};

// Where an excerpt begins: a token; or by itself, which is where the query stands in the lower third, or the
// beginning of the text.
struct ExcerptPlace {
  std::optional<std::int64_t> first;
  std::int64_t tokens = 0;  // 0: as many as fit
};
// A page by its type: width in sizes of the type (em), and lines.
inline constexpr double kExcerptLineEms = 1.4;  // height of a line, at least
struct PageRoom {
  double ems = 0;
  std::size_t lines = 0;
};
// UsageError for a place outside of the text, and for more tokens than fit. What fits is reckoned without a
// font, with a little to spare.
TextExcerpt makeTextExcerpt(const TextDocument& text, const HeadText& head, QueryOrKey coloured,
                            TokenMeasure measure, const ExcerptPlace& place, const PageRoom& room);

// What is said of a token, rich.
std::string tokenTip(const TextExcerpt& excerpt, std::size_t token);
std::string measureTitle(TokenMeasure measure, QueryOrKey coloured);  // "<i>a</i> of queries", rich

// text, position, token, MEASURE, from (captured | near | nothing), other_row, query, rank
Table tableOf(const TextExcerpt& excerpt);

}  // namespace plastiscope
