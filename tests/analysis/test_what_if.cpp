#include "core/analysis/what_if.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

struct Prepared {
  test::SampleHead head = test::workedExample();
  AnalysisSettings settings = test::workedSettings();
  HeadKeys keys{head.key};
  BinGrid grid = makeBinGrid(settings, head.frame, 16);
  WhatIfHead whatIf{{head.place, head.frame, head.query, keys, grid, settings, Progress()}};
  WhatIfResult with(const WhatIf& change) const { return whatIf.evaluate(change); }
};

void expectSameProfile(const std::vector<BinResult>& expected, const std::vector<BinResult>& found) {
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t b = 0; b < expected.size(); ++b) {
    EXPECT_EQ(std::isnan(expected[b].ap), std::isnan(found[b].ap)) << b;
    EXPECT_EQ(expected[b].pairsUsed, found[b].pairsUsed) << b;
    if (std::isnan(expected[b].ap)) continue;
    EXPECT_NEAR(expected[b].ap, found[b].ap, 1e-12) << b;
  }
}

TEST(WhatIf, EqualsTheAnalysisWithoutChanges) {
  const Prepared prepared;
  const HeadResult result = test::analyze(prepared.head, prepared.settings);
  const WhatIfResult same = prepared.with({});
  expectSameProfile(result.plasticity.bins, same.bins);
  EXPECT_NEAR(same.summary.overall, 0.276844748924, 1e-11);
  EXPECT_NEAR(same.summary.drop, 0.191186552401, 1e-11);
}

TEST(WhatIf, UsesTheSampledPairsOfTheAnalysis) {
  Prepared prepared;
  prepared.settings.pairs = 20;
  const WhatIfHead whatIf({prepared.head.place, prepared.head.frame, prepared.head.query, prepared.keys,
                           prepared.grid, prepared.settings, Progress()});
  const HeadResult result = test::analyze(prepared.head, prepared.settings);
  const WhatIfResult same = whatIf.evaluate({});
  for (std::size_t b = 0; b < same.bins.size(); ++b) {
    if (std::isnan(same.bins[b].ap)) continue;
    EXPECT_EQ(same.bins[b].ap, result.plasticity.bins[b].ap) << b;  // equal bits
  }
}

// The two runs of the decomposition, with the values of method.md, Worked example.
TEST(WhatIf, ContainsTheRunsOfTheDecomposition) {
  const Prepared prepared;
  WhatIf still;
  still.beta = 0;
  EXPECT_NEAR(prepared.with(still).summary.overall, 0.275537774966, 1e-11);
  EXPECT_NEAR(prepared.with(still).summary.drop, 0.086544998290, 1e-11);
  WhatIf frozen;
  frozen.freezeMean = frozen.freezeVariance = true;
  EXPECT_NEAR(prepared.with(frozen).summary.overall, 0.284648439991, 1e-11);
  EXPECT_NEAR(prepared.with(frozen).summary.drop, 0.146384319821, 1e-11);
}

// Scaling the drift of the keys equals the analysis of keys with that drift.
TEST(WhatIf, ScaledKeyDriftEqualsAnAnalysisOfChangedKeys) {
  const Prepared prepared;
  const HeadResult before = test::analyze(prepared.head, prepared.settings);
  for (const double scale : {0.0, 0.5, -2.0}) {
    test::SampleHead changed = prepared.head;
    changed.key = withScaledDrift(changed.key, before.rotation.a, before.rotation.alphaKey, scale);
    WhatIf change;
    change.alphaKey = scale;
    expectSameProfile(test::plasticityWith(changed, prepared.settings).bins, prepared.with(change).bins);
  }
}

TEST(WhatIf, MoreContentVarianceRaisesPlasticity) {
  const Prepared prepared;
  WhatIf wide;
  wide.contentVariance = 100;
  EXPECT_GT(prepared.with(wide).summary.overall, 0.7);
  wide.contentVariance = 0;  // the drift coordinate still varies
  EXPECT_LT(prepared.with(wide).summary.overall, prepared.with({}).summary.overall);
}

TEST(WhatIf, IsMissingWithoutAQueryModel) {
  Prepared prepared;
  for (std::int64_t& t : prepared.head.query.position) t = 100;
  const WhatIfHead whatIf({prepared.head.place, prepared.head.frame, prepared.head.query, prepared.keys,
                           prepared.grid, prepared.settings, Progress()});
  WhatIf change;
  change.alphaKey = 0;
  EXPECT_TRUE(std::isnan(whatIf.evaluate(change).summary.overall));
}

TEST(WhatIf, NeedsADriftLine) {
  Prepared prepared;
  prepared.settings.variance = "full";
  EXPECT_THROW(WhatIfHead({prepared.head.place, prepared.head.frame, prepared.head.query, prepared.keys,
                           prepared.grid, prepared.settings, Progress()}),
               UsageError);
}

TEST(WhatIf, ZeroScaleRemovesTheDrift) {
  const Prepared prepared;
  const HeadResult before = test::analyze(prepared.head, prepared.settings);
  const VectorRows still = withScaledDrift(prepared.head.key, before.rotation.a, before.rotation.alphaKey, 0);
  const Vector along = still.vectors * before.rotation.a;
  const LineStats stats =
      lineStats({along.data(), static_cast<std::size_t>(along.size())}, asDoubles(still.position));
  EXPECT_NEAR(stats.slope(), 0, 1e-15);
  EXPECT_NEAR(stats.mean, before.rotation.muKeyA, 1e-12);
}

}  // namespace
}  // namespace plastiscope
