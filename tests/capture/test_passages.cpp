// First occurrences of repeated passages in a text.
#include <gtest/gtest.h>

#include <vector>

#include "core/capture/capture_unit.h"

namespace plastiscope {
namespace {

using Tokens = std::vector<std::int32_t>;

TEST(Passages, PointToTheirFirstOccurrence) {
  Tokens tokens;
  for (int i = 0; i < 10; ++i) tokens.push_back(i);
  tokens.push_back(99);
  for (int i = 1; i < 10; ++i) tokens.push_back(i);  // eight of them end at 8, nine at 9
  const Tokens places = firstPlacesOf(tokens);
  ASSERT_EQ(places.size(), 20u);
  EXPECT_EQ(Tokens(places.begin(), places.begin() + 18), Tokens(18, -1));
  EXPECT_EQ(places[18], 8);
  EXPECT_EQ(places[19], 9);
}

TEST(Passages, RepeatedTokenPointsToItsFirstPassage) {
  EXPECT_EQ(firstPlacesOf(Tokens(11, 5)), (Tokens{-1, -1, -1, -1, -1, -1, -1, -1, 7, 7, 7}));
  EXPECT_EQ(firstPlacesOf(Tokens(7, 5)), Tokens(7, -1));
  EXPECT_EQ(firstPlacesOf(Tokens()), Tokens());
}

}  // namespace
}  // namespace plastiscope
