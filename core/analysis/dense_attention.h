#pragma once
// Attention of a head whose queries and keys are known at every position of a text, in blocks of a few
// queries with any range of keys (method.md, Attention maps). In float32; sums of weights in float64.
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/attention_scores.h"

namespace plastiscope {

struct TokenRange {
  std::int64_t first = 0, end = 0;  // `end` excluded
  std::int64_t size() const { return end > first ? end - first : 0; }
  bool operator==(const TokenRange&) const = default;
};

// Scores of some queries with consecutive keys.
struct ScoreBlock {
  TokenRange keys;            // multiples of kKeyPanel; empty: the queries see none of the keys
  std::vector<float> scores;  // [kBlockQueries, keys]; -infinity where a query does not see the key
  float* row(std::int64_t i) { return scores.data() + i * keys.size(); }
};

// Sum and maximum over queries, for each of consecutive keys.
struct KeySums {
  void begin(TokenRange range);  // widened to multiples of kKeyPanel; nothing added
  TokenRange keys;
  std::vector<float> sum, most;  // [keys]; most: -infinity where no query sees the key
  // Adds factor * rows of a block, [kBlockQueries] factors.
  void add(ScoreBlock& block, const float* factor);
  // Mean over that many pairs, and maximum, of keys among them.
  std::pair<float, float> over(TokenRange some, std::int64_t pairs) const;
};

// Mean score by the distance of query and key, over evenly spaced queries: what position alone predicts.
struct DistanceScores {
  std::vector<float>
      mean;  // [tokens] by query - key; where no evaluated query sees such a key, of a shorter distance
  double share = 0;  // of the variance of the evaluated scores; NaN without variance
};

class DenseAttention {
 public:
  // text.query and text.key: the same number of rows, at least one.
  DenseAttention(const AttentionText& text, const AttentionScoreRule& rule);

  std::int64_t tokens() const { return m_tokens; }
  // Keys that a query sees.
  TokenRange keysOf(std::int64_t query) const;
  // Number of pairs of these queries, ascending, with the keys among them that they see.
  std::int64_t pairs(std::span<const std::int64_t> queries, TokenRange keys) const;

  // Scores, scaled and capped, of at most kBlockQueries queries, ascending.
  void score(std::span<const std::int64_t> queries, TokenRange keys, ScoreBlock& block) const;
  // Adds scores and weights of queries, ascending, with these keys; null: not wanted. Weights of a query need
  // its scores with all keys once. May run in several threads at a time.
  void add(std::span<const std::int64_t> queries, TokenRange keys, KeySums* scores, KeySums* weights) const;

  // Adds the mean scores of the pairs' distances instead.
  void addByDistance(std::span<const std::int64_t> queries, TokenRange keys, const DistanceScores& distances,
                     KeySums& sums) const;

  // Number of scores that weights (or only scores) of these queries take.
  double cost(std::span<const std::int64_t> queries, TokenRange keys, bool weights) const;

  struct Row {
    TokenRange keys;                   // that the query sees
    std::vector<float> score, weight;  // [keys]
  };
  Row row(std::int64_t query) const;

 private:
  std::int64_t m_headDim, m_tokens;
  AttentionScoreRule m_rule;
  std::vector<float> m_queries;  // [tokens, head_dim], scaled
  std::vector<float> m_keys;     // keyPanels()
  // [tokens] logarithm of the sum of exp(score) over the keys that a query sees; NaN: not known yet
  mutable std::vector<std::atomic<float>> m_logSum;
};

inline constexpr std::int64_t kDistanceQueries = 1024;  // at most
DistanceScores distanceScoresOf(const DenseAttention& attention);

}  // namespace plastiscope
