// Data of figures of several models, on models small enough to be computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/comparison.h"
#include "core/compare/head_distributions.h"
#include "core/compare/matching.h"
#include "core/compare/measures.h"
#include "core/compare/model_series.h"
#include "tests/compare/compared_data.h"

namespace plastiscope::test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

struct Cell {
  std::int64_t layer, head;
  double ap, rQuery, rKey;
  const char* taxonomy;
};

// A model with the given layers, heads and captured heads, and two profile bins, `first` and `last`.
ComparisonInput comparedInput(const std::string& name, std::int64_t layers, std::int64_t heads,
                              const std::vector<Cell>& cells, std::int64_t window = 1000) {
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.capture =
      Json{{"model", name},  {"architecture", "qwen3"}, {"layers", layers}, {"query_heads", heads},
           {"key_heads", 1}, {"head_dim", 8},           {"window", window}, {"bucket_size", 100}};
  analysis->provenance.settings = Json::object();
  std::vector<std::int64_t> layer, head, bins, count;
  std::vector<double> ap, rq, rk, a, b, start, end, tau, profile;
  std::vector<std::int64_t> ofLayer, ofHead;
  std::vector<std::string> taxonomy;
  for (const Cell& cell : cells) {
    layer.push_back(cell.layer);
    head.push_back(cell.head);
    ap.push_back(cell.ap);
    rq.push_back(cell.rQuery);
    rk.push_back(cell.rKey);
    a.push_back(0.2);
    b.push_back(cell.head == 0 ? 0.1 : 0.3);
    taxonomy.emplace_back(cell.taxonomy);
    for (const std::int64_t bin : {0, 1}) {
      ofLayer.push_back(cell.layer);
      ofHead.push_back(cell.head);
      bins.push_back(bin);
      const double width = static_cast<double>(window) / 2, from = static_cast<double>(bin) * width;
      start.push_back(from);
      end.push_back(from + width);
      tau.push_back(from + width / 2);
      count.push_back(300);
      profile.push_back(bin == 0 ? cell.ap : cell.ap / 2);
    }
  }
  analysis->tables = {{"heads",
                       {{"layer", layer},
                        {"head", head},
                        {"taxonomy", taxonomy},
                        {"r_q", rq},
                        {"r_k", rk},
                        {"var_frac_a", a},
                        {"var_frac_b", b},
                        {"ap_overall", ap}}},
                      {"profile",
                       {{"layer", ofLayer},
                        {"head", ofHead},
                        {"bin", bins},
                        {"start", start},
                        {"end", end},
                        {"tau", tau},
                        {"queries", count},
                        {"pairs_used", count},
                        {"ap", profile}}}};
  return {name, name + ".h5", analysis};
}

// Three layers of two heads; and five layers of three, L4 not captured.
ComparisonInput small() {
  return comparedInput("small", 3, 2,
                       {{0, 0, 0.4, 0.9, 0.9, "position_dominated"},
                        {0, 1, 0.6, 0.1, 0.1, "content_focused"},
                        {1, 0, 0.8, 0.5, 0.5, "mixed"},
                        {2, 1, kMissing, 0.5, 0.5, "mixed"}});
}
ComparisonInput large() {
  return comparedInput("large", 5, 3,
                       {{0, 0, 0.2, 0.9, 0.9, "position_dominated"},
                        {2, 0, 0.3, 0.1, 0.1, "content_focused"},
                        {2, 2, 0.5, 0.1, 0.1, "content_focused"}},
                       4000);
}

TEST(HeadMatch, SameShapesMatchByName) {
  const Comparison comparison = makeComparison({small(), small()});
  ASSERT_EQ(headMatchingOf(comparison), HeadMatching::SameHead);
  const auto& models = comparison.models;
  EXPECT_EQ(matchedHead(models[0], {1, 0}, models[1], HeadMatching::SameHead), (HeadName{1, 0}));
  EXPECT_EQ(matchedHead(models[0], {1, 1}, models[1], HeadMatching::SameHead), std::nullopt)
      << "L1H1 was not captured";
}

