#pragma once
// Display of how one captured query scores the keys before it: the strongest keys by name, each score in
// parts.
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/views/text_data.h"
#include "core/views/token_text.h"

namespace plastiscope {

// Key with its rank by score; parts are relative to their means.
struct RankedKey {
  std::int64_t rank = 0;
  ScoredKey key;
  double a = kMissing, b = kMissing, rest = kMissing;
  double sum() const { return a + b + rest; }
};
// The highest scores, highest first.
std::vector<RankedKey> rankedKeys(const QueryScores& scores, std::size_t count);

struct QueryKeys {
  HeadName head;
  std::string text;  // id of the text
  QueryScores scores;
  std::vector<RankedKey> strongest;  // QueryScores::kMarked
  RowText query;                     // around the query; empty without a text
  std::vector<RowText> words;        // [strongest]
};
QueryKeys makeQueryKeys(const Study& study, HeadName head, const QueryChoice& query);

// rank (0: not among the strongest), position, token, score, a, b, rest, and the last three minus their
// means; ascending by position
Table tableOf(const QueryKeys& data);

}  // namespace plastiscope
