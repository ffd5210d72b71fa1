// Results have the same bits for any number of threads, query chunk and grouping of texts.
#include <gtest/gtest.h>

#include "tests/forward/golden_cases.h"

namespace plastiscope {

using namespace testing_support;

namespace {

const std::vector<std::int32_t> kPositions{0, 1, 255, 256, 1000, 1023, 1024, 2047, 2048, 2600, 3000, 3333};
constexpr std::int64_t kTokens = 3334;

std::vector<std::int32_t> upTo(std::int64_t tokens) {
  std::vector<std::int32_t> kept;
  for (const auto position : kPositions) {
    if (position < tokens) kept.push_back(position);
  }
  return kept;
}

std::vector<std::int32_t> tokensFrom(std::int64_t first, std::int64_t count) {
  const auto all = goldenTokens(first + count);
  return {all.begin() + first, all.end()};
}

using Rows = std::map<RowKey, std::vector<float>>;

Rows capture(const std::shared_ptr<const Model>& model, int threads, std::int64_t chunk,
             const std::string& dtype = "float32") {
  ForwardOptions options;
  options.device = "cpu";
  options.dtype = dtype;
  options.threads = threads;
  options.queryChunk = chunk;
  KeepingSink sink(model->spec, kPositions, {CapturePoint::PostRope, CapturePoint::PreRope});
  runGroup(model, {{0, goldenTokens(kTokens)}}, sink, options);
  return sink.rows;
}

}  // namespace

class DeterminismOf : public testing::TestWithParam<const char*> {};

TEST_P(DeterminismOf, ThreadsAndChunksDoNotChangeABit) {
  const auto model = openGolden(goldenCase(GetParam()));
  const Rows one = capture(model, 1, 2048);
  EXPECT_EQ(one.size(), 8U * static_cast<std::size_t>(model->spec.layerCount) / 2);
  EXPECT_EQ(one, capture(model, 2, 2048));
  EXPECT_EQ(one, capture(model, 3, 2048));
  EXPECT_EQ(one, capture(model, 2, 1024));
  EXPECT_EQ(one, capture(model, 1, 4096));
}

TEST(Determinism, HoldsForSixteenBitTypesToo) {
  const auto model = openGolden(goldenCase("default_old"));
  for (const std::string dtype : {"bfloat16", "float16"}) {
    const Rows one = capture(model, 1, 2048, dtype);
    EXPECT_EQ(one, capture(model, 2, 2048, dtype)) << dtype;
    EXPECT_EQ(one, capture(model, 3, 1024, dtype)) << dtype;
  }
}

// Their scores are computed here and not by a fused kernel.
TEST(Determinism, HoldsForCappedScoresToo) {
  const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / "gemma2");
  ASSERT_GT(model->spec.scoreSoftcap, 0);
  for (const std::string dtype : {"float32", "bfloat16"}) {
    const Rows one = capture(model, 1, 2048, dtype);
    EXPECT_EQ(one.size(), 4U * 4) << dtype;
    EXPECT_EQ(one, capture(model, 2, 2048, dtype)) << dtype;
    EXPECT_EQ(one, capture(model, 2, 1024, dtype)) << dtype;
    EXPECT_EQ(one, capture(model, 3, 4096, dtype)) << dtype;
  }
}

// Their attention chunks do not begin where chunks of queries do.
TEST(Determinism, HoldsForChunkedLayersToo) {
  const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / "llama4_text");
  const Rows one = capture(model, 1, 2048);
  EXPECT_EQ(one, capture(model, 2, 1024));
  EXPECT_EQ(one, capture(model, 2, 4096));
}

// Their states continue from chunk to chunk and start anew with every text.
TEST(Determinism, HoldsForRecurrencesToo) {
  for (const std::string name : {"qwen3_next", "granitemoehybrid"}) {
    const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / name);
    const Rows one = capture(model, 1, 2048);
    EXPECT_EQ(one.size(), 4U * 2) << name;  // two of four layers have vectors
    EXPECT_EQ(one, capture(model, 2, 1024)) << name;
    EXPECT_EQ(one, capture(model, 3, 4096)) << name;
    KeepingSink both(model->spec, kPositions, {CapturePoint::PostRope});
    runGroup(model, {{0, goldenTokens(kTokens)}, {1, goldenTokens(kTokens)}}, both);
    for (const auto& [key, rows] : both.rows)
      EXPECT_EQ(rows, both.rows.at({key.layer, key.kind, key.point, 0}));
  }
}

// Keys that layers share with later ones belong to one text; falcon_h1 has parallel mixers.
TEST(Determinism, HoldsForSharedKeysAndParallelMixersToo) {
  for (const std::string name : {"gemma4_text", "gemma4_text_moe", "gemma3n_text", "falcon_h1"}) {
    const auto model = openModel(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "families" / name);
    for (const std::string dtype : {"float32", "bfloat16"}) {
      const Rows one = capture(model, 1, 2048, dtype);
      EXPECT_EQ(one.size(), 4U * 4) << name;
      EXPECT_EQ(one, capture(model, 2, 1024, dtype)) << name;
      EXPECT_EQ(one, capture(model, 3, 4096, dtype)) << name;
    }
    KeepingSink both(model->spec, kPositions, {CapturePoint::PostRope});
    runGroup(model, {{0, goldenTokens(kTokens)}, {1, goldenTokens(kTokens)}}, both);
    for (const auto& [key, rows] : both.rows)
      EXPECT_EQ(rows, both.rows.at({key.layer, key.kind, key.point, 0}));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, DeterminismOf,
                         testing::Values("default_old", "sharded", "yarn_new", "window"));

TEST(Determinism, TextsOfAGroupDoNotInfluenceEachOther) {
  const auto model = openGolden(goldenCase("dynamic_new"));  // frequencies depend on the text's length
  const std::vector<TokenSequence> texts{{10, tokensFrom(0, 300)},
                                         {11, tokensFrom(50, 5000)},
                                         {12, tokensFrom(5, 1)},
                                         {13, tokensFrom(9, 1500)}};
  ForwardOptions options;
  options.device = "cpu";
  options.threads = 2;

  class GroupSink : public KeepingSink {
   public:
    GroupSink(const ModelSpec& spec, std::map<std::int64_t, std::vector<std::int32_t>> wanted)
        : KeepingSink(spec, {}, {CapturePoint::PostRope}), m_wanted(std::move(wanted)) {}
    std::vector<std::int32_t> positions(std::int64_t, QueryOrKey, std::int64_t example) const override {
      return m_wanted.at(example);
    }

   private:
    std::map<std::int64_t, std::vector<std::int32_t>> m_wanted;
  };
  std::map<std::int64_t, std::vector<std::int32_t>> wanted;
  for (const auto& text : texts) wanted[text.example] = upTo(std::ssize(text.tokens));

  GroupSink together(model->spec, wanted), apart(model->spec, wanted);
  runGroup(model, texts, together, options);
  for (const auto& text : texts) runGroup(model, {text}, apart, options);
  EXPECT_EQ(together.rows.size(), 4U * 2 * static_cast<std::size_t>(model->spec.layerCount));
  EXPECT_EQ(together.rows, apart.rows);
}

}  // namespace plastiscope