TEST(HeadMatch, OthersMatchByRelativeDepth) {
  const Comparison comparison = makeComparison({small(), large()});
  const HeadMatching matching = headMatchingOf(comparison);
  ASSERT_EQ(matching, HeadMatching::RelativeDepth);
  const auto &a = comparison.models[0], &b = comparison.models[1];
  EXPECT_EQ(matchedHead(a, {1, 0}, b, matching), (HeadName{2, 0})) << "the middle layer";
  EXPECT_EQ(matchedHead(a, {0, 1}, b, matching), (HeadName{0, 0})) << "the nearest captured head of layer 0";
  EXPECT_EQ(matchedHead(a, {2, 1}, b, matching), std::nullopt) << "no head of the last layer was captured";
  EXPECT_EQ(headMatchedBy(a, b, {2, 2}, matching), (HeadName{1, 0})) << "the only head of the middle layer";
  EXPECT_NE(headMatchingText(matching), headMatchingText(HeadMatching::SameHead));
}

TEST(HeadMatch, GroupsAreCarriedAndLimitComparisons) {
  const HeadGroup group{"g", "#0072b2", {{0, 1}, {1, 0}, {2, 1}}};
  const HeadGroup last{"last", "#d55e00", {{2, 1}}};
  const auto a = small().analysis, b = large().analysis;
  EXPECT_EQ(carriedGroups({group}, *a, *a), HeadGroups{group});
  const HeadGroups carried = carriedGroups({group, last}, *a, *b);
  ASSERT_EQ(carried.size(), 1U) << "no head of the last layer was captured";
  EXPECT_EQ(carried[0].heads, (std::vector<HeadName>{{0, 0}, {2, 0}}));
  EXPECT_EQ(carried[0].colour, group.colour);
  ComparisonOptions options;
  options.group = group;
  const Comparison comparison = makeComparison({small(), large()}, options);
  EXPECT_EQ(comparison.models[0].heads, group.heads);
  EXPECT_EQ(comparison.models[1].heads, carried[0].heads);
  options.group = last;
  EXPECT_THROW(makeComparison({small(), large()}, options), UsageError);
}

TEST(InputNames, AreShortenedWhileTheyDiffer) {
  EXPECT_THAT(withoutOwners({"Qwen/Qwen3-0.6B", "small"}), ElementsAre("Qwen3-0.6B", "small"));
  EXPECT_THAT(withoutOwners({"a/model", "b/model"}), ElementsAre("a/model", "b/model"));
  EXPECT_THAT(withoutOwners({"a/", "b"}), ElementsAre("a/", "b"));
  EXPECT_THAT(withoutCommonStart({"SmolLM3-3B-lc1", "SmolLM3-3B-lc2"}), ElementsAre("lc1", "lc2"));
  EXPECT_THAT(withoutCommonStart({"step-10", "step-10-again"}), ElementsAre("10", "10-again"));
  EXPECT_THAT(withoutCommonStart({"alpha", "alps"}), ElementsAre("alpha", "alps"));
  EXPECT_THAT(withoutCommonStart({"only-one"}), ElementsAre("only-one"));
  EXPECT_THAT(withoutCommonEnd({"135M-Instruct.Q4_1", "360M-Instruct.Q4_1"}), ElementsAre("135M", "360M"));
  EXPECT_THAT(withoutCommonEnd({"a.Q4_1", "a-b.Q4_1"}), ElementsAre("a", "a-b"));
  EXPECT_THAT(withoutCommonEnd({"base", "case"}), ElementsAre("base", "case"));
}

