#include <gmock/gmock.h>

#include "core/views/map_data.h"
#include "core/views/profile_data.h"
#include "views/literal_study.h"

namespace plastiscope {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<AnalysisFile> withColumn(const char* table, const char* column, auto values) {
  auto analysis = test::literalAnalysis();
  for (Table& each : analysis->tables) {
    if (each.name != table) continue;
    for (Column& one : each.columns) {
      if (one.name == column) one.values = values;
    }
  }
  return analysis;
}

TEST(EmptyViews, HaveNoMessageWhenThereIsAValue) {
  const auto analysis = test::literalAnalysis();
  EXPECT_EQ(whyNoProfile(*makeProfileField(*analysis)), "");
  EXPECT_EQ(whyNoMap(makeMap(*analysis, {})), "");
}

TEST(EmptyViews, ProfileWithoutValuesGivesTheNumberOfQueries) {
  const auto analysis = withColumn("profile", "ap", std::vector<double>(6, kMissing));
  EXPECT_THAT(whyNoProfile(*makeProfileField(*analysis)),
              HasSubstr("the fullest bin has 35 queries. A bin needs 20 queries and 32 key pairs"));
}

TEST(EmptyViews, MapWithoutPairsGivesTheNeedsOfABin) {
  const auto analysis = withColumn("map", "pairs", std::vector<std::int64_t>(4, 0));
  EXPECT_THAT(whyNoMap(makeMap(*analysis, {})), HasSubstr("no bin has 20 queries and 32 key pairs"));
}

}  // namespace
}  // namespace plastiscope
