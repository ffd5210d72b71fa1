// Softmax by position: values of NumPy (tests/data/analysis/reference_softmax.py), planted temperature and
// sink, and the reach of layers with an attention window.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "core/analysis/ap_summary.h"
#include "core/analysis/position_rotation.h"
#include "core/analysis/reach.h"
#include "core/analysis/softmax_positions.h"
#include "core/base/json.h"

namespace plastiscope {
namespace {

using Floats = std::vector<float>;

// Texts with a vector of queries and keys each.
struct Texts {
  std::vector<Floats> queries, keys;  // [texts][tokens, head_dim]
  std::int64_t headDim = 0;
};

struct Planted {
  HeadId place{2, 5, 1};
  AttentionScoreRule rule;
  AlignedPlasticity aligned;
  std::int64_t window = 96, bins = 4;
  std::uint64_t seed = 7;
};

SoftmaxPositions positionsOf(const Texts& texts, const Planted& planted) {
  BinGrid grid{planted.window, planted.bins, {}};
  for (std::int64_t b = 0; b <= planted.bins; ++b) grid.edges.push_back(b * planted.window);
  const DenseTexts dense{std::ssize(texts.queries), texts.headDim,
                         [&](std::int64_t text) { return texts.queries[text]; },
                         [&](std::int64_t text) { return texts.keys[text]; }};
  const Resamples groups = leaveOut(dense.texts, 100);
  Progress progress;
  return softmaxPositionsOf({planted.place, grid, planted.rule, dense, planted.aligned, groups, planted.seed},
                            progress);
}

// ---- values of NumPy

Floats formulaRows(int text, int tokens, int kind) {
  Floats rows;
  for (int t = 0; t < tokens; ++t)
    for (int c = 0; c < 6; ++c)
      rows.push_back(static_cast<float>(
          ((t * t * (c + 3) + 31 * t * (kind + 1) + 17 * (text + 1) * (c + 1) * (c + 1) + 7 * c) % 101 - 50) /
          32.0));
  return rows;
}

class SoftmaxReference : public ::testing::TestWithParam<const char*> {};

TEST_P(SoftmaxReference, EqualsNumPy) {
  const auto file = std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis" / "softmax.json";
  const Json expected = readJsonFile(file)[GetParam()];
  Texts texts{{}, {}, 6};
  for (const auto& [text, tokens] : {std::pair(0, 96), {1, 80}, {2, 96}, {3, 64}}) {
    texts.queries.push_back(formulaRows(text, tokens, 0));
    texts.keys.push_back(formulaRows(text, tokens, 1));
  }
  Planted planted;
  planted.rule = {0.4, 5, expected["window"].get<std::int64_t>(), expected["chunked"].get<bool>()};
  auto rotation = std::make_shared<PositionRotation>();
  rotation->frequencies = {{0.9, 0.05}};
  rotation->temperatureBeta = 0.3;
  rotation->temperatureLength = 16;
  planted.place.rotation = rotation;
  const std::vector<double> ap = {0.5, 0.35, 0.6, 0.3};
  planted.aligned.resampled = {ap};
  for (int e = 1; e <= 4; ++e) {
    planted.aligned.resampled.push_back(ap);
    for (int b = 0; b < 4; ++b) planted.aligned.resampled.back()[b] += 0.01 * e * (b - 1.5);
  }
  const SoftmaxPositions found = positionsOf(texts, planted);
  ASSERT_EQ(found.rows.size(), expected["rows"].size());
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const Json& line = expected["rows"][row];
    EXPECT_EQ(found.rows[row].queries, line["queries"].get<std::int64_t>());
    EXPECT_EQ(found.rows[row].queryPairs, line["query_pairs"].get<std::int64_t>());
    for (std::size_t v = 0; v < kSoftmaxValues; ++v) {
      const char* name = namesOf(SoftmaxValue())[v];
      EXPECT_NEAR(found.rows[row].value[v], line[name][0].get<double>(), 1e-9) << name << " " << row;
      EXPECT_NEAR(found.rows[row].interval[v].low, line[name][1].get<double>(), 1e-8) << name << " " << row;
      EXPECT_NEAR(found.rows[row].interval[v].high, line[name][2].get<double>(), 1e-8) << name << " " << row;
    }
  }
  for (std::size_t r = 0; r < found.correlation.resampled.size(); ++r) {
    EXPECT_NEAR(found.correlation.resampled[r], expected["correlation"][r].get<double>(), 1e-9);
    EXPECT_NEAR(found.plasticity.resampled[r], expected["plasticity"][r].get<double>(), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Analysis, SoftmaxReference, ::testing::Values("full", "sliding", "chunked"));

// ---- planted truths

// Random content without rotation; dimension 0 of queries is 1 and of keys 0, for a sink.
Texts randomTexts(double queryScale = 1, double sink = 0) {
  constexpr int kTexts = 12, kTokens = 64, kDim = 5;
  std::mt19937 generator(3);
  std::normal_distribution<float> normal;
  Texts texts{{}, {}, kDim};
  for (int e = 0; e < kTexts; ++e) {
    for (auto* kind : {&texts.queries, &texts.keys}) {
      Floats& rows = kind->emplace_back();
      for (int i = 0; i < kTokens * kDim; ++i) rows.push_back(normal(generator));
    }
    for (int t = 0; t < kTokens; ++t) {
      texts.queries[e][t * kDim] = 1;
      texts.keys[e][t * kDim] = 0;
    }
    for (int c = 0; c < kDim; ++c) texts.keys[e][c] = 0;  // the first key
    texts.keys[e][0] = static_cast<float>(sink);
    for (float& x : texts.queries[e]) x *= static_cast<float>(queryScale);
  }
  return texts;
}

Planted withoutRotation() {
  Planted planted;
  planted.window = 64;
  planted.bins = 1;
  planted.place.rotation = std::make_shared<PositionRotation>();
  return planted;
}

TEST(SoftmaxPositions, HalfTheTemperatureMovesSoftmaxPlasticityOnly) {
  const SoftmaxRow whole = positionsOf(randomTexts(), withoutRotation()).rows.back(),
                   half = positionsOf(randomTexts(2), withoutRotation()).rows.back();
  EXPECT_GT(half.of(SoftmaxValue::Plasticity), whole.of(SoftmaxValue::Plasticity) + 0.1);
  EXPECT_LT(half.of(SoftmaxValue::Entropy), whole.of(SoftmaxValue::Entropy) - 0.3);
  EXPECT_EQ(whole.of(SoftmaxValue::Plasticity), whole.of(SoftmaxValue::BinnedPlasticity)) << "no rotation";
  // Equal pairs have equal PP (Disagreement sees signs only); other weights draw other pairs.
  EXPECT_NEAR(half.of(SoftmaxValue::WeightedPlasticity), whole.of(SoftmaxValue::WeightedPlasticity), 0.05);
  EXPECT_NEAR(whole.of(SoftmaxValue::WeightedPlasticity), 1, 0.1) << "random queries order keys at random";
}

TEST(SoftmaxPositions, ASinkLowersSoftmaxPlasticity) {
  const SoftmaxRow none = positionsOf(randomTexts(), withoutRotation()).rows.back(),
                   sink = positionsOf(randomTexts(1, 6), withoutRotation()).rows.back();
  EXPECT_GT(sink.of(SoftmaxValue::Sink1), 0.6);
  EXPECT_LT(sink.of(SoftmaxValue::Plasticity), 0.5 * none.of(SoftmaxValue::Plasticity));
  EXPECT_LT(sink.of(SoftmaxValue::WeightedPlasticity), none.of(SoftmaxValue::WeightedPlasticity) - 0.3)
      << "every query prefers the sink, and pairs with it have the weight";
}

// PP of pairs of other keys, by the estimator that gives AP, is the same to the last digit.
TEST(SoftmaxPositions, TemperatureAndSinkLeavePairwisePlasticity) {
  const auto ppOf = [](const Texts& texts) {
    Matrix queries(12, 5), keys(63, 5);
    std::vector<TextQueries> each;
    for (int e = 0; e < 12; ++e) {
      each.push_back({e, 1});
      for (int c = 0; c < 5; ++c) queries(e, c) = texts.queries[e][63 * 5 + c];
    }
    std::vector<KeyPair> pairs;
    for (int t = 1; t < 64; ++t) {
      for (int c = 0; c < 5; ++c) keys(t - 1, c) = texts.keys[0][t * 5 + c];
      if (t > 1) pairs.push_back({t - 2, t - 1});
    }
    Disagreement model(queries, each);
    model.setKeys(keys, std::ssize(pairs));
    std::vector<double> pp(pairs.size());
    model.evaluate(pairs, pp.data());
    return pp;
  };
  EXPECT_EQ(ppOf(randomTexts()), ppOf(randomTexts(2)));
  EXPECT_EQ(ppOf(randomTexts()), ppOf(randomTexts(1, 6)));
}

TEST(SoftmaxPositions, AreMissingWhereRowsDoNotGiveThem) {
  Planted planted = withoutRotation();
  planted.place.rotation = nullptr;
  const SoftmaxPositions found = positionsOf(randomTexts(), planted);
  EXPECT_TRUE(std::isnan(found.plasticity.value));
  EXPECT_TRUE(std::isnan(found.correlation.value));
  EXPECT_FALSE(std::isnan(found.rows.back().of(SoftmaxValue::BinnedPlasticity)));
  EXPECT_EQ(softmaxQueriesPerBin(20, 32), 16);
  EXPECT_EQ(softmaxQueriesPerBin(300, 32), 2);
}

// ---- reach

HeadId placeOf(const char* attention, std::int64_t window) {
  return {0, 0, 0, attention, true, window};
}

TEST(Reach, IsTheShareOfThePrefixThatALayerSees) {
  EXPECT_EQ(meanReach(placeOf("full", 0), 0, 10), 1);
  // Queries 0 to 4 see 1, 2, 2, 2, 2 of 1, 2, 3, 4, 5 tokens; in blocks of 2 they see 1, 2, 1, 2, 1.
  EXPECT_NEAR(meanReach(placeOf("sliding", 2), 0, 5), (1 + 1 + 2 / 3.0 + 2 / 4.0 + 2 / 5.0) / 5, 1e-15);
  EXPECT_NEAR(meanReach(placeOf("chunked", 2), 0, 5), (1 + 1 + 1 / 3.0 + 2 / 4.0 + 1 / 5.0) / 5, 1e-15);
  EXPECT_NEAR(lastReach(placeOf("sliding", 2), 10), (2 / 9.0 + 2 / 10.0) / 2, 1e-15);
  EXPECT_NEAR(lastReach(placeOf("chunked", 4), 10), (1 / 9.0 + 2 / 10.0) / 2, 1e-15);
  EXPECT_NEAR(lastReach(placeOf("sliding", 2), 12), (2 / 11.0 + 2 / 12.0) / 2, 1e-15) << "from 9.6";
  EXPECT_TRUE(std::isnan(meanReach(placeOf("full", 0), 3, 3)));
}

// AP falls from 0.8 to 0.6; the last bin sees a quarter of what is before it.
TEST(Reach, TellsTruncationFromDegradation) {
  std::vector<BinResult> bins(5);
  for (int b = 0; b < 5; ++b) {
    bins[b].tau = {2 * b + 1, 1};
    bins[b].ap = 0.8 - 0.05 * b;
  }
  EXPECT_NEAR(summarise(bins, 10, {}).reachDrop, 0.2, 1e-15);
  bins[4].reach = 0.25;
  const ApSummary summary = summarise(bins, 10, {});
  EXPECT_NEAR(summary.drop, 0.2, 1e-15);
  EXPECT_NEAR(summary.reachDrop, 0.8 - 0.25 * 0.6, 1e-15);
}

}  // namespace
}  // namespace plastiscope