TEST(ComparedProfiles, ShowTheMeanOverHeadsOrTheMatchedHead) {
  const Comparison comparison = makeComparison({small(), large()});
  const ComparedProfiles means = compareProfiles(comparison);
  ASSERT_EQ(means.models.size(), 2u);
  EXPECT_EQ(means.models[0].model.name, "small");
  EXPECT_EQ(means.models[0].model.family, "qwen3");
  EXPECT_THAT(means.models[0].mean, Pointwise(DoubleNear(1e-12), {0.6, 0.3})) << "(0.4 + 0.6 + 0.8) / 3";
  EXPECT_THAT(means.models[0].meanHeads, ElementsAre(3, 3));
  EXPECT_THAT(means.models[1].tokens, ElementsAre(1000, 3000));
  EXPECT_DOUBLE_EQ(means.models[1].share(1), 0.75);
  EXPECT_EQ(means.longestWindow(), 4000);
  EXPECT_FALSE(means.showsHeads());

  const ComparedProfiles heads = compareProfiles(comparison, HeadName{1, 0});
  EXPECT_EQ(heads.models[0].head, (HeadName{1, 0}));
  EXPECT_EQ(heads.models[1].head, (HeadName{2, 0}));
  EXPECT_THAT(heads.models[1].headAp, Pointwise(DoubleNear(1e-12), {0.3, 0.15}));
  EXPECT_THAT(heads.models[1].mean, Pointwise(DoubleNear(1e-12), means.models[1].mean));
  EXPECT_THROW(compareProfiles(comparison, HeadName{1, 1}), UsageError);
}

TEST(ComparedProfiles, TheTableHoldsEveryPlottedNumber) {
  const Table table = tableOf(compareProfiles(makeComparison({small(), large()}), HeadName{1, 0}));
  EXPECT_EQ(table.rows(), 2u * (2 + 2 + 5));
  const std::size_t row = rowWhere(table, {{"part", "head"}, {"model", "large"}});
  EXPECT_EQ(table.texts("head")[row], "L2H0");
  EXPECT_DOUBLE_EQ(table.numbers("position")[row], 1000);
  EXPECT_DOUBLE_EQ(table.numbers("share")[row], 0.25);
  EXPECT_DOUBLE_EQ(table.numbers("ap")[row], 0.3);
}

// The small analysis under the name of a model of the thesis.
ComparisonInput knownModel() {
  ComparisonInput known = small();
  AnalysisFile file = *known.analysis;
  file.provenance.capture.set("model", "Qwen/Qwen3-0.6B");
  known.analysis = std::make_shared<AnalysisFile>(std::move(file));
  return known;
}

TEST(ComparedProfiles, OnlyKnownModelsHavePublishedCurves) {
  const ComparisonInput known = knownModel();
  const ComparedProfiles data = compareProfiles(makeComparison({known, large()}), {}, true);
  // Table 6.1 of the thesis, first fifth.
  ASSERT_EQ(data.models[0].publishedQuintiles.x.size(), 5u);
  EXPECT_DOUBLE_EQ(data.models[0].publishedQuintiles.y[0], 0.695);
  EXPECT_EQ(data.models[0].published.x.size(), 10u);
  EXPECT_TRUE(data.models[1].published.empty());
  EXPECT_TRUE(compareProfiles(makeComparison({known, large()})).models[0].published.empty());
}

TEST(ComparedDepths, PlacesLayersAtTheirShareOfTheDepth) {
  const ComparedDepths data = compareDepths(makeComparison({small(), large()}), "ap_overall");
  EXPECT_THAT(data.models[0].depth, ElementsAre(0, 0.5)) << "the last layer has no value";
  EXPECT_THAT(data.models[0].means.centre, Pointwise(DoubleNear(1e-12), {0.5, 0.8}));
  EXPECT_THAT(data.models[0].means.heads, ElementsAre(2, 1));
  EXPECT_THAT(data.models[1].depth, ElementsAre(0, 0.5));
  EXPECT_THAT(data.models[1].means.centre, Pointwise(DoubleNear(1e-12), {0.2, 0.4}));
  EXPECT_EQ(tableOf(data).rows(), 4u);
  EXPECT_THROW(compareDepths(makeComparison({small(), large()}), "ap_overal"), UsageError);
}

TEST(ComparedDepths, HasPublishedValuesOfKnownModelsAndMetrics) {
  const Comparison comparison = makeComparison({knownModel(), large()});
  const ComparedDepths data = compareDepths(comparison, "r_q", true);
  ASSERT_EQ(data.models[0].published.x.size(), 10u);
  EXPECT_DOUBLE_EQ(data.models[0].published.x[1], 0.15) << "the middle of the second tenth";
  EXPECT_DOUBLE_EQ(data.models[0].published.y[1], 0.95) << "resources/reference/pca_depth.csv";
  EXPECT_TRUE(data.models[1].published.empty());
  EXPECT_EQ(tableOf(data).rows(), tableOf(compareDepths(comparison, "r_q")).rows() + 10);
  EXPECT_TRUE(compareDepths(comparison, "ap_overall", true).models[0].published.empty())
      << "the thesis shows no AP by depth";
}

