// Data of the plots of predictors against scores.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/compare/benchmark_data.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

using testing::HasSubstr;

TEST(StudentQuantile, AgreesWithTables) {
  // scipy.stats.t.ppf(0.975, n), SciPy 1.17
  EXPECT_NEAR(studentQuantile(1, 0.95), 12.706204736174694, 1e-9);
  EXPECT_NEAR(studentQuantile(2, 0.95), 4.302652729749462, 1e-10);
  EXPECT_NEAR(studentQuantile(5, 0.95), 2.570581835636315, 1e-10);
  EXPECT_NEAR(studentQuantile(30, 0.95), 2.042272456301236, 1e-10);
}

TEST(Regression, BandOfTheMeanAgreesWithSciPy) {
  // scipy.stats.linregress and t.ppf, SciPy 1.17, NumPy 2.4
  const std::vector<double> x = {1, 2, 3, 4, 6}, y = {2, 1, 4, 3, 7};
  const RegressionLine line = regressionOf(x, y);
  EXPECT_NEAR(line.slope, 1.054054054054054, 1e-12);
  EXPECT_NEAR(line.intercept, 0.027027027027027195, 1e-12);
  EXPECT_NEAR(line.at(5), 5.297297297297297, 1e-12);
  EXPECT_NEAR(line.halfWidth(5), 2.593707013999352, 1e-9);
}

TEST(Regression, TwoPointsHaveNoBand) {
  EXPECT_FALSE(regressionOf(std::vector<double>{1, 2}, std::vector<double>{1, 2}).known());
}

OwnModels ownModel(const std::string& name, const std::vector<std::string>& aliases, double drop) {
  OwnModels own;
  own.predictors.columns = {"ap_drop"};
  own.predictors.rows = {{name, aliases, {drop}, {}}};
  own.families = {"llama"};
  return own;
}

TEST(BenchmarkData, ShowsTheThesisFigureWithoutOwnModels) {
  const BenchmarkData data = makeBenchmarkData(loadBenchmark("longbench_pro"), {});
  EXPECT_EQ(data.group.text(), "overall/non_thinking");
  ASSERT_EQ(data.points.size(), 7U);
  EXPECT_NEAR(data.result.pearson, -0.673537, 5e-7);  // method.md, Benchmark correlation values
  EXPECT_NEAR(data.line.intercept, 44.037, 5e-4);
  EXPECT_NEAR(data.line.slope, -84.560, 5e-4);
  EXPECT_EQ(data.predictors.size(), 12U);  // of 14, two are not published for these models
  for (const BenchmarkPoint& point : data.points) {
    EXPECT_TRUE(point.counted && !point.own && std::isfinite(point.without)) << point.model;
    EXPECT_FALSE(point.family.empty()) << point.model;
  }
}

TEST(BenchmarkData, PairsScoresByLengthWithTheBinOfThatLength) {
  const BenchmarkData data = makeBenchmarkData(loadBenchmark("ruler"), {});
  EXPECT_TRUE(data.group.byLength);
  EXPECT_EQ(data.result.n, 10);
  EXPECT_EQ(data.points.front().label(), "Llama-3.1-8B 4K");
}

TEST(BenchmarkData, AModelCountsOnce) {
  const BenchmarkData plain = makeBenchmarkData(loadBenchmark("longbench_pro"), {});
  const BenchmarkData data =
      makeBenchmarkData(loadBenchmark("longbench_pro"), ownModel("my capture", {"qwen3-4b"}, 0.5));
  ASSERT_EQ(data.points.size(), 8U);
  EXPECT_TRUE(data.points.back().own);
  EXPECT_FALSE(data.points.back().counted);
  EXPECT_DOUBLE_EQ(data.points.back().y, 31.26);
  EXPECT_EQ(data.result.pearson, plain.result.pearson);
  EXPECT_TRUE(data.withoutScore.empty());
}

TEST(BenchmarkData, MatchesSpellingsOfModelNames) {
  Benchmark own = loadBenchmark("longbench_pro");
  own.scores.clear();
  for (const char* name : {"qwen3 8b", "QWEN3_14B", "SmolLM2-135M-Instruct"})
    own.scores.push_back({name, 20, std::nullopt, "", "", "own", name});
  const BenchmarkData data = makeBenchmarkData(own, ownModel("smollm2-135m-instruct", {}, 0.2));
  EXPECT_EQ(data.points.size(), 3U);
  EXPECT_TRUE(data.withoutScore.empty());
}

TEST(BenchmarkData, IncludesOwnModelsWithOwnScores) {
  Benchmark benchmark = loadBenchmark("longbench_pro");
  benchmark.scores.push_back({"my model", 25, std::nullopt, "overall", "non_thinking", "own", ""});
  const BenchmarkData data = makeBenchmarkData(benchmark, ownModel("my model", {}, 0.2));
  EXPECT_EQ(data.result.n, 8);
  EXPECT_TRUE(data.points.back().counted);
  EXPECT_EQ(data.points.back().family, "llama");
}

TEST(BenchmarkData, NamesOwnModelsWithoutAScore) {
  const BenchmarkData data = makeBenchmarkData(loadBenchmark("longbench_pro"), ownModel("unknown", {}, 0.2));
  EXPECT_EQ(data.withoutScore, std::vector<std::string>{"unknown"});
  EXPECT_EQ(data.points.size(), 7U);
}

TEST(BenchmarkData, UnknownChoicesNameTheKnownOnes) {
  const Benchmark benchmark = loadBenchmark("longbench_pro");
  const auto said = [&](const BenchmarkChoice& choice) {
    return test::failureOf<UsageError>([&] { makeBenchmarkData(benchmark, {}, choice); });
  };
  EXPECT_THAT(said({"ap_dorp", ""}), HasSubstr("did you mean ap_drop"));
  EXPECT_THAT(said({"", "overall/thinking"}), HasSubstr("overall/non_thinking"));
  Benchmark nobody = benchmark;
  nobody.scores = {{"somebody", 1, std::nullopt, "", "", "", ""}};
  const std::string failure =
      test::failureOf<UsageError>([&] { makeBenchmarkData(nobody, ownModel("my capture", {}, 0.2)); });
  for (const char* part : {"Qwen3-4B", "my capture", "found somebody"}) EXPECT_THAT(failure, HasSubstr(part));
}

TEST(BenchmarkData, TableHoldsEverythingDrawn) {
  const Table table = tableOf(makeBenchmarkData(loadBenchmark("longbench_pro"), {}));
  const auto& part = table.texts("part");
  EXPECT_EQ(std::count(part.begin(), part.end(), "point"), 7);
  EXPECT_EQ(std::count(part.begin(), part.end(), "leave_one_out"), 7);
  EXPECT_EQ(std::count(part.begin(), part.end(), "line"), 41);
  EXPECT_EQ(std::count(part.begin(), part.end(), "statistic"), 9);
}

}  // namespace
}  // namespace plastiscope
