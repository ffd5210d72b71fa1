// Grids of method.md, Query bins, and exact limits of ranges.
#include "core/analysis/bins.h"

#include <gtest/gtest.h>

#include "core/analysis/ap_summary.h"
#include "core/base/error.h"

namespace plastiscope {
namespace {

BinGrid gridOf(const std::string& bins, const CaptureFrame& frame, std::int64_t density = 16) {
  AnalysisSettings settings;
  settings.bins = bins;
  return makeBinGrid(settings, frame, density);
}

TEST(Bins, DensityGivesTheNumberOfBins) {
  EXPECT_EQ(densityBinCount(100, 1), 16);
  EXPECT_EQ(densityBinCount(8000 * 300, 300), 160);
  EXPECT_EQ(densityBinCount(825, 1), 17);   // 16.5 rounds up
  EXPECT_EQ(densityBinCount(1649, 2), 16);  // mean 824.5
  EXPECT_EQ(densityBinCount(0, 0), 16);
}

TEST(Bins, EqualWidthIsTheExactFloor) {
  const BinGrid grid = gridOf("7", {1000, 64, false, 0});
  for (std::int64_t t = 0; t < 1000; ++t) EXPECT_EQ(grid.binOf(t), t * 7 / 1000) << t;
  EXPECT_EQ(grid.firstPosition(1), 143);  // 1000 / 7 = 142.86
  EXPECT_DOUBLE_EQ(grid.start(1), 1000.0 / 7);
  EXPECT_DOUBLE_EQ(grid.midpoint(0).value(), 1000.0 / 14);
}

TEST(Bins, PositionsOutsideTheWindowAreRefused) {
  const BinGrid grid = gridOf("4", {100, 10, false, 0});
  EXPECT_THROW((void)grid.binOf(100), InputError);
  EXPECT_THROW((void)grid.binOf(-1), InputError);
  EXPECT_EQ(grid.binOf(99), 3);
}

TEST(Bins, MakesUniformBuckets) {
  const BinGrid grid = gridOf("buckets", {1000, 300, false, 0});
  EXPECT_EQ(grid.edges, (std::vector<std::int64_t>{0, 300, 600, 900, 1000}));
  EXPECT_EQ(grid.binOf(299), 0);
  EXPECT_EQ(grid.binOf(300), 1);
}

// [2^b - 1, 2^(b+1) - 1), the first from 0; B = 100 counts as 128: buckets below 7 merge into 7.
TEST(Bins, MakesLogarithmicBuckets) {
  const BinGrid grid = gridOf("buckets", {1000, 100, true, 0});
  EXPECT_EQ(grid.edges, (std::vector<std::int64_t>{0, 255, 511, 1000}));
  EXPECT_EQ(gridOf("buckets", {16, 1, true, 0}).edges, (std::vector<std::int64_t>{0, 1, 3, 7, 15, 16}));
}

TEST(Bins, LimitsAreExact) {
  // tau = 0.2 L exactly: in floating point (2 b + 1) L / (2 n) and 0.2 L need not agree.
  for (const std::int64_t window : {1000, 4096, 8191, 131072}) {
    for (const std::int64_t bins : {5, 15, 25, 35, 45, 155}) {
      const BinGrid grid = gridOf(std::to_string(bins), {window, 64, false, 0});
      for (std::int64_t b = 0; b < bins; ++b) {
        const std::int64_t left = (2 * b + 1) * 5, right = 2 * bins;  // tau / L against 1 / 5
        EXPECT_EQ(grid.midpoint(b).compare(window, 5), left < right   ? -1
                                                       : left > right ? 1
                                                                      : 0)
            << window << " " << bins << " " << b;
      }
    }
  }
}

std::vector<BinResult> flatBins(std::int64_t window, std::int64_t count) {
  std::vector<BinResult> bins;
  const BinGrid grid = gridOf(std::to_string(count), {window, 1, false, 0});
  for (std::int64_t b = 0; b < count; ++b) {
    BinResult bin;
    bin.tau = grid.midpoint(b);
    bin.queries = 10 * (b + 1);
    bin.ap = 0.1 * static_cast<double>(b);
    bins.push_back(bin);
  }
  return bins;
}

// Five bins of L = 100: tau = 10, 30, 50, 70, 90; 15 bins have one at exactly 0.2 L and at 0.8 L, inside
// both ranges.
TEST(Summary, FirstAndLastFifthIncludeTheirLimits) {
  const ApSummary five = summarise(flatBins(100, 5), 100, {});
  EXPECT_DOUBLE_EQ(five.first20.ap, 0);
  EXPECT_DOUBLE_EQ(five.last20.ap, 0.4);
  EXPECT_DOUBLE_EQ(five.drop, -0.4);
  EXPECT_TRUE(std::isnan(five.deciles[0].ap));  // 0 <= tau < 10 has no bin
  EXPECT_DOUBLE_EQ(five.deciles[1].ap, 0);
  const ApSummary edge = summarise(flatBins(5, 5), 5, {});  // tau = 0.5, 1.5, ... L / 5 = 1
  EXPECT_EQ(edge.first20.bins, 1);
  // n = 5 / 2 * odd puts tau on the limit: L = 10, n = 25: tau = 0.2, 0.6, 1.0, 1.4, 1.8, ... 2.0 is not one;
  // n = 15, L = 30: tau = 1, 3, 5, ...; L / 5 = 6 lies between. With L = 10, n = 5 tau = 1, 3; limit 2.
  const ApSummary exact = summarise(flatBins(20, 10), 20, {});  // tau = 1, 3, ..., limit 4 and 16
  EXPECT_EQ(exact.first20.bins, 2);
  EXPECT_EQ(exact.last20.bins, 2);
}

TEST(Summary, LimitItselfBelongsToBothEnds) {
  std::vector<BinResult> bins = flatBins(100, 5);
  bins[1].tau = {20, 1};
  bins[3].tau = {80, 1};
  const ApSummary summary = summarise(bins, 100, {});
  EXPECT_EQ(summary.first20.bins, 2);
  EXPECT_EQ(summary.last20.bins, 2);
  EXPECT_EQ(summary.quintiles[0].bins, 1);  // [0, 20)
  EXPECT_EQ(summary.quintiles[1].bins, 1);
  EXPECT_EQ(summary.quintiles[4].bins, 2);  // [80, 100)
}

TEST(Summary, OverallWeighsByQueries) {
  AnalysisSettings equal;
  equal.weights = "equal";
  const auto bins = flatBins(100, 3);  // AP 0, 0.1, 0.2 with 10, 20, 30 queries
  EXPECT_NEAR(summarise(bins, 100, {}).overall, (2 + 6) / 60.0, 1e-15);
  EXPECT_NEAR(summarise(bins, 100, equal).overall, 0.1, 1e-15);
}

TEST(Summary, GivesMeansBetweenLengthEdges) {
  AnalysisSettings settings;
  settings.lengthEdges = {0, 10, 50, 100, 200};
  auto bins = flatBins(100, 5);
  bins[2].ap = kMissing;
  const ApSummary summary = summarise(bins, 100, settings);
  ASSERT_EQ(summary.lengths.size(), 3U);  // [100, 200) does not start below the window
  EXPECT_TRUE(std::isnan(summary.lengths[0].mean.ap));
  EXPECT_DOUBLE_EQ(summary.lengths[1].mean.ap, 0.05);  // tau 10 and 30
  EXPECT_EQ(summary.lengths[1].mean.queries, 30);
  EXPECT_EQ(summary.lengths[2].mean.queries, 40 + 50);  // tau 50 has no value
}

}  // namespace
}  // namespace plastiscope