TEST(ComparedShares, ClassesAndVarianceSumToOne) {
  const Comparison comparison = makeComparison({small(), large()});
  const ComparedShares classes = compareTaxonomy(comparison);
  EXPECT_THAT(classes.names,
              ElementsAre("position_dominated", "q_positional", "k_positional", "content_focused", "mixed"));
  EXPECT_THAT(classes.share[0], Pointwise(DoubleNear(1e-12), {0.25, 0.0, 0.0, 0.25, 0.5}));
  EXPECT_THAT(classes.share[1], Pointwise(DoubleNear(1e-12), {1 / 3.0, 0.0, 0.0, 2 / 3.0, 0.0}));
  EXPECT_THAT(classes.heads, ElementsAre(4, 3));
  const ComparedShares variance = compareVariance(comparison);
  EXPECT_THAT(variance.share[1], Pointwise(DoubleNear(1e-12), {0.2, 0.5 / 3, 0.8 - 0.5 / 3}));
  EXPECT_EQ(tableOf(variance).rows(), 6u);
}

TEST(Trajectory, HasMeansAndSpreadsInOrder) {
  const TrajectoryData data = makeTrajectory(makeComparison({small(), large()}), {"ap_overall"});
  EXPECT_THAT(data.series[0].middle, Pointwise(DoubleNear(1e-12), {0.6, 1.0 / 3}));
  EXPECT_NEAR(data.series[0].sd[0], std::sqrt((0.04 + 0 + 0.04) / 3), 1e-12);
  EXPECT_THAT(data.series[0].heads, ElementsAre(3, 3));
  EXPECT_EQ(tableOf(data).texts("model")[1], "large");
  EXPECT_THROW(makeTrajectory(makeComparison({small()}), checkpointMetrics()), UsageError);
}

// The analysis with intervals over examples in its tables model and layers.
ComparisonInput resampled(ComparisonInput input, double low, double high) {
  AnalysisFile file = *input.analysis;
  file.tables.push_back({"model",
                         {{"ap_overall", std::vector<double>{(low + high) / 2}},
                          {"ap_overall_low", std::vector<double>{low}},
                          {"ap_overall_high", std::vector<double>{high}}}});
  input.analysis = std::make_shared<AnalysisFile>(std::move(file));
  return input;
}

// 0.4, 0.6 and 0.8: standard error 0.2 / sqrt(3), t of two degrees of freedom 4.302652729749462.
TEST(ComparedMeans, HaveIntervalsOfOneKind) {
  const auto seriesOf = [](const ComparisonInput& first, const ComparisonInput& second) {
    return makeTrajectory(makeComparison({first, second}), {"ap_overall"}).series[0];
  };
  const TrajectorySeries heads = seriesOf(small(), large());
  EXPECT_EQ(heads.over, IntervalOver::Heads);
  EXPECT_NEAR(heads.intervals[0].low, 0.6 - 4.302652729749462 * 0.2 / std::sqrt(3.0), 1e-9);
  EXPECT_EQ(seriesOf(resampled(small(), 0.5, 0.7), large()).over, IntervalOver::Heads)
      << "one model alone has a bootstrap";
  const TrajectorySeries examples = seriesOf(resampled(small(), 0.5, 0.7), resampled(large(), 0.3, 0.4));
  EXPECT_EQ(examples.over, IntervalOver::Examples);
  EXPECT_DOUBLE_EQ(examples.intervals[1].high, 0.4);
}

