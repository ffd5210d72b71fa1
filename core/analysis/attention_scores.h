#pragma once
// Attention scores known from the literature, from the softmax over every key that a query sees: for heads
// captured at every position, or from sums made while the model ran.
#include <cstdint>
#include <functional>
#include <span>

#include "core/analysis/statistics.h"
#include "core/base/head_scores.h"
#include "core/base/table.h"

namespace plastiscope {

// Steps between a head's dot products and its softmax.
struct AttentionScoreRule {
  double scale = 1;    // on q . k
  double softcap = 0;  // cap in s -> cap tanh(s / cap); 0 = none
  std::int64_t window =
      0;  // tokens that a query sees, including itself; chunked: per block; 0 = all before it
  bool chunked = false;
};

// A head's rows of one text at every position.
struct AttentionText {
  std::int64_t headDim = 0;
  std::span<const float> query, key;                    // [tokens, head_dim]
  std::span<const std::int32_t> tokens;                 // [tokens] ids; empty: not known
  std::function<bool(std::int64_t query)> chosen = {};  // which queries count; null: all
};

// Means over queries except that of the first token, which sees only itself.
struct AttentionScores {
  double entropy = kMissing;     // nats, of the weights a_ij of query i over its keys j (Clark et al. 2019)
  double distance = kMissing;    // tokens, sum over j of a_ij (i - j) (Vig and Belinkov 2019)
  double firstToken = kMissing;  // a_i0, the attention sink (Xiao et al. 2023)
  double recent = kMissing;      // a_ij over the last kRecentTokens keys
  double previousToken = kMissing;  // a_i,i-1 (Elhage et al. 2021)
  // Sum of a_i,j+1 over earlier occurrences j < i - 1 of the token at i, mean over the queries that have one
  // (prefix matching, Olsson et al. 2022, here on the capture's own texts).
  double induction = kMissing;
  // Sum of a_ij over earlier occurrences j of the token at i, mean over the queries that have one.
  double duplicateToken = kMissing;
  std::int64_t queries = 0;
};

class AttentionSums {
 public:
  // `queries`: at most this many queries of the text, evenly spaced.
  void add(const AttentionText& text, const AttentionScoreRule& rule, std::int64_t queries);
  void add(const AttentionSums& other);  // of other texts
  void add(const ScoredQueries& queries, const ScoreSums& sums);
  AttentionScores scores() const;

 private:
  RunningMean& of(HeadScore score) { return m_means[indexOf(score)]; }
  std::array<RunningMean, kHeadScores> m_means;  // by HeadScore
};

// Number of evaluated queries per text, for a capture with that many texts.
std::int64_t attentionQueriesPerText(std::int64_t texts);

}  // namespace plastiscope
