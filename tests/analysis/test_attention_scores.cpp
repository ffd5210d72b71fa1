// Attention scores of known weights, and the choice of queries in a long text.
#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/attention_scores.h"

namespace plastiscope {
namespace {

using Floats = std::vector<float>;

// All scores are equal: every query attends evenly to the keys it sees.
TEST(AttentionScores, DescribeEvenAttention) {
  const Floats zeros(4, 0);
  const std::vector<std::int32_t> tokens = {7, 8, 7, 9};
  AttentionSums sums;
  sums.add({1, zeros, zeros, tokens}, {}, 100);
  const AttentionScores scores = sums.scores();
  EXPECT_NEAR(scores.entropy, (std::log(2) + std::log(3) + std::log(4)) / 3, 1e-12);
  EXPECT_NEAR(scores.distance, (0.5 + 1 + 1.5) / 3, 1e-12);
  EXPECT_NEAR(scores.firstToken, (1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 3, 1e-12);
  EXPECT_EQ(scores.firstToken, scores.previousToken);
  EXPECT_NEAR(scores.induction, 1.0 / 3, 1e-12) << "only position 2 repeats a token, that of 0: key 1";
}

// The scores of a head whose query i attends only to the key attended[i].
AttentionScores scoresOf(const std::vector<std::size_t>& attended, const std::vector<std::int32_t>& tokens) {
  const std::size_t size = attended.size();
  Floats query(size * size, 0), key(size * size, 0);  // [tokens, tokens]
  for (std::size_t i = 0; i < size; ++i) {
    query[i * size + attended[i]] = 100;
    key[i * size + i] = 1;
  }
  AttentionSums sums;
  sums.add({static_cast<std::int64_t>(size), query, key, tokens}, {}, 100);
  return sums.scores();
}

// A text "A B C A B C" and heads named in the literature: scores that identify each, and scores that are 0.
TEST(AttentionScores, RecogniseTheClassicHeads) {
  const std::vector<std::int32_t> tokens = {1, 2, 3, 1, 2, 3};
  const AttentionScores previous = scoresOf({0, 0, 1, 2, 3, 4}, tokens);
  EXPECT_NEAR(previous.previousToken, 1, 1e-12);
  EXPECT_NEAR(previous.distance, 1, 1e-12);
  EXPECT_NEAR(previous.entropy, 0, 1e-12);
  EXPECT_NEAR(previous.induction, 0, 1e-12);
  const AttentionScores sink = scoresOf({0, 0, 0, 0, 0, 0}, tokens);
  EXPECT_NEAR(sink.firstToken, 1, 1e-12);
  EXPECT_NEAR(sink.distance, 3, 1e-12) << "the mean of 1 to 5";
  EXPECT_NEAR(sink.induction, 0, 1e-12);
  const AttentionScores induction = scoresOf({0, 1, 2, 1, 2, 3}, tokens);
  EXPECT_NEAR(induction.induction, 1, 1e-12) << "the key after the same token before";
  EXPECT_NEAR(induction.previousToken, 0, 1e-12);
  EXPECT_NEAR(induction.distance, (0 + 0 + 2 + 2 + 2) / 5.0, 1e-12);
}

TEST(AttentionScores, IgnoreKeysOutsideTheWindow) {
  const Floats zeros(6, 0);
  AttentionSums sliding, chunked;
  sliding.add({1, zeros, zeros, {}}, {.window = 2}, 100);
  chunked.add({1, zeros, zeros, {}}, {.window = 3, .chunked = true}, 100);
  EXPECT_NEAR(sliding.scores().entropy, std::log(2), 1e-12);
  EXPECT_NEAR(sliding.scores().firstToken, 0.5 / 5, 1e-12);
  // Queries 1 to 5 see 2, 3, 1, 2 and 3 keys.
  EXPECT_NEAR(chunked.scores().entropy, (2 * std::log(2) + 2 * std::log(3)) / 5, 1e-12);
  EXPECT_NEAR(chunked.scores().previousToken, (1.0 / 2 + 1.0 / 3 + 0 + 1.0 / 2 + 1.0 / 3) / 5, 1e-12);
  EXPECT_TRUE(std::isnan(sliding.scores().induction)) << "without tokens";
}

// Scores 3 and 1 of two keys, capped at 2 after scaling by 2.
TEST(AttentionScores, AreScaledThenCapped) {
  AttentionSums sums;
  sums.add({1, Floats{0, 1}, Floats{3, 1}, {}}, {.scale = 2, .softcap = 2}, 100);
  const double first = std::exp(2 * std::tanh(3.0)), second = std::exp(2 * std::tanh(1.0));
  EXPECT_NEAR(sums.scores().firstToken, first / (first + second), 1e-12);
}

// In a text of 10,001 tokens whose queries attend evenly the first token has the mean of 1 / (i + 1).
TEST(AttentionScores, SampleQueriesOfALongText) {
  const Floats zeros(10001, 0);
  double all = 0;
  for (int i = 1; i <= 10000; ++i) all += 0.5 * i / 10000;
  AttentionSums few;
  few.add({1, zeros, zeros, {}}, {}, 50);
  EXPECT_NEAR(few.scores().distance, all, 1.0);
  EXPECT_EQ(attentionQueriesPerText(1), 1024);
  EXPECT_EQ(attentionQueriesPerText(100), 163);
  EXPECT_EQ(attentionQueriesPerText(100000), 32);
}

TEST(AttentionScores, AreMissingWithoutASecondToken) {
  AttentionSums sums;
  sums.add({1, Floats{1}, Floats{1}, {}}, {}, 100);
  EXPECT_TRUE(std::isnan(sums.scores().entropy));
}

}  // namespace
}  // namespace plastiscope
