// Reference values of the generator and of Floyd's method, and small heads with known values (method.md,
// Sampling and closed forms).
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

using Ranks = std::vector<std::int64_t>;

TEST(PairSampling, StatesEqualTheReference) {
  const std::uint64_t state = pairGeneratorState(0, 0, 0, 5);
  EXPECT_EQ(state, 0x3b03c09d927739e3u);
  PairGenerator generator(state);
  EXPECT_EQ(generator.next(), 0xcababda639386609u);
  EXPECT_EQ(generator.next(), 0x67f6bd297c760be4u);
}

TEST(PairSampling, RanksEqualTheReference) {
  EXPECT_EQ(sampleRanks(1000, 8, pairGeneratorState(0, 0, 0, 5)),
            (Ranks{8, 130, 169, 403, 590, 656, 786, 932}));
  EXPECT_EQ(sampleRanks(60000, 10, pairGeneratorState(0, 7, 3, 12)),
            (Ranks{4835, 5109, 5572, 11306, 11372, 17726, 18921, 48892, 55590, 58281}));
  EXPECT_EQ(sampleRanks(10, 8, pairGeneratorState(1, 0, 0, 5)), (Ranks{0, 1, 2, 3, 5, 7, 8, 9}));
}

TEST(PairSampling, TakesAllWhenThereAreFewer) {
  EXPECT_EQ(sampleRanks(3, 8, 1), (Ranks{0, 1, 2}));
  EXPECT_EQ(sampleRanks(0, 8, 1), Ranks{});
}

// Two keys at 0 and 1, a query bin whose queries have mean 1 and variance 1 in one dimension.
AnalysisSettings oneBinSettings() {
  AnalysisSettings settings;
  settings.bins = "2";
  settings.pairs = 0;
  settings.minQueries = 2;
  settings.minPairs = 1;
  settings.variance = "full";
  return settings;
}

// Keys +1 and -1, alpha 0, beta 1, tau 1, variance 1: delta 2, m 2, v 4, z = 1.
TEST(SmallHeads, OneDimensionGivesTheKnownValue) {
  // Queries q = t + noise with residuals that leave beta = 1, alpha = 0 and sum of squares n - 2.
  test::SampleHead head;
  head.frame = {2, 1, false, 1};
  const double r = 1 / std::sqrt(2.0);
  head.query = test::rowsOf({{{r}, 0, 0}, {{-r}, 0, 0}, {{1 + r}, 1, 0}, {{1 - r}, 1, 0}});
  head.key = test::rowsOf({{{1}, 0, 0}, {{-1}, 0, 0}});
  const QueryModel model = queryModelOf(head.query, momentsOf(head.query));
  EXPECT_NEAR(model.betaPosition, 1, 1e-12);
  EXPECT_NEAR(model.alphaPosition, 0, 1e-12);
  EXPECT_NEAR(model.sigmaPosition2, 1, 1e-12);
  BinQueries queries{head.query.vectors, {1.0, Vector::Zero(1), Vector::Zero(1)}, model.sigmaPosition2, 1};
  const std::vector<std::int64_t> order = {0, 1};
  const HouseholderKeys keys = householderKeys(head.key.vectors, order, model);
  const KeyPair pair{0, 1};
  double pp = 0;
  makePairModel("thesis", queries, keys, {{0, 1}, 1})->evaluate({&pair, 1}, &pp);
  EXPECT_NEAR(pp, 0.533935, 1e-6);
}

// Keys 0 and 1 in example 0, key 100 in example 1: only the pair (0, 1) counts, |z| = 1.
TEST(SmallHeads, PairsStayInsideAnExample) {
  test::SampleHead head;
  head.frame = {8, 4, false, 1};
  const double r = 1 / std::sqrt(2.0);
  head.query = test::rowsOf({{{1 - r}, 4, 0}, {{1 + r}, 5, 0}, {{2}, 0, 1}});
  head.key = test::rowsOf({{{0}, 0, 0}, {{1}, 1, 0}, {{100}, 2, 1}});
  const Plasticity plasticity = test::plasticityWith(head, oneBinSettings());
  EXPECT_EQ(plasticity.bins[1].keys, 3);
  EXPECT_EQ(plasticity.bins[1].pairs, 1);
  EXPECT_NEAR(plasticity.bins[1].ap, 0.533935, 1e-6);
}

}  // namespace
}  // namespace plastiscope
