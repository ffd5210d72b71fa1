#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/views/components_data.h"
#include "core/views/figure_tables.h"
#include "core/views/map_data.h"
#include "core/views/profile_data.h"
#include "views/literal_study.h"

namespace plastiscope {

using test::literalAnalysis;

TEST(Profile, CollectsHeadsAndMeansOverThoseWithAValue) {
  const auto field = makeProfileField(*literalAnalysis());
  ASSERT_EQ(field->bins(), 2U);
  ASSERT_EQ(field->heads.size(), 3U);
  EXPECT_EQ(field->window, 1000);
  EXPECT_TRUE(std::isnan(field->ap[field->index(0, 0)]));
  EXPECT_DOUBLE_EQ(field->ap[field->index(1, 0)], 0.75);
  EXPECT_DOUBLE_EQ(field->mean[0], 0.75);
  EXPECT_DOUBLE_EQ(field->mean[1], 0.375);
  EXPECT_EQ(field->meanHeads, (std::vector<std::int64_t>{1, 2}));
  EXPECT_DOUBLE_EQ(field->quintileMean[0], 0.8);
  EXPECT_EQ(field->quintileHeads[0], 2);
  EXPECT_EQ(field->pairs[field->index(1, 0)], 150);
}

TEST(Profile, SelectsOneLayer) {
  const auto field = makeProfileField(*literalAnalysis(), {std::nullopt, 0});
  EXPECT_EQ(field->heads.size(), 2U);
  EXPECT_EQ(field->scopeText, "layer 0");
}

TEST(Profile, ChoosesAHead) {
  const auto field = makeProfileField(*literalAnalysis());
  EXPECT_EQ(makeProfile(field, HeadName{0, 3}).shown->name, "L0H3");
  EXPECT_EQ(makeProfile(field, HeadName{0, 3}).shown->ap, (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(makeProfile(field, std::nullopt).shown, nullptr);
  EXPECT_THROW(makeProfile(field, HeadName{1, 3}), UsageError);
}

// Means of 0.5 and 0.25 and of 0.9 and 0.7, with intervals by t of one degree of freedom.
TEST(Profile, ShowsTheMeanOfSeveralHeads) {
  const auto field = makeProfileField(*literalAnalysis());
  const ProfileData data = makeProfile(field, std::vector<HeadName>{{0, 3}, {0, 1}, {9, 9}});
  EXPECT_EQ(data.shown->name, "mean of 2 selected");
  EXPECT_DOUBLE_EQ(data.shown->ap[0], 0.75) << "one of them has no value there";
  EXPECT_DOUBLE_EQ(data.shown->ap[1], 0.375);
  EXPECT_NEAR(data.shown->high[1], 0.375 + 0.125 * 12.706204736174694, 1e-9);
  EXPECT_EQ(data.shown->pairs[1], 512);
  EXPECT_DOUBLE_EQ(shownQuintiles(data)[0], 0.8);
  EXPECT_NEAR(shownIntervals(data)->low[0], 0.8 - 0.1 * 12.706204736174694, 1e-9);
  EXPECT_EQ(shownIntervalsOver(data), IntervalOver::Heads);
  EXPECT_THROW(makeProfile(field, std::vector<HeadName>{{9, 9}}), UsageError);
  EXPECT_NE(toCsv(profileTableOf(data)).find("mean of 2 selected,1,500,1000,750,2,512,0.375,"),
            std::string::npos);
}

TEST(Profile, RefusesBinsBeyondItsRows) {
  auto analysis = literalAnalysis();
  std::get<std::vector<std::int64_t>>(analysis->tables[1].columns[2].values)[5] = 1000000;
  EXPECT_THROW(makeProfileField(*analysis), InputError);
}

TEST(Profile, WritesTables) {
  const ProfileData data = makeProfile(makeProfileField(*literalAnalysis()), HeadName{0, 1});
  EXPECT_EQ(
      toCsv(withoutIntervals(profileTableOf(data))),
      "series,bin,start,end,tau,heads,pairs,ap\nmean,0,0,500,250,1,,0.75\nmean,1,500,1000,750,2,,0.375\n"
      "L0H1,0,0,500,250,1,0,\nL0H1,1,500,1000,750,1,256,0.5\nL0H3,0,0,500,250,1,150,0.75\n"
      "L0H3,1,500,1000,750,1,256,0.25\nL1H2,0,0,500,250,1,256,\nL1H2,1,500,1000,750,1,256,\n");
  const std::string csv = toCsv(quintileTableOf(data));
  EXPECT_EQ(csv.substr(0, csv.find('\n', csv.find("L0H1"))),
            "series,quintile,from,to,heads,ap,ap_low,ap_high,interval_over\nL0H1,1,0,200,1,0.9,,,");
  EXPECT_NE(csv.find("mean,5,800,1000,2,0.4,"), std::string::npos);
}

// 0.5 and 0.25: mean 0.375, standard error 0.125, t of one degree of freedom 12.706204736174694.
TEST(Profile, TheMeanOverHeadsHasAnInterval) {
  const auto field = makeProfileField(*literalAnalysis());
  EXPECT_TRUE(std::isnan(field->meanLow[0])) << "one head has no interval";
  EXPECT_NEAR(field->meanLow[1], 0.375 - 0.125 * 12.706204736174694, 1e-9);
  EXPECT_NEAR(field->meanHigh[1], 0.375 + 0.125 * 12.706204736174694, 1e-9);
  EXPECT_EQ(field->quintileMeanOver, IntervalOver::Heads);
  EXPECT_NEAR(field->quintileMeanInterval.high[0], 0.8 + 0.1 * 12.706204736174694, 1e-9) << "0.9 and 0.7";
  const Table table = profileTableOf(makeProfile(field, HeadName{0, 1}));
  EXPECT_EQ(table.texts("interval_over")[0], "");
  EXPECT_EQ(table.texts("interval_over")[1], "heads");
  EXPECT_EQ(table.texts("interval_over")[3], "") << "a head without a bootstrap";
}

TEST(Profile, IgnoresResamplesOfOneExample) {
  auto analysis = literalAnalysis();
  Table& profile = analysis->tables[1];
  profile.columns.push_back({"ap_low", profile.numbers("ap")});
  profile.columns.push_back({"ap_high", profile.numbers("ap")});
  EXPECT_FALSE(makeProfileField(*analysis)->apLow.empty());
  analysis->provenance.capture.set("examples", 1);
  EXPECT_TRUE(makeProfileField(*analysis)->apLow.empty());
}

TEST(Profile, ShowsBootstrapIntervalsOfTheBars) {
  auto analysis = literalAnalysis();
  const ProfileData without = makeProfile(makeProfileField(*analysis), HeadName{0, 3});
  EXPECT_EQ(shownIntervals(without), nullptr);
  Table& heads = analysis->tables[0];
  ASSERT_EQ(heads.name, "heads");
  for (int k = 1; k <= 5; ++k) {
    const std::string column = "ap_quintile_" + std::to_string(k);
    heads.columns.push_back({column + "_low", std::vector<double>{0.1 * k, 0.11 * k, 0.12 * k}});
    heads.columns.push_back({column + "_high", std::vector<double>{0.15 * k, 0.16 * k, 0.17 * k}});
  }
  const auto field = makeProfileField(*analysis);
  const ProfileData with = makeProfile(field, HeadName{0, 3});
  const QuintileIntervals* second = shownIntervals(with);
  ASSERT_NE(second, nullptr);
  EXPECT_DOUBLE_EQ(second->low[0], 0.11);
  EXPECT_DOUBLE_EQ(second->high[4], 0.8);
  EXPECT_EQ(shownIntervalsOver(makeProfile(field, HeadName{0, 3})), IntervalOver::Examples);
  EXPECT_EQ(shownIntervalsOver(makeProfile(field, std::nullopt)), IntervalOver::Heads)
      << "only the table model has the interval of the mean";
  const std::string csv = toCsv(quintileTableOf(makeProfile(field, HeadName{0, 1})));
  EXPECT_EQ(csv.substr(0, csv.find('\n', csv.find("L0H1"))),
            "series,quintile,from,to,heads,ap,ap_low,ap_high,interval_over\n"
            "L0H1,1,0,200,1,0.9,0.1,0.15,examples");
}

TEST(Profile, HasABootstrapBandForEveryBin) {
  auto analysis = literalAnalysis();
  EXPECT_TRUE(makeProfileField(*analysis)->apLow.empty());
  Table& profile = analysis->tables[1];
  ASSERT_EQ(profile.name, "profile");
  std::vector<double> low, high;
  for (const double value : profile.numbers("ap")) {
    low.push_back(value - 0.1);
    high.push_back(value + 0.2);
  }
  profile.columns.push_back({"ap_low", low});
  EXPECT_TRUE(makeProfileField(*analysis)->apLow.empty()) << "one end is not enough";
  profile.columns.push_back({"ap_high", high});
  const auto field = makeProfileField(*analysis);
  EXPECT_DOUBLE_EQ(field->apLow[field->index(1, 0)], 0.65);
  EXPECT_DOUBLE_EQ(field->apHigh[field->index(1, 1)], 0.45);
  EXPECT_TRUE(std::isnan(field->apLow[field->index(0, 0)]));
  const std::string csv = toCsv(profileTableOf(makeProfile(field, HeadName{0, 3})));
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "series,bin,start,end,tau,heads,pairs,ap,ap_low,ap_high,interval_over");
  EXPECT_NE(csv.find("mean,0,0,500,250,1,,0.75,,,\n"), std::string::npos);
  EXPECT_NE(csv.find("L0H3,0,0,500,250,1,150,0.75,0.65,0.95,examples\n"), std::string::npos) << csv;
}

TEST(Map, ShowsOneHead) {
  const MapData map = makeMap(*literalAnalysis(), {HeadName{0, 1}, std::nullopt});
  EXPECT_EQ(map.columns, 4);
  EXPECT_EQ(map.rows, 4);
  EXPECT_DOUBLE_EQ(map.mean[map.index(0, 0)], 0.5);
  EXPECT_EQ(map.count[map.index(1, 2)], 29);
  EXPECT_TRUE(std::isnan(map.mean[map.index(3, 3)]));
  EXPECT_EQ(map.cellsBelowMinimum(), 1);
  EXPECT_EQ(map.pairsText, "256 pairs per bin");
}

TEST(Map, NotesTheReachOfSlidingAttention) {
  const auto analysis = literalAnalysis();
  EXPECT_EQ(makeMap(*analysis, {HeadName{0, 1}, std::nullopt}).reach, "") << "full attention";
  const MapData sliding = makeMap(*analysis, {HeadName{0, 3}, std::nullopt});
  EXPECT_TRUE(sliding.reach.starts_with("sliding attention: no pairs ")) << sliding.reach;
  EXPECT_EQ(makeMap(*analysis, {}).reach, "") << "all heads have no common reach";
}

TEST(Map, SeveralHeadsWeighByPairs) {
  const auto analysis = literalAnalysis();
  const MapData layer = makeMap(*analysis, {std::nullopt, 0});
  const MapData several = makeMap(*analysis, {std::nullopt, std::nullopt, {{0, 1}, {0, 3}}});
  EXPECT_EQ(several.count, layer.count);
  EXPECT_EQ(several.scopeText, "2 selected heads");
  for (std::size_t i = 0; i < layer.mean.size(); ++i) {
    if (layer.count[i] == 0) continue;
    EXPECT_DOUBLE_EQ(several.mean[i], layer.mean[i]);
  }
}

TEST(Map, LayersAndAllHeadsWeighByPairs) {
  const MapData layer = makeMap(*literalAnalysis(), {std::nullopt, 0});
  EXPECT_DOUBLE_EQ(layer.mean[0], 0.2);  // (100 * 0.5 + 300 * 0.1) / 400
  EXPECT_EQ(layer.count[0], 400);
  const MapData all = makeMap(*literalAnalysis(), {});
  EXPECT_DOUBLE_EQ(all.mean[0], 130.0 / 450);
  EXPECT_THROW(makeMap(*literalAnalysis(), {HeadName{1, 1}, std::nullopt}), UsageError);
}

TEST(Map, GivesDistancesToBothKeys) {
  const MapData map = makeMap(*literalAnalysis(), {});
  const KeyDistances distances = keyDistances(map, 1, 2);  // keys 375 apart, midpoint 625 before the query
  EXPECT_DOUBLE_EQ(distances.nearer, 437.5);
  EXPECT_DOUBLE_EQ(distances.farther, 812.5);
}

TEST(Map, RefusesCellsOutsideAndTooManyCells) {
  auto analysis = literalAnalysis();
  std::get<std::vector<std::int64_t>>(analysis->tables[2].columns[2].values)[0] = 4;
  EXPECT_THROW(makeMap(*analysis, {}), InputError);
  analysis = literalAnalysis();
  analysis->provenance.capture.set("bucket_size", 0);
  EXPECT_THROW(makeMap(*analysis, {}), InputError);
  analysis->provenance.capture.set("bucket_size", 1);
  analysis->provenance.capture.set("window", std::int64_t{1} << 50);
  EXPECT_THROW(makeMap(*analysis, {}), InputError);
}

TEST(Map, TableMarksCellsThatAreNotColoured) {
  EXPECT_EQ(toCsv(tableOf(makeMap(*literalAnalysis(), {HeadName{0, 1}, std::nullopt}))),
            "distance_cell,midpoint_cell,distance,midpoint,pairs,pp,shown\n0,0,0,0,100,0.5,true\n"
            "1,2,250,500,29,0.9,false\n");
}

TEST(Components, ShowOneHeadOrMeansOverHeads) {
  const ComponentsData one = makeComponents(*literalAnalysis(), {HeadName{0, 1}, std::nullopt});
  EXPECT_EQ(one.explainedVariance, (std::vector<double>{0.5, 0.25}));
  EXPECT_TRUE(std::isnan(one.rQuery[1]));
  const ComponentsData all = makeComponents(*literalAnalysis(), {});
  EXPECT_DOUBLE_EQ(all.explainedVariance[0], 0.6);
  EXPECT_DOUBLE_EQ(all.rQuery[1], 0.1);
  EXPECT_DOUBLE_EQ(all.rKey[0], 0.4);
  EXPECT_EQ(all.heads, 3);
}

TEST(ComponentWeights, PairsDimensionsAsTheRotationDoes) {
  const auto analysis = literalAnalysis();
  StudyFacts facts = factsOf(*analysis);
  const HeadScope scope{HeadName{0, 1}, std::nullopt};
  const ComponentWeightsData half = makeComponentWeights(*analysis, facts, scope);
  EXPECT_EQ(half.pairOf, (std::vector<std::int64_t>{0, 1, 0, 1}));
  EXPECT_EQ(half.strongestPair, 1);
  EXPECT_DOUBLE_EQ(half.strongestShare, 0.75);
  facts.ropeInterleaved = true;
  EXPECT_EQ(makeComponentWeights(*analysis, facts, scope).pairOf, (std::vector<std::int64_t>{0, 0, 1, 1}));
  facts.ropeDim = 2;
  EXPECT_EQ(makeComponentWeights(*analysis, facts, scope).pairOf, (std::vector<std::int64_t>{0, 0, -1, -1}));
}

}  // namespace plastiscope
