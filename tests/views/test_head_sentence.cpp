#include <gtest/gtest.h>

#include "core/views/head_sentence.h"
#include "core/views/study_facts.h"

namespace plastiscope {
namespace {

std::string sentenceOf(double bias, double first, double last) {
  const Table heads{"heads",
                    {{"bias_logit", std::vector<double>{bias}},
                     {"ap_first20", std::vector<double>{first}},
                     {"ap_last20", std::vector<double>{last}}}};
  return headSentence(heads, 0);
}

TEST(HeadSentence, DescribesTheValues) {
  EXPECT_EQ(sentenceOf(52.04, 0.83, 0.21),
            "prefers recent keys: +52 logits over the window; late queries hardly choose by content: AP 0.83 "
            "\u2192 0.21");
  EXPECT_EQ(sentenceOf(-2.5, 0.9, 0.85),
            "leans to early keys: \u22122.5 logits over the window; late queries choose by content: AP 0.85");
  EXPECT_EQ(
      sentenceOf(0.99, 0.4, 0.31),
      "no preference by position: +1.0 logits over the window; late queries choose by content in part: AP "
      "0.31");
}

TEST(HeadSentence, NoPreferenceHasNoSign) {
  EXPECT_TRUE(sentenceOf(-0.04, 0.4, 0.31).starts_with("no preference by position: 0.0 logits"));
}

TEST(HeadSentence, LimitsBelongToTheStrongerWord) {
  EXPECT_TRUE(sentenceOf(1, 0.5, 0.5).starts_with("leans to recent keys"));
  EXPECT_TRUE(sentenceOf(-4, 0.5, 0.5).starts_with("prefers early keys"));
  EXPECT_TRUE(sentenceOf(0, 0.8, 0.7).ends_with("choose by content: AP 0.80 \u2192 0.70"));
  EXPECT_TRUE(sentenceOf(0, 0.39, 0.3).ends_with("choose by content in part: AP 0.30"));
}

TEST(HeadSentence, LeavesOutMissingValues) {
  EXPECT_EQ(sentenceOf(kMissing, kMissing, 0.5), "late queries choose by content in part: AP 0.50");
  EXPECT_EQ(sentenceOf(5, 0.5, kMissing), "prefers recent keys: +5.0 logits over the window");
  EXPECT_EQ(sentenceOf(kMissing, 0.5, kMissing), "");
  EXPECT_EQ(headSentence(Table{"heads", {{"layer", std::vector<std::int64_t>{1}}}}, 0), "");
}

TEST(HeadSentence, SaysNothingAboutAWindowOfAFewRows) {
  const auto sentence = [](std::int64_t queries, std::int64_t keys) {
    return headSentence({"heads",
                         {{"query_rows", std::vector<std::int64_t>{queries}},
                          {"key_rows", std::vector<std::int64_t>{keys}},
                          {"bias_logit", std::vector<double>{5}}}},
                        0);
  };
  EXPECT_EQ(sentence(2, 300), "too few rows for a sentence: 2 queries, 300 keys");
  EXPECT_EQ(sentence(20, 20), "prefers recent keys: +5.0 logits over the window");
}

TEST(HeadSentence, SaysWhatAWindowHides) {
  const auto sentence = [](const char* attention, std::int64_t window, double reach) {
    return headSentence({"heads",
                         {{"attention", std::vector<std::string>{attention}},
                          {"attention_window", std::vector<std::int64_t>{window}},
                          {"reach_last", std::vector<double>{reach}}}},
                        0);
  };
  EXPECT_EQ(sentence("sliding", 1024, 0.139),
            "sees the last 1,024 tokens: 14 % of the text in the last fifth of the window");
  EXPECT_EQ(sentence("chunked", 512, 0.0714),
            "sees its block of 512 tokens: 7.1 % of the text in the last fifth of the window");
  EXPECT_EQ(sentence("full", 0, 1), "");
  EXPECT_EQ(sentence("sliding", 8192, 1), "") << "the text is not longer than the window";
}

// Columns: distances 0, 100, 200, 300.
MapData mapOf(std::vector<double> means, std::vector<std::int64_t> counts) {
  MapData map;
  map.cell = 100;
  map.minCount = 30;
  map.columns = 4;
  map.rows = 1;
  map.window = 400;
  map.mean = std::move(means);
  map.count = std::move(counts);
  return map;
}

TEST(FixedOrder, BeginsWhereAllFartherPairsAreDecided) {
  EXPECT_EQ(fixedOrderSentence(mapOf({0.9, 0.4, 0.05, 0.01}, {40, 40, 40, 40})),
            "the order of two keys is fixed beyond 200 tokens");
  // Few pairs far away are pooled with nearer ones.
  EXPECT_EQ(fixedOrderSentence(mapOf({0.9, 0.4, 0.05, 0.9}, {40, 40, 40, 2})),
            "the order of two keys is fixed beyond 200 tokens");
  EXPECT_EQ(fixedOrderSentence(mapOf({0.05, 0.05, 0.05, kMissing}, {40, 40, 40, 0})),
            "the order of two keys is fixed at any distance");
  EXPECT_EQ(fixedOrderSentence(mapOf({0.01, 0.01, 0.01, 0.5}, {40, 40, 40, 40})), "");
  EXPECT_EQ(fixedOrderSentence(mapOf({0, 0, 0, 0}, {0, 0, 0, 0})), "");
}

}  // namespace
}  // namespace plastiscope
