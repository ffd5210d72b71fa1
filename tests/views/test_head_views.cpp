#include <gmock/gmock.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/views/components_data.h"
#include "core/views/depth_data.h"
#include "core/views/figure_tables.h"
#include "core/views/head_grid_data.h"
#include "tests/support/failure.h"
#include "views/literal_study.h"

namespace plastiscope {

using test::literalAnalysis;

TEST(StudyFacts, TakesCountsFromProvenance) {
  const StudyFacts facts = factsOf(*literalAnalysis());
  EXPECT_EQ(facts.model, "Literal");
  EXPECT_EQ(facts.layers, 2);
  EXPECT_EQ(facts.queryHeads, 4);
  EXPECT_EQ(facts.groupSize(), 2);
  EXPECT_EQ(facts.window, 1000);
}

TEST(StudyFacts, FallsBackToTheHeadsTable) {
  auto analysis = literalAnalysis();
  analysis->provenance.capture = Json();
  const StudyFacts facts = factsOf(*analysis);
  EXPECT_EQ(facts.layers, 2);
  EXPECT_EQ(facts.queryHeads, 4);  // largest index 3
  EXPECT_EQ(facts.groupSize(), 1);
}

TEST(StudyFacts, RefusesImpossibleCounts) {
  auto analysis = literalAnalysis();
  analysis->provenance.capture.set("layers", std::int64_t{1} << 40);
  EXPECT_THROW(factsOf(*analysis), InputError);
}

TEST(HeadGrid, PlacesCapturedMissingAndAbsentHeads) {
  const auto analysis = literalAnalysis();
  const HeadGridData grid = makeHeadGrid(analysis, factsOf(*analysis), "ap_overall");
  EXPECT_EQ(grid.cells.size(), 8U);
  EXPECT_EQ(grid.groupSize, 2);
  EXPECT_TRUE(grid.at(0, 1).captured);
  EXPECT_DOUBLE_EQ(grid.at(0, 1).value, 0.5);
  EXPECT_TRUE(grid.at(0, 3).captured);
  EXPECT_TRUE(std::isnan(grid.at(0, 3).value));
  EXPECT_TRUE(grid.at(0, 3).windowed);
  EXPECT_TRUE(grid.at(1, 2).nope);
  EXPECT_FALSE(grid.at(1, 1).captured);
  EXPECT_EQ(grid.shown, 2);
  EXPECT_EQ(grid.missing, 1);
  EXPECT_EQ(grid.notCaptured, 5);
  EXPECT_DOUBLE_EQ(grid.low, 0.5);
  EXPECT_DOUBLE_EQ(grid.high, 0.75);
}

TEST(HeadGrid, MarksLayersWithoutVectors) {
  const auto analysis = literalAnalysis();
  analysis->provenance.capture.set("without_vectors", Json::parse(R"({"cross":[1],"linear":[0,7,"x"]})"));
  const HeadGridData grid = makeHeadGrid(analysis, factsOf(*analysis), "ap_overall");
  EXPECT_EQ(grid.withoutVectors, (std::map<std::int64_t, std::string>{{0, "linear"}, {1, "cross"}}));
}

TEST(HeadGrid, SignedMetricsAreSymmetric) {
  const auto analysis = literalAnalysis();
  const HeadGridData grid = makeHeadGrid(analysis, factsOf(*analysis), "ap_drop");
  EXPECT_DOUBLE_EQ(grid.low, -0.4);
  EXPECT_DOUBLE_EQ(grid.high, 0.4);
}

TEST(HeadGrid, SuggestsTheNearestMetric) {
  const auto analysis = literalAnalysis();
  EXPECT_THAT(test::failureOf<UsageError>([&] { makeHeadGrid(analysis, factsOf(*analysis), "ap_overal"); }),
              testing::HasSubstr("did you mean ap_overall"));
  EXPECT_THROW(makeHeadGrid(analysis, factsOf(*analysis), "taxonomy"), UsageError);
}

TEST(HeadGrid, TableHoldsEveryCell) {
  const auto analysis = literalAnalysis();
  const Table table = tableOf(makeHeadGrid(analysis, factsOf(*analysis), "ap_overall"));
  EXPECT_EQ(toCsv(table),
            "layer,head,captured,ap_overall\n0,0,false,\n0,1,true,0.5\n0,2,false,\n0,3,true,\n"
            "1,0,false,\n1,1,false,\n1,2,true,0.75\n1,3,false,\n");
}

TEST(HeadOfInterest, HasTheLargestDropOrIsTheMiddleHead) {
  const auto analysis = literalAnalysis();
  EXPECT_EQ(headOfInterest(*analysis), (HeadName{0, 3})) << "drops -0.1, 0.4, 0.2";
  const auto drops = [&](const std::vector<double>& values) {
    for (Column& column : analysis->tables[0].columns) {
      if (column.name == "ap_drop") column.values = values;
    }
  };
  drops({-0.2, kMissing, -0.1});
  EXPECT_EQ(headOfInterest(*analysis), (HeadName{1, 2}));
  drops({kMissing, kMissing, kMissing});
  EXPECT_EQ(headOfInterest(*analysis), (HeadName{0, 3})) << "the second of three";
}

TEST(HeadCard, BeginsWithTheColouredMetricAndItsRank) {
  const auto analysis = literalAnalysis();
  const HeadGridData grid = makeHeadGrid(analysis, factsOf(*analysis), "query_rows");
  std::string text;
  const auto card = headCard(grid, {1, 2});
  for (const CardLine& line : card) text += line.label + "=" + line.value + ";";
  EXPECT_TRUE(text.starts_with("query rows=1,999;rank=")) << text;
  EXPECT_NE(text.find("AP<sub>drop</sub>=0.200;"), std::string::npos) << text;
  EXPECT_LE(card.size(), 8U) << "metric, rank and six more";
  EXPECT_TRUE(headCard(grid, {1, 3}).empty());
}

TEST(HeadGrid, RanksFromTheNearerEndAndHasSpreadsOfLayers) {
  HeadGridData grid;
  for (int i = 0; i < 5120; ++i) grid.ranked.push_back(i / 10);  // ten of each value
  EXPECT_EQ(rankText(grid, 0), "1 of 5,120 from lowest");
  EXPECT_EQ(rankText(grid, 2), "21 of 5,120 from lowest");
  EXPECT_EQ(rankText(grid, 511), "1 of 5,120 from highest");
  EXPECT_EQ(rankText(grid, kMissing), "");
  const auto analysis = literalAnalysis();
  const HeadGridData read = makeHeadGrid(analysis, factsOf(*analysis), "ap_overall");
  ASSERT_EQ(read.spreads.size(), 2U);
  EXPECT_EQ(read.ranked, (std::vector<double>{0.5, 0.75}));
  EXPECT_EQ(read.spreads[0].heads, 1) << "a missing value does not count";
  EXPECT_DOUBLE_EQ(read.spreads[1].median, 0.75);
}

TEST(Taxonomy, CountsClassesAndLeavesOutTheUndefined) {
  const TaxonomyData data = makeTaxonomy(*literalAnalysis());
  ASSERT_EQ(data.points.size(), 2U);
  EXPECT_EQ(data.undefined, 1);
  EXPECT_EQ(data.classes[data.points[0].classIndex].name, "mixed");
  EXPECT_EQ(data.classes[data.points[1].classIndex].name, "position_dominated");
  EXPECT_EQ(data.classes[0].heads, 1);
  EXPECT_EQ(makeTaxonomy(*literalAnalysis(), {std::nullopt, 1}).points.size(), 1U);
  EXPECT_THROW(makeTaxonomy(*literalAnalysis(), {std::nullopt, 7}), UsageError);
}

TEST(Depth, MeansByLayerAndMedianOfTheSlopeRatio) {
  const auto analysis = literalAnalysis();
  const DepthData drop = makeDepth(*analysis, factsOf(*analysis), "ap_drop");
  EXPECT_EQ(drop.means.layer, (std::vector<std::int64_t>{0, 1}));
  EXPECT_DOUBLE_EQ(drop.means.centre[0], 0.15);
  EXPECT_EQ(drop.means.heads, (std::vector<std::int64_t>{2, 1}));
  const DepthData ratio = makeDepth(*analysis, factsOf(*analysis), "slope_ratio");
  EXPECT_TRUE(ratio.median);
  EXPECT_DOUBLE_EQ(ratio.means.centre[0], 3);
  EXPECT_EQ(ratio.means.over, IntervalOver::None) << "a median has no interval over heads";
  // -0.1 and 0.4: standard error 0.25.
  EXPECT_NEAR(drop.means.low[0], 0.15 - 0.25 * 12.706204736174694, 1e-9);
  EXPECT_TRUE(std::isnan(drop.means.high[1])) << "one head";
  const DepthData overall = makeDepth(*analysis, factsOf(*analysis), "ap_overall");
  EXPECT_EQ(overall.values.size(), 2U);  // the missing one is left out
}

// The table layers of an analysis with a bootstrap comes first.
TEST(Depth, HasIntervalsOverExamplesWhenAvailable) {
  auto analysis = literalAnalysis();
  analysis->tables.push_back({"layers",
                              {{"layer", std::vector<std::int64_t>{0, 1}},
                               {"ap_drop_low", std::vector<double>{0.1, 0.15}},
                               {"ap_drop_high", std::vector<double>{0.2, 0.3}},
                               {"slope_ratio_median_low", std::vector<double>{1.5, 1}},
                               {"slope_ratio_median_high", std::vector<double>{4, 3}}}});
  const DepthData drop = makeDepth(*analysis, factsOf(*analysis), "ap_drop");
  EXPECT_EQ(drop.means.over, IntervalOver::Examples);
  EXPECT_EQ(drop.means.high, (std::vector<double>{0.2, 0.3}));
  EXPECT_EQ(makeDepth(*analysis, factsOf(*analysis), "slope_ratio").means.low, (std::vector<double>{1.5, 1}));
  EXPECT_EQ(makeDepth(*analysis, factsOf(*analysis), "ap_overall").means.over, IntervalOver::Heads);
}

TEST(InvalidTables, AreRefusedAsInputErrors) {
  auto analysis = literalAnalysis();
  auto& heads = analysis->tables[0];
  std::get<std::vector<std::int64_t>>(heads.columns[0].values)[1] = -4;
  EXPECT_THROW(headsOf(*analysis), InputError);
  heads.columns.erase(heads.columns.begin());
  EXPECT_THROW(headsOf(*analysis), InputError);
  analysis->tables.erase(analysis->tables.begin());
  EXPECT_THROW(headsOf(*analysis), InputError);
}

}  // namespace plastiscope
