// Data behind the scrubber and the what-if sliders.
#include <gtest/gtest.h>

#include <cmath>

#include "core/views/explore_data.h"

namespace plastiscope {
namespace {

BinResult bin(double start, double end, std::int64_t queries, std::int64_t pairs, std::int64_t used, double ap) {
  BinResult result;
  result.start = start;
  result.end = end;
  result.queries = queries;
  result.pairs = pairs;
  result.pairsUsed = used;
  result.ap = ap;
  return result;
}

PpSpread spread() {
  PpSpread spread;
  spread.bins = {bin(0, 100, 1, 8, 8, kMissing), bin(100, 250.5, 46, 124328, 256, 0.538)};
  spread.counts = {std::vector<std::int64_t>(kPpSteps, 0), std::vector<std::int64_t>(kPpSteps, 3)};
  return spread;
}

TEST(Spread, FindsTheBinOfAPosition) {
  const PpSpread data = spread();
  EXPECT_EQ(binAt(data, 0), 0u);
  EXPECT_EQ(binAt(data, 99.9), 0u);
  EXPECT_EQ(binAt(data, 100), 1u);
  EXPECT_EQ(binAt(data, 250), 1u);
  EXPECT_EQ(binAt(data, 251), std::nullopt);
  EXPECT_EQ(binAt(data, -1), std::nullopt);
}

TEST(Spread, DescribesTheBin) {
  const PpSpread data = spread();
  EXPECT_EQ(spreadText(data, 200), "bin 1 · 46 queries · 256 of 124,328 pairs · AP 0.538");
  EXPECT_EQ(spreadText(data, 5), "bin 0 · 1 query · 8 pairs · too few for AP");
  EXPECT_EQ(spreadText(data, 900), "no queries at this position");
}

TEST(WhatIf, HasBothProfilesAndSummaryValues) {
  WhatIfResult before, after;
  before.bins = {bin(0, 100, 30, 8, 8, 0.75), bin(100, 200, 30, 8, 8, kMissing)};
  after.bins = {bin(0, 100, 30, 8, 8, 0.5), bin(100, 200, 30, 8, 8, kMissing)};
  before.summary.overall = 0.7;
  before.summary.first20.ap = 0.8;
  before.summary.last20.ap = 0.5;
  before.summary.drop = 0.3;
  after.summary.overall = 0.6;
  const WhatIfData data = makeWhatIf(before, after, 200);
  EXPECT_EQ(data.window, 200);
  EXPECT_EQ(data.before[0], 0.75);
  EXPECT_EQ(data.after[0], 0.5);
  EXPECT_TRUE(std::isnan(data.after[1]));
  ASSERT_EQ(data.lines.size(), 4u);
  EXPECT_EQ(data.lines[0].before, 0.7);
  EXPECT_EQ(data.lines[0].after, 0.6);
  EXPECT_EQ(data.lines[1].before, 0.8);
  EXPECT_EQ(data.lines[2].before, 0.5);
  EXPECT_EQ(data.lines[3].before, 0.3);
  EXPECT_TRUE(std::isnan(data.lines[3].after));
}

}  // namespace
}  // namespace plastiscope
