// Order, groups and scatter plots of heads.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "core/base/error.h"
#include "core/views/head_grid_data.h"
#include "core/views/head_metrics.h"
#include "core/views/head_order.h"
#include "views/literal_study.h"

namespace plastiscope {

using test::literalAnalysis;

// scipy 1.17.1: linkage(points, "ward")[:, 2] of points = stack([sin(1.7 i)(1 + i % 3), cos(2.3 i) + 0.1 i],
// 1) for i = 0 ... 11.
TEST(WardClustering, EqualsSciPy) {
  std::vector<double> points;
  for (int i = 0; i < 12; ++i) {
    points.push_back(std::sin(1.7 * i) * (1 + i % 3));
    points.push_back(std::cos(2.3 * i) + 0.1 * i);
  }
  const std::vector<ClusterMerge> merges = wardClustering(points, 2);
  std::vector<double> heights;
  std::vector<int> taken(23, 0);
  for (std::size_t i = 0; i < merges.size(); ++i) {
    EXPECT_LT(std::max(merges[i].first, merges[i].second), 12 + i) << "merges join earlier clusters";
    ++taken[merges[i].first];
    ++taken[merges[i].second];
    heights.push_back(merges[i].height);
  }
  EXPECT_THAT(std::vector<int>(taken.begin(), taken.end() - 1), testing::Each(1));
  std::ranges::sort(heights);
  const std::vector<double> expected = {0.29196005118128354, 0.5466186447607324, 0.5638294741987465,
                                        0.7400695042155344,  0.9951398004468011, 1.2304120005820878,
                                        1.2978622609462103,  1.6326362752477683, 2.759878265590688,
                                        3.0525958432385396,  6.264041568419418};
  EXPECT_THAT(heights, testing::Pointwise(testing::DoubleNear(1e-12), expected));
  EXPECT_TRUE(wardClustering(std::vector<double>{1, 2}, 2).empty()) << "one point";
}

// The densest region with share p of a normal distribution is the disc of radius sqrt(-2 ln(1 - p)).
TEST(DensityContours, HoldTheirSharesOfANormalDistribution) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  std::vector<double> x, y;
  for (int i = 0; i < 40000; ++i) {
    x.push_back(5 * normal(generator) + 2);  // different scales
    y.push_back(normal(generator));
  }
  x.push_back(std::nan(""));
  y.push_back(0);
  const std::vector<double> shares = {0.5, 0.8, 0.95};
  const auto contours = densityContours(x, y, shares);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double radius = std::sqrt(-2 * std::log(1 - shares[k]));
    double length = 0, sum = 0;
    for (const ContourSegment& line : contours[k]) {
      const double x0 = (line.x0 - 2) / 5, x1 = (line.x1 - 2) / 5;
      const double part = std::hypot(x1 - x0, line.y1 - line.y0);
      sum += part * std::hypot((x0 + x1) / 2, (line.y0 + line.y1) / 2);
      length += part;
    }
    EXPECT_NEAR(sum / length, radius, 0.06 * radius) << shares[k];
    EXPECT_NEAR(length, 2 * std::numbers::pi * radius, 0.15 * radius * 2 * std::numbers::pi) << shares[k];
  }
  EXPECT_TRUE(densityContours(std::vector<double>(60, 1.0), std::vector<double>(60, 2.0), shares)[0].empty());
  EXPECT_TRUE(densityContours(std::vector<double>{1, 2}, std::vector<double>{1, 2}, shares)[0].empty());
}

TEST(HeadGrid, OrdersTheHeadsOfEachLayerByValue) {
  const auto analysis = literalAnalysis();
  const HeadGridData grid =
      makeHeadGrid(analysis, factsOf(*analysis), "ap_overall", {.order = HeadOrder::Value});
  // Layer 0 has H1 with a value and H3 without; layer 1 has H2.
  std::vector<std::string> names;
  for (std::int64_t place = 0; place < 8; ++place) names.push_back(grid.cellAt(place).text());
  EXPECT_THAT(names, testing::ElementsAre("L0H1", "L0H3", "L0H0", "L0H2", "L1H2", "L1H0", "L1H1", "L1H3"));
}

TEST(HeadGrid, CellsOfKeyGroupsAndLayersAreMeans) {
  auto analysis = literalAnalysis();
  const HeadGridData groups =
      makeHeadGrid(analysis, factsOf(*analysis), "query_rows", {.show = HeadShow::KeyGroups});
  EXPECT_EQ(groups.heads, 2);
  EXPECT_EQ(groups.members, 2);
  EXPECT_EQ(groups.cellOf({1, 3}), (HeadName{1, 1}));
  EXPECT_EQ(groups.headsOf({0, 1}), (std::vector<HeadName>{{0, 3}})) << "H2 was not captured";
  EXPECT_EQ(groups.nameOf({0, 1}), "L0 KV1");
  const HeadGridData heads = makeHeadGrid(analysis, factsOf(*analysis), "query_rows");
  const HeadGridData layers =
      makeHeadGrid(analysis, factsOf(*analysis), "query_rows", {.show = HeadShow::Layers});
  EXPECT_EQ(layers.heads, 1);
  EXPECT_DOUBLE_EQ(layers.at(0, 0).value, (heads.at(0, 1).value + heads.at(0, 3).value) / 2);
  EXPECT_EQ(layers.nameOf({1, 0}), "layer 1");
}

TEST(HeadOrder, PlacesSimilarHeadsBesideEachOther) {
  auto analysis = std::make_shared<AnalysisFile>();
  Table heads{"heads", {}};
  std::vector<std::int64_t> layer, head;
  std::vector<double> plasticity, bias;
  // Two alternating kinds: plastic without a bias, and the opposite.
  for (int i = 0; i < 12; ++i) {
    layer.push_back(i / 4);
    head.push_back(i % 4);
    plasticity.push_back(i % 2 == 0 ? 0.8 + 0.001 * i : 0.2 + 0.001 * i);
    bias.push_back(i % 2 == 0 ? 0.01 * i : 50 + i);
  }
  heads.columns = {{"layer", layer}, {"head", head}, {"bias_window", bias}};
  for (int k = 1; k <= 5; ++k) heads.columns.push_back({"ap_quintile_" + std::to_string(k), plasticity});
  analysis->tables = {heads};
  const std::vector<HeadName> order = headsBySimilarity(*analysis);
  ASSERT_EQ(order.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_EQ(order[i].head % 2, i < 6 ? 1 : 0) << "the less plastic kind comes first";
}

TEST(HeadMetrics, TakesHeadsWithBothValuesAndTheirClass) {
  const auto analysis = literalAnalysis();
  const HeadMetricsData data = makeHeadMetrics(*analysis, {"query_rows", "ap_overall", ""});
  EXPECT_EQ(data.heads, (std::vector<HeadName>{{0, 1}, {1, 2}})) << "L0H3 has no plasticity";
  EXPECT_EQ(data.up, (std::vector<double>{0.5, 0.75}));
  for (std::size_t i = 0; i < data.heads.size(); ++i) EXPECT_LT(data.classOf[i], data.classes.size());
  const HeadMetricsData shaded = makeHeadMetrics(*analysis, {"query_rows", "ap_overall", "ap_drop"});
  EXPECT_DOUBLE_EQ(shaded.shadeRange.first, -shaded.shadeRange.second) << "a signed metric";
  EXPECT_THROW(makeHeadMetrics(*analysis, {"query_rows", "nothing", ""}), UsageError);
}

}  // namespace plastiscope
