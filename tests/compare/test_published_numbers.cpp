// Published numbers of whole models beside own columns; expected values as in resources/reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/base/json.h"
#include "core/compare/measures.h"
#include "core/compare/model_series.h"
#include "core/compare/reference_check.h"
#include "core/compare/reference_data.h"
#include "core/views/metric_info.h"
#include "tests/compare/compared_data.h"

namespace plastiscope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using I = std::vector<std::int64_t>;
using D = std::vector<double>;

ComparisonInput numberedInput(const std::string& name) {
  auto analysis = std::make_shared<AnalysisFile>();
  analysis->provenance.capture =
      Json{{"model", name},  {"architecture", "qwen3"}, {"layers", 5},    {"query_heads", 2},
           {"key_heads", 1}, {"head_dim", 4},           {"window", 1024}, {"bucket_size", 64}};
  analysis->provenance.settings = Json::object();
  analysis->tables = {{"heads",
                       {{"layer", I{0, 0, 2, 4}},
                        {"head", I{0, 1, 0, 1}},
                        {"slope_ratio", D{1, 2, 3, 100}},
                        {"ap_drop", D{0.1, 0.2, 0.2, 0.3}}}}};
  return {"", name + ".h5", analysis};
}

// qwen3-0.6b, a model that is not in the thesis, qwen3-1.7b.
TrajectoryData drops(const std::string& metric, bool published = true) {
  return makeTrajectory(makeComparison({numberedInput("Qwen/Qwen3-0.6B"), numberedInput("nobody/other"),
                                        numberedInput("Qwen3-1.7B")}),
                        {metric}, published);
}

}  // namespace

TEST(PublishedNumbers, AreInTheTablesUnderKnownMetrics) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const PublishedNumber& number : publishedNumbers()) {
    const Table table = referenceTable(number.table);
    EXPECT_EQ(table.numbers(number.column).size(), table.rows()) << number.column;
    EXPECT_FALSE(table.texts(modelColumn(table)).empty());
    EXPECT_FALSE(describeMeasure(number.metric).meaning.empty()) << number.metric;
    EXPECT_TRUE(seen.emplace(modelColumn(table), number.metric).second) << number.metric << " occurs twice";
    EXPECT_TRUE(*number.source == '\0' || accuracyOf(number.source) != "") << number.source;
  }
}

TEST(PublishedNumbers, FindsNumbersOfAModelAndOfACheckpoint) {
  const ReferenceCurve drop = referenceNumber("qwen3-0.6b", "ap_drop");
  EXPECT_THAT(drop.y, ElementsAre(0.168));
  EXPECT_EQ(drop.label, "thesis: Qwen3-0.6B");
  EXPECT_EQ(drop.source, "notes");
  EXPECT_THAT(drop.accuracy, HasSubstr("two runs may differ by 0.005"));
  EXPECT_THAT(referenceNumber("qwen3-0.6b", "slope_ratio").y, ElementsAre(7.83));
  EXPECT_THAT(referenceNumber("lc1-20k", "bias_window").y, ElementsAre(104.9));
  EXPECT_EQ(referenceNumber("lc1-20k", "bias_window").source, "derived") << "the row has printed";
  EXPECT_THAT(referenceNumber("s1-40k", "r_q").y, ElementsAre(0.672));
  EXPECT_TRUE(referenceNumber("qwen3-0.6b", "r_q").empty()) << "published only by depth";
  EXPECT_TRUE(referenceNumber("qwen3-0.6b", "separation_strength").empty()) << "published for another b axis";
  EXPECT_TRUE(referenceNumber("qwen3-0.6b", "separation_strength_eigenvector").empty()) << "an empty cell";
  EXPECT_THAT(referenceNumber("llama3.1-8b", "separation_strength_eigenvector").y, ElementsAre(0.370));
}

TEST(PublishedNumbers, ShowTheDigitsOfTheirSource) {
  const MetricInfo bias = describeMetric("bias_window");
  EXPECT_EQ(comparedText(183.5, bias, true), "180") << "a bias of 0.0014 \u00b1 0.0001 times 131,072";
  EXPECT_EQ(comparedText(39.3, bias, true), "39");
  EXPECT_EQ(comparedText(131.1, bias, false), "131") << "own numbers as before";
  EXPECT_EQ(comparedText(0.662, describeMetric("ap_overall"), true), "0.662");
}

TEST(PublishedNumbers, AreShownForModelsOfTheThesis) {
  const TrajectoryData data = drops("ap_drop");
  const TrajectorySeries& series = data.series.front();
  ASSERT_EQ(series.published.size(), 3U);
  EXPECT_THAT(series.published[2].x, ElementsAre(2));
  const ReferenceCurve curve = series.publishedCurve();
  EXPECT_DOUBLE_EQ(curve.y[0], 0.168);
  EXPECT_TRUE(std::isnan(curve.y[1])) << "the model is not in the thesis";
  EXPECT_DOUBLE_EQ(curve.y[2], 0.162);
  const Table table = tableOf(data);
  ASSERT_EQ(table.rows(), 5U);
  EXPECT_EQ(table.texts("model")[3], "Qwen/Qwen3-0.6B, published");
  EXPECT_DOUBLE_EQ(table.numbers("mean")[3], 0.168);
  EXPECT_TRUE(std::isnan(table.numbers("sd")[3]) && std::isnan(table.numbers("heads")[3]));
  EXPECT_EQ(table.integers("index")[4], 2);
}

TEST(PublishedNumbers, AreShownOnlyOnRequest) {
  const TrajectoryData data = drops("ap_drop", false);
  EXPECT_TRUE(data.series.front().publishedCurve().empty());
  EXPECT_EQ(tableOf(data).rows(), 3U);
}

// Figures show its median over heads, as the thesis does.
TEST(Trajectory, TheSlopeRatioIsAMedianOfHeads) {
  const TrajectoryData data = drops("slope_ratio");
  const TrajectorySeries& series = data.series.front();
  EXPECT_TRUE(series.median);
  EXPECT_DOUBLE_EQ(series.middle[0], 2.5) << "the mean is 26.5";
  EXPECT_TRUE(std::isnan(series.sd[0])) << "a median has no standard deviation";
  EXPECT_EQ(tableOf(data).texts("metric")[0], "slope_ratio_median");
  EXPECT_DOUBLE_EQ(series.publishedCurve().y[0], 7.83);
}

TEST(Deviation, GivesTheSourceOfTheColumnInsteadOfTheRow) {
  ComparisonInput input = inputOf("a");
  auto analysis = std::make_shared<AnalysisFile>(*input.analysis);
  analysis->provenance.capture.set("model", "Qwen3-0.6B");
  input.analysis = analysis;
  const Comparison comparison = makeComparison({input});
  const Table table = deviationTable(deviationsOf(comparison, 0, *comparison.models[0].reference));
  EXPECT_EQ(table.texts("source")[rowWhere(table, {{"metric", "bias_strength"}})], "notes");
  EXPECT_EQ(table.texts("source")[rowWhere(table, {{"metric", "slope_ratio_median"}})], "digitised");
}

}  // namespace plastiscope::test
