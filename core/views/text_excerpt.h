#pragma once
// Lays out an excerpt of a text as a page: token colours, line breaks, marked tokens.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/views/text_data.h"

namespace plastiscope {

// Colour value of each token.
struct TokenColouring {
  std::vector<float> value;               // [tokens] NaN: no colour
  std::vector<bool> captured;             // [tokens] the value is its own; else the mean of the rows near it
  std::vector<bool> other;                // [tokens] has a sampled row of the other kind
  std::pair<double, double> range{0, 1};  // limits of the colour scale
  double share(std::size_t token) const;  // position in `range`, 0..1
};
// Colours a whole text; scores colour no token after their query.
TokenColouring colourTokens(const HeadText& head, QueryOrKey coloured, TokenMeasure measure,
                            std::int64_t tokens);

struct TokenLine {
  std::size_t first = 0, last = 0;  // tokens, [first, last)
};
// Keeps words whole where they fit; a paragraph ends its line. `widths`: of tokens, in the unit of `room`.
std::vector<TokenLine> wrapTokens(const TextDocument& text, std::span<const double> widths, double room);

struct TextExcerpt {
  HeadName head;
  QueryOrKey coloured = QueryOrKey::Query;
  TokenMeasure measure = TokenMeasure::A;
  std::int64_t tokens = 0, first = 0;  // in the whole text; position of the first token of the excerpt
  TextDocument text;                   // the excerpt only
  TokenColouring colour;               // colours of the excerpt's tokens
  std::vector<std::size_t> rank;       // [tokens] rank among the strongest keys, from 1; 0: not among them
  std::optional<std::int64_t> query;   // position of the query that scores the keys, maybe outside
  std::int64_t last() const { return first + static_cast<std::int64_t>(text.size()) - 1; }
  bool isQuery(std::size_t token) const {
    return query && *query == first + static_cast<std::int64_t>(token);
  }
};

// Begin of an excerpt: a token; nullopt: chosen so that the query stands in the lower third, else the
// beginning of the text.
struct ExcerptPlace {
  std::optional<std::int64_t> first;
  std::int64_t tokens = 0;  // 0: as many as fit
};
// Page size in units of the font: width in em, and lines.
inline constexpr double kExcerptLineEms = 1.4;  // height of a line, at least
struct PageRoom {
  double ems = 0;
  std::size_t lines = 0;
};
// UsageError for a place outside of the text, and for more tokens than fit. Widths are estimated without a
// font, with a small margin.
TextExcerpt makeTextExcerpt(const TextDocument& text, const HeadText& head, QueryOrKey coloured,
                            TokenMeasure measure, const ExcerptPlace& place, const PageRoom& room);

// Tool tip of a token, rich.
std::string tokenTip(const TextExcerpt& excerpt, std::size_t token);
std::string measureTitle(TokenMeasure measure, QueryOrKey coloured);  // "<i>a</i> of queries", rich

// text, position, token, MEASURE, from (captured | near | nothing), other_row, query, rank
Table tableOf(const TextExcerpt& excerpt);

}  // namespace plastiscope
