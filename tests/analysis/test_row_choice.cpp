#include "core/analysis/head_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;

TEST(RowChoice, KeepsTheFirstOfRepeatedRows) {
  std::int64_t left = -1;
  const VectorRows kept = withoutRepeats(
      test::rowsOf({{{1}, 5, 0}, {{2}, 5, 1}, {{3}, 5, 0}, {{4}, 2, 0}, {{5}, 5, 1}, {{6}, 6, 1}}), left);
  EXPECT_EQ(left, 2);
  EXPECT_THAT(kept.position, ElementsAre(5, 5, 2, 6));
  EXPECT_THAT(kept.example, ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(kept.vectors.col(0).transpose(), Eigen::RowVector4d(1, 2, 4, 6));
  EXPECT_EQ(withoutRepeats(test::rowsOf({{{1}, 5, 0}, {{2}, 4, 0}}), left).rows(), 2);
  EXPECT_EQ(left, 0);
}

// Ranks from Pairs(0, 2, 5, 0x71).floyd(20, 6) of tests/data/analysis/reference.py.
TEST(RowChoice, ThinnedRowsEqualTheReference) {
  const VectorRows rows = test::randomHead(1, 2, 20, 2, 100).query;
  const VectorRows thin = subsampledRows(rows, {6, 0, 2, 5, QueryOrKey::Query});
  ASSERT_EQ(thin.rows(), 6);
  const int expected[] = {0, 6, 7, 12, 14, 15};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(thin.vectors.row(i), rows.vectors.row(expected[i]));
    EXPECT_EQ(thin.position[i], rows.position[expected[i]]);
  }
  EXPECT_EQ(subsampledRows(rows, {0, 0, 2, 5, QueryOrKey::Query}).rows(), 20);
  EXPECT_EQ(subsampledRows(rows, {20, 0, 2, 5, QueryOrKey::Query}).rows(), 20);
}

}  // namespace
}  // namespace plastiscope
