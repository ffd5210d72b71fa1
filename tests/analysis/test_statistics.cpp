#include "core/analysis/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plastiscope {
namespace {

TEST(Statistics, FitsALineThroughKnownPoints) {
  const std::vector<double> x = {1, 2, 4, 5}, t = {0, 1, 2, 3};
  const LineStats stats = lineStats(x, t);
  EXPECT_DOUBLE_EQ(stats.mean, 3);
  EXPECT_DOUBLE_EQ(stats.variance, 2.5);
  EXPECT_DOUBLE_EQ(stats.slope(), 1.4);
  EXPECT_DOUBLE_EQ(stats.pearson(), 1.75 / std::sqrt(2.5 * 1.25));
}

TEST(Statistics, ConstantValuesHaveNoCorrelation) {
  const std::vector<double> flat = {3, 3, 3}, rising = {0, 1, 2}, one = {4};
  EXPECT_TRUE(std::isnan(lineStats(flat, rising).pearson()));
  EXPECT_DOUBLE_EQ(lineStats(flat, rising).slope(), 0);
  EXPECT_TRUE(std::isnan(lineStats(rising, flat).pearson()));
  EXPECT_TRUE(std::isnan(lineStats(rising, flat).slope()));
  EXPECT_TRUE(std::isnan(lineStats(one, one).pearson()));
  EXPECT_TRUE(std::isnan(lineStats({}, {}).pearson()));
}

// "Constant" is relative to the mean square, so the mean of raw values counts.
TEST(Statistics, ConstantIsRelativeToTheMeanSquare) {
  const std::vector<double> tiny = {-1e-13, 1e-13}, t = {0, 1};
  EXPECT_FALSE(lineStats(tiny, t).constantX);
  EXPECT_TRUE(lineStats(tiny, t, 1000).constantX);
}

TEST(Statistics, PoolEqualsTheStatsOfAllRows) {
  const std::vector<double> x1 = {1, 7, 2}, t1 = {0, 5, 9}, x2 = {-4, 6}, t2 = {3, 8};
  const std::vector<double> x = {1, 7, 2, -4, 6}, t = {0, 5, 9, 3, 8};
  const LineStats pool = pooled(lineStats(x1, t1), lineStats(x2, t2), 0.6, 0.4), all = lineStats(x, t);
  EXPECT_NEAR(pool.mean, all.mean, 1e-14);
  EXPECT_NEAR(pool.variance, all.variance, 1e-13);
  EXPECT_NEAR(pool.pearson(), all.pearson(), 1e-14);
}

TEST(Statistics, MeanLeavesOutMissingValues) {
  std::int64_t count = 0;
  EXPECT_DOUBLE_EQ(meanOfPresent(std::vector<double>{1, kMissing, 3}, &count), 2);
  EXPECT_EQ(count, 2);
  EXPECT_TRUE(std::isnan(meanOfPresent(std::vector<double>{kMissing}, &count)));
  EXPECT_EQ(count, 0);
}

// A naive sum of a million tenths is off by 1e-6; pairwise sums are accurate to about the last bit.
TEST(Statistics, LongSumsKeepTheirDigits) {
  const std::vector<double> values(1000000, 0.1);
  EXPECT_NEAR(sumOf(values), 100000, 1e-9);
}

}  // namespace
}  // namespace plastiscope
