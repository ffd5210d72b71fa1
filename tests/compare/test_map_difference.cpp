// Differences of maps; expected values by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "core/compare/matching.h"

namespace plastiscope {
namespace {

MapData mapOf(std::vector<double> mean, std::vector<std::int64_t> count, std::int64_t cell = 8) {
  MapData map;
  map.window = 2 * cell;
  map.cell = cell;
  map.columns = map.rows = 2;
  map.mean = std::move(mean);
  map.count = std::move(count);
  map.scopeText = "all heads";
  return map;
}

TEST(MapDifference, SubtractsTheFirstMapAndKeepsTheFewerPairs) {
  const MapData first = mapOf({0.5, 0.25, kMissing, 0.1}, {40, 100, 0, 90});
  const MapData other = mapOf({0.75, 0.0, 0.3, 0.9}, {50, 30, 60, 29});
  const auto difference = differenceMap(first, other);
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->map.count, (std::vector<std::int64_t>{40, 30, 0, 29}));
  EXPECT_DOUBLE_EQ(difference->map.mean[0], 0.25);
  EXPECT_DOUBLE_EQ(difference->map.mean[1], -0.25);
  EXPECT_TRUE(std::isnan(difference->map.mean[2])) << "no pairs on one side";
  EXPECT_DOUBLE_EQ(difference->map.mean[3], 0.8);
  EXPECT_EQ(difference->map.cellsBelowMinimum(), 1) << "29 pairs are too few to be coloured";
  EXPECT_DOUBLE_EQ(difference->reach, 0.25) << "only over coloured cells";
}

TEST(MapDifference, NeedsTheSameShape) {
  const MapData first = mapOf({0, 0, 0, 0}, {40, 40, 40, 40});
  EXPECT_EQ(differenceMap(first, mapOf({0, 0, 0, 0}, {40, 40, 40, 40}, 16)), nullptr);
  const auto same = differenceMap(first, first);
  ASSERT_NE(same, nullptr);
  EXPECT_GT(same->reach, 0) << "a colour range is never empty";
}

}  // namespace
}  // namespace plastiscope
