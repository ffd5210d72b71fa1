// Data of figures of several models, on analyses small enough to compute by hand.
#include <gmock/gmock.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/compare/head_distributions.h"
#include "core/compare/measures.h"
#include "core/compare/model_series.h"
#include "tests/support/failure.h"

namespace plastiscope {

namespace {

using I = std::vector<std::int64_t>;
using D = std::vector<double>;

// Five layers, so that layer 4 is decile 9 and layer 2 decile 5.
ComparisonInput inputOf(const std::string& name, const std::string& family, std::int64_t window,
                        double times) {
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.capture =
      Json{{"model", name},  {"architecture", family}, {"layers", 5},      {"query_heads", 2},
           {"key_heads", 1}, {"head_dim", 4},          {"window", window}, {"bucket_size", 64}};
  analysis->provenance.settings = Json::object();
  const auto scaled = [times](D values) {
    for (double& value : values) value *= times;
    return values;
  };
  analysis->tables = {{"heads",
                       {{"layer", I{0, 0, 2, 4}},
                        {"head", I{0, 1, 0, 1}},
                        {"r_q", D{0.9, 0.5, 0.1, kMissing}},
                        {"r_k", D{-0.3, 0.7, 0.4, 0.6}},
                        {"r_q_a", D{0.8, -0.4, 0.6, 0.2}},
                        {"r_k_a", D{-1, 0.5, -0.25, 0.25}},
                        {"slope_ratio", D{1, 2, 3, 100}},
                        {"bias_strength", scaled({0.25, 0.5, 0.75, 1})}}}};
  return {"", name + ".h5", analysis};
}

Comparison threeModels() {
  return makeComparison({inputOf("one", "qwen3", 1024, 1), inputOf("two", "llama", 1024, 2),
                         inputOf("three", "qwen3", 4096, 4)});
}

}  // namespace

TEST(ComparedColumn, TakesAbsoluteValuesAndFindsTheMiddle) {
  const Comparison comparison = threeModels();
  const ComparedColumn size = comparedColumn(comparison, "abs_r_k_a");
  EXPECT_EQ(size.values[1], (D{1, 0.5, 0.25, 0.25}));
  EXPECT_EQ(size.metric.range, (std::pair{0.0, 1.0}));
  EXPECT_FALSE(size.median);
  EXPECT_TRUE(comparedColumn(comparison, "slope_ratio").median);
  EXPECT_THAT(test::failureOf<UsageError>([&] { comparedColumn(comparison, "bias_strenght"); }),
              testing::HasSubstr("bias_strength"));
}

TEST(DepthMap, HasMeansOverTheHeadsOfEachTenthOfTheLayers) {
  const DepthMapData data = makeDepthMap(threeModels(), "bias_strength");
  ASSERT_EQ(data.rows.size(), 3U);
  EXPECT_EQ(data.rows[1].model.name, "two");
  EXPECT_DOUBLE_EQ(data.rows[1].value[0], 0.75);  // 0.5 and 1
  EXPECT_DOUBLE_EQ(data.rows[1].value[5], 1.5);
  EXPECT_DOUBLE_EQ(data.rows[1].value[9], 2);
  EXPECT_TRUE(std::isnan(data.rows[1].value[3]));
  EXPECT_EQ(data.rows[1].heads[0], 2);
  EXPECT_DOUBLE_EQ(makeDepthMap(threeModels(), "slope_ratio").rows[0].value[0], 1.5);
  const Table table = tableOf(data);
  EXPECT_EQ(table.rows(), 30U);
  EXPECT_EQ(table.cellText(3, 15), "1.5");
  EXPECT_EQ(table.cellText(3, 13), "");
}

TEST(ModelBars, HaveMeansAndTheMiddleHalfOfTheHeads) {
  const BarData data = makeModelBars(threeModels(), "bias_strength");
  ASSERT_EQ(data.series.size(), 1U);
  EXPECT_DOUBLE_EQ(data.series[0].value[2], 2.5);  // 1, 2, 3, 4
  EXPECT_DOUBLE_EQ(data.series[0].low[2], 1.75);
  EXPECT_DOUBLE_EQ(data.series[0].high[2], 3.25);
  EXPECT_EQ(data.series[0].heads[2], 4);
  EXPECT_TRUE(data.levels.empty());
  const BarData ratio = makeModelBars(threeModels(), "slope_ratio");
  EXPECT_DOUBLE_EQ(ratio.series[0].value[0], 2.5) << "the median";
  EXPECT_EQ(ratio.levels, D{1});
}

TEST(SignalBars, HaveAbsoluteValuesOfBothKindsAndThresholds) {
  const BarData data = makeSignalBars(threeModels());
  ASSERT_EQ(data.series.size(), 2U);
  EXPECT_DOUBLE_EQ(data.series[0].value[0], 0.5);  // 0.8, 0.4, 0.6, 0.2
  EXPECT_DOUBLE_EQ(data.series[1].value[0], 0.5);  // 1, 0.5, 0.25, 0.25
  EXPECT_EQ(data.levels, (D{0.3, 0.7}));
  EXPECT_EQ(tableOf(data).rows(), 6U);
}

TEST(ComponentBars, ShowSignalOrVarianceOfComponents) {
  ComponentsData components;
  components.explainedVariance = {0.5, 0.25};
  components.rQuery = {0.9, -0.1};
  components.rKey = {0.4, kMissing};
  const BarData signal = componentSignalBars(components), variance = componentVarianceBars(components);
  EXPECT_EQ(signal.places[1].name, "PC1");
  EXPECT_EQ(signal.series[0].value, components.rQuery);
  EXPECT_EQ(tableOf(signal).cellText(2, 3), "");
  EXPECT_EQ(variance.series[0].value, components.explainedVariance);
  EXPECT_TRUE(variance.percent);
}

TEST(HeadScatter, HasHeadsWithBothValuesByModelAndFamily) {
  const HeadScatterData data = makeHeadScatter(threeModels(), "r_q", "r_k");
  EXPECT_EQ(data.heads(), 9U) << "the fourth head has no r_q";
  EXPECT_EQ(data.xRange, (std::pair{-1.05, 1.05}));
  EXPECT_EQ(data.xLevels, (D{0.3, 0.7, -0.3, -0.7}));
  const auto families = byFamily(data);
  ASSERT_EQ(families.size(), 2U);
  EXPECT_EQ(families[0].models.size(), 2U);
  EXPECT_EQ(families[0].models[1].model.name, "three");
  EXPECT_EQ(families[1].models[0].model.name, "two");
  const Table table = tableOf(data);
  EXPECT_EQ(table.rows(), 9U);
  EXPECT_EQ(table.cellText(2, 2), "2");
}

// numpy.corrcoef (NumPy 2) of (0.25 0.5 0.75 1) * times and (0.8 -0.4 0.6 0.2), for times 1 and 4.
TEST(HeadScatter, CorrelatesWithinAFamily) {
  const auto families = byFamily(makeHeadScatter(threeModels(), "r_q_a", "bias_strength"));
  EXPECT_NEAR(families[0].r, -0.109797, 5e-7);
  EXPECT_NEAR(families[1].r, -0.195180, 5e-7);
  EXPECT_EQ(families[0].yRange, families[1].yRange);
  EXPECT_LT(families[0].yRange.first, 0.25);
  EXPECT_GT(families[0].yRange.second, 4);
}

TEST(Density, SumsToOneOverTheHeads) {
  const DensityData data = makeDensity(threeModels(), "bias_strength");
  ASSERT_EQ(data.models.size(), 3U);
  for (const DensityModel& model : data.models) {
    double sum = 0;
    for (std::size_t i = 0; i < model.density.size(); ++i)
      sum += model.density[i] * (data.edges[i + 1] - data.edges[i]);
    EXPECT_NEAR(sum * static_cast<double>(model.heads) + static_cast<double>(model.outside),
                static_cast<double>(model.heads), 1e-9)
        << model.model.name;
  }
  EXPECT_EQ(byFamily(data).front().models.size(), 2U);
  EXPECT_EQ(byFamily(data).front().edges, data.edges);
  EXPECT_EQ(tableOf(data).rows(), 3 * (data.edges.size() - 1));
}

TEST(Trajectory, PhasesBeginWhereTheWindowChanges) {
  const std::vector<ComparedName> run(5, {"step", "smollm3"});
  EXPECT_EQ(phaseStarts(run, {4096, 4096, 32768, 32768, 65536}), (std::vector<std::size_t>{2, 4}));
  EXPECT_TRUE(phaseStarts({}, {}).empty());
  EXPECT_TRUE(phaseStarts({{"one", "qwen3"}, {"two", "llama"}}, {1024, 2048}).empty()) << "no run";
  EXPECT_EQ(makeTrajectory(threeModels(), {"r_k"}).windows, (I{1024, 1024, 4096}));
}

}  // namespace plastiscope
