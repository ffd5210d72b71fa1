// Finds a cell of one map in others; expected values by hand.
#include <gtest/gtest.h>

#include "core/compare/matching.h"

namespace plastiscope {
namespace {

std::shared_ptr<MapData> map(std::int64_t window, std::int64_t cell) {
  auto data = std::make_shared<MapData>();
  data->window = window;
  data->cell = cell;
  data->columns = data->rows = window / cell;
  data->mean.assign(static_cast<std::size_t>(data->columns * data->rows), 0.5);
  data->count.assign(data->mean.size(), 40);
  return data;
}

TEST(MapCells, MatchesTheSameCellOfEqualSizes) {
  const auto one = map(4096, 256), other = map(2048, 256);
  EXPECT_EQ(matchedCell(*one, {3, 2}, *other), (MapCell{3, 2}));
  EXPECT_EQ(matchedCell(*one, {8, 2}, *other), std::nullopt) << "2,048 to 2,304 tokens apart";
}

TEST(MapCells, MatchesOtherSizesByTokens) {
  const auto fine = map(2048, 128), coarse = map(8192, 512);
  EXPECT_EQ(matchedCell(*fine, {7, 4}, *coarse), (MapCell{1, 1})) << "middles 960 and 576";
  EXPECT_EQ(matchedCell(*coarse, {1, 0}, *fine), (MapCell{6, 2})) << "middles 768 and 256";
  EXPECT_EQ(matchedCell(*coarse, {4, 0}, *fine), std::nullopt) << "middle 2,304 of 2,048";
}

TEST(MapCells, EveryMapHasItsOwnValue) {
  const auto first = map(1024, 256), second = map(1024, 256);
  second->mean[second->index(1, 2)] = 0.75;
  second->count[second->index(1, 2)] = 7;
  const auto cells = compareCell({nullptr, first, second}, {1, 2});
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_FALSE(cells[0].cell);
  EXPECT_EQ(cells[1].mean, 0.5);
  EXPECT_TRUE(cells[1].enough);
  EXPECT_EQ(cells[2].mean, 0.75);
  EXPECT_EQ(cells[2].pairs, 7);
  EXPECT_FALSE(cells[2].enough) << "30 pairs are required";
}

TEST(MapCells, ReturnsNothingWithoutMaps) {
  EXPECT_EQ(firstMap({nullptr, nullptr}), nullptr);
  for (const ComparedCell& cell : compareCell({nullptr, nullptr}, {0, 0})) EXPECT_FALSE(cell.cell);
}

}  // namespace
}  // namespace plastiscope