TEST(ComparedMeans, ProfilesAndTheirTableHaveIntervals) {
  const ComparedProfiles data = compareProfiles(makeComparison({small(), large()}));
  EXPECT_EQ(data.profilesOver, IntervalOver::Heads);
  EXPECT_EQ(data.models[0].heads, 4) << "captured heads, one of them without plasticity";
  EXPECT_NEAR(data.models[0].high[0], 0.6 + 4.302652729749462 * 0.2 / std::sqrt(3.0), 1e-9);
  const Table table = tableOf(data);
  const std::size_t row = rowWhere(table, {{"part", "mean"}, {"model", "small"}});
  EXPECT_DOUBLE_EQ(table.numbers("ap_high")[row], data.models[0].high[0]);
  EXPECT_EQ(table.texts("interval_over")[row], "heads");
  const ComparedProfiles ofHead = compareProfiles(makeComparison({small(), large()}), HeadName{1, 0});
  EXPECT_TRUE(ofHead.models[0].low.empty()) << "a head without a bootstrap has none";
}

TEST(ComparedGrids, HaveOneRangeAndNoGridForAMissingMetric) {
  Comparison comparison = makeComparison({small(), large()});
  const ComparedGrids grids = compareGrids(comparison, "ap_overall");
  EXPECT_EQ(grids.range, (std::pair{0.2, 0.8}));
  EXPECT_EQ(grids.grids[1]->layers, 5);
  EXPECT_EQ(compareGrids(comparison, "ap_drop").grids[0], nullptr);
  const ComparedGrids isSigned = compareGrids(comparison, "r_q");
  EXPECT_EQ(isSigned.range, (std::pair{-0.9, 0.9}));
}

TEST(ComparedGrids, DifferencesNeedTheSameShape) {
  const auto first = compareGrids(makeComparison({small(), large()}), "ap_overall");
  EXPECT_EQ(differenceGrid(*first.grids[0], *first.grids[1]), nullptr);
  const ComparisonInput other = comparedInput(
      "other", 3, 2, {{0, 0, 0.5, 0, 0, "mixed"}, {1, 0, 0.5, 0, 0, "mixed"}, {1, 1, 0.5, 0, 0, "mixed"}});
  const auto grids = compareGrids(makeComparison({small(), other}), "ap_overall");
  const auto difference = differenceGrid(*grids.grids[0], *grids.grids[1]);
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->metric.label, "difference of " + grids.grids[0]->metric.label);
  EXPECT_NEAR(difference->at(0, 0).value, 0.1, 1e-12);
  EXPECT_NEAR(difference->at(1, 0).value, -0.3, 1e-12);
  EXPECT_FALSE(difference->at(0, 1).captured) << "only the first has it";
  EXPECT_FALSE(difference->at(1, 1).captured) << "only the other has it";
  EXPECT_EQ(difference->shown, 2);
  EXPECT_NEAR(difference->high, 0.3, 1e-12);
  EXPECT_NEAR(difference->low, -0.3, 1e-12);
  // The strip beside the grid shows the spread of the differences, not of the first model's values.
  ASSERT_EQ(difference->spreads.size(), 3u);
  EXPECT_NEAR(difference->spreads[0].median, 0.1, 1e-12);
  EXPECT_NEAR(difference->spreads[1].median, -0.3, 1e-12);
  EXPECT_EQ(difference->spreads[2].heads, 0);
}

TEST(KeyNumbers, StartWithTheChosenMetricAndItsPairedDifference) {
  const auto numbers = keyNumbers(compareLetters("abc"), "bias_strength");
  ASSERT_GE(numbers.size(), 3u);
  EXPECT_EQ(numbers[0].metric.column, "bias_strength");
  EXPECT_EQ(numbers[1].metric.column, "ap_overall");
  const Json expected = readJsonFile(compareData("comparison.json"));
  const Json& wanted = expected["models"]["b"];
  EXPECT_NEAR(numbers[1].mean[1], wanted["metrics"]["ap_overall"]["mean"].get<double>(), 1e-12);
  const Json& paired = wanted["paired"]["ap_overall"];
  EXPECT_NEAR(numbers[1].difference[1], paired["mean_difference"].get<double>(), 1e-12);
  EXPECT_EQ(numbers[1].paired[1], paired["heads"]);
  EXPECT_TRUE(std::isnan(numbers[1].low[1])) << "these analyses have no values by text";
  EXPECT_TRUE(std::isnan(numbers[1].difference[0]));
}

}  // namespace
}  // namespace plastiscope::test
