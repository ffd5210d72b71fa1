// Published numbers in figures, compared with rows copied by hand from resources/reference.
#include <gmock/gmock.h>

#include <cmath>

#include "core/base/error.h"
#include "core/compare/published_figures.h"
#include "core/compare/reference_data.h"
#include "core/views/figure_tables.h"

namespace plastiscope {

using testing::ElementsAre;

TEST(PublishedFigures, MapsHaveCellsButNoCounts) {
  const MapData map = publishedMap("ministral3-14b");
  EXPECT_EQ(map.columns, 16);
  EXPECT_DOUBLE_EQ(map.mean[map.index(0, 0)], 0.657);
  EXPECT_DOUBLE_EQ(map.mean[map.index(1, 0)], 0.573);
  EXPECT_EQ(map.count[map.index(15, 0)], 0);
  EXPECT_EQ(map.cellsBelowMinimum(), 0) << "nothing is hatched";
  EXPECT_EQ(map.published, "digitised");
  const Table table = tableOf(map);
  EXPECT_EQ(table.cellText(4, 0), "") << "the number of pairs is unknown";
}

TEST(PublishedFigures, WeightsHaveTheFivePeaks) {
  const ComponentWeightsData data = publishedWeights("qwen3-14b");
  ASSERT_EQ(data.weight.size(), 128U);
  EXPECT_DOUBLE_EQ(data.weight[105], 0.071);
  EXPECT_EQ(std::count_if(data.weight.begin(), data.weight.end(), [](double w) { return std::isfinite(w); }),
            5);
  EXPECT_EQ(data.pairOf[105], 41);
}

TEST(PublishedFigures, HasComponentsOfAllHeads) {
  const ComponentsData data = publishedComponents();
  ASSERT_EQ(data.rQuery.size(), 10U);
  EXPECT_DOUBLE_EQ(data.explainedVariance[0], 0.341);
  EXPECT_DOUBLE_EQ(data.rQuery[0], 0.793);
  EXPECT_DOUBLE_EQ(data.rKey[1], -0.011);
}

TEST(PublishedFigures, DepthMapsHaveTheOrderOfTheThesis) {
  const DepthMapData data = publishedDepthMap(PublishedModels::Primary, "r_k");
  std::vector<std::string> names;
  for (const DepthMapRow& row : data.rows) names.push_back(row.model.name);
  EXPECT_THAT(names,
              ElementsAre("qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b", "qwen3-14b", "llama3.2-1b",
                          "llama3.2-3b", "llama3.2-11b", "ministral3-3b", "ministral3-8b", "ministral3-14b"));
  EXPECT_DOUBLE_EQ(data.rows[0].value[1], 0.23);
  EXPECT_DOUBLE_EQ(publishedDepthMap(PublishedModels::Checkpoints, "r_q").rows[0].value[1], 0.76);
  EXPECT_DOUBLE_EQ(publishedDepthMap(PublishedModels::Primary, "bias_strength").rows[0].value[1], 3.43e-3);
}

TEST(PublishedFigures, CheckpointsHaveTheirWindows) {
  const TrajectoryData data = publishedTrajectory(checkpointMetrics());
  ASSERT_EQ(data.models.size(), 10U);
  EXPECT_EQ(phaseStarts(data.models, data.windows), (std::vector<std::size_t>{6, 8}));
  EXPECT_DOUBLE_EQ(data.series[0].middle[0], 0.6094);
  EXPECT_DOUBLE_EQ(data.series[2].middle[5], 0.0194);
  EXPECT_TRUE(std::isnan(data.series[0].sd[0]));
  EXPECT_EQ(data.published, "printed, notes");
  EXPECT_EQ(tableOf(data).cellText(5, 0), "") << "the number of heads is unknown";
}

TEST(PublishedFigures, BarsHaveQuartilesWherePublished) {
  const BarData bias = publishedModelBars(PublishedModels::Checkpoints, "bias_strength");
  EXPECT_DOUBLE_EQ(bias.series[0].value[0], 0.0092);
  EXPECT_DOUBLE_EQ(bias.series[0].low[0], 4.4e-3);
  EXPECT_DOUBLE_EQ(bias.series[0].high[0], 1.3e-2);
  const BarData ratio = publishedModelBars(PublishedModels::Primary, "slope_ratio");
  EXPECT_DOUBLE_EQ(ratio.series[0].value[0], 7.83);
  EXPECT_TRUE(ratio.series[0].low.empty());
  EXPECT_THAT(ratio.levels, ElementsAre(1));
  const BarData signal = publishedSignalBars();
  EXPECT_DOUBLE_EQ(signal.series[0].value[0], 0.592);
  EXPECT_DOUBLE_EQ(signal.series[1].value[10], 0.743);
  EXPECT_THROW(publishedModelBars(PublishedModels::Primary, "mu_q_a"), UsageError);
}

TEST(PublishedFigures, EachSourceIsNamedOnce) {
  EXPECT_EQ(joinedSources({"printed, quartiles digitised", "notes, quartiles digitised", "printed"}),
            "printed, quartiles digitised, notes");
}

TEST(PublishedFigures, HasSharesOfClassesAndVariance) {
  const ComparedShares classes = publishedTaxonomy(), variance = publishedVariance();
  ASSERT_EQ(classes.models.size(), 10U);
  EXPECT_THAT(classes.share[0], ElementsAre(0.345, 0.003, 0, 0.112, 0.54));
  ASSERT_EQ(variance.models.size(), 11U);
  EXPECT_DOUBLE_EQ(variance.share[0][1], 0.355);
  EXPECT_NEAR(variance.share[0][2], 0.558, 1e-12);
  EXPECT_EQ(tableOf(variance).cellText(3, 0), "");
}

}  // namespace plastiscope
