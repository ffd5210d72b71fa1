// Families as replicates and several predictors at once, compared with brute force in NumPy
// (tests/data/compare/make_families.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/json.h"
#include "core/compare/benchmark_link.h"
#include "core/compare/correlation.h"
#include "tests/compare/compared_data.h"

namespace plastiscope::test {
namespace {

using testing::HasSubstr;

const Json& expectedFamilies() {
  static const Json json = readJsonFile(compareData("families.json"));
  return json;
}

TEST(FamilyCorrelation, AgreesWithBruteForce) {
  for (const auto& [name, sample] : expectedFamilies()["samples"].items()) {
    const auto x = sample["x"].get<std::vector<double>>(), y = sample["y"].get<std::vector<double>>();
    const FamilyCorrelation found =
        correlateFamilies(x, y, sample["families"], sample["lengths"].get<std::vector<std::int64_t>>(), {});
    EXPECT_NEAR(found.p, sample["p"].get<double>(), 1e-12) << name;
    ASSERT_EQ(found.without.size(), sample["without"].size()) << name;
    for (std::size_t i = 0; i < found.without.size(); ++i)
      EXPECT_NEAR(found.without[i], sample["without"][i].get<double>(), 1e-12) << name;
    EXPECT_NEAR(found.interval.low, sample["low"].get<double>(), 0.02) << name;  // another bootstrap
    EXPECT_NEAR(found.interval.high, sample["high"].get<double>(), 0.02) << name;
    EXPECT_EQ(found.missing, "") << name;
  }
}

TEST(FamilyCorrelation, SamplesPermutationsOfManyFamilies) {
  std::vector<double> x, y;
  std::vector<std::string> families;
  for (int i = 0; i < 9; ++i) {
    x.push_back(i);
    y.push_back(i % 4);
    families.push_back(std::string(1, static_cast<char>('a' + i)));
  }
  // Families of one model each: the same as permutationP, with other random orders.
  const FamilyCorrelation found = correlateFamilies(x, y, families, {}, {});
  EXPECT_NEAR(found.p, permutationP(x, y, {}), 0.01);
}

TEST(FamilyCorrelation, GivesTheReasonOfAMissingValue) {
  const std::vector<double> x = {1, 2, 4, 3}, y = {1, 3, 2, 5};
  const FamilyCorrelation few = correlateFamilies(x, y, {"a", "a", "b", "c"}, {}, {});
  EXPECT_TRUE(std::isnan(few.p) && !few.interval.known());
  EXPECT_THAT(few.missing, HasSubstr("3 families of these sizes: 2 of the 20 orders"));
  EXPECT_THAT(few.missing, HasSubstr("needs 5 families"));
  EXPECT_TRUE(std::isnan(few.without[0]));  // two models remain
  EXPECT_TRUE(std::isfinite(few.without[1]));
  EXPECT_THAT(correlateFamilies(x, y, {"a", "", "b", "c"}, {}, {}).missing, HasSubstr("not known"));
}

TEST(AdjustedP, AgreesWithBruteForce) {
  const Json& wanted = expectedFamilies()["max_t"];
  std::vector<std::vector<double>> predictors;
  for (const Json& row : wanted["predictors"]) {
    predictors.emplace_back();
    for (const Json& value : row)
      predictors.back().push_back(value.is_null() ? kMissing : value.get<double>());
  }
  predictors.push_back({1, 2, 3, kMissing, kMissing, kMissing, kMissing});  // too few models
  const auto p = adjustedP(predictors, wanted["scores"].get<std::vector<double>>(), {});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(p[i], wanted["p"][i].get<double>(), 1e-12) << i;
  EXPECT_TRUE(std::isnan(p[4]));
}

TEST(AdjustedP, OnePredictorKeepsItsP) {
  const std::vector<double> x = {1, 5, 2, 8, 3}, y = {2, 4, 1, 9, 5};
  EXPECT_EQ(adjustedP({x}, y, {})[0], permutationP(x, y, {}));
}

// Seven models of three families, of which two have three models.
TEST(BenchmarkLink, ThesisModelsAreThreeFamilies) {
  const auto all = correlateBenchmark(referencePredictors(), loadBenchmark("longbench_pro"));
  const Table table = correlationsTable("longbench_pro", all), without = leaveFamilyOutTable(all);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.integers("n")[row] != 7) continue;
    EXPECT_EQ(table.numbers("families")[row], 3);
    EXPECT_TRUE(std::isnan(table.numbers("p_families")[row]));
    EXPECT_THAT(table.texts("families_missing")[row], HasSubstr("2 of the 20 orders"));
    EXPECT_GE(table.numbers("p_adjusted")[row], table.numbers("p")[row]);
  }
  EXPECT_EQ(without.texts("predictor")[0], "ap_drop");
}

TEST(BenchmarkLink, OrderedLengthsOfOneModelHaveNoP) {
  int ofModels = 0;
  for (const ScoreCorrelation& one : correlateLengths(referencePredictors(), loadBenchmark("ruler"))) {
    if (one.scope != "model") continue;
    ++ofModels;
    EXPECT_TRUE(std::isnan(one.result.permutationP) && one.byFamily.names.empty()) << one.model;
  }
  EXPECT_GT(ofModels, 0);
  for (const ScoreCorrelation& one : correlateLengths(referencePredictors(), loadBenchmark("longbench_pro")))
    EXPECT_TRUE(std::isnan(one.result.permutationP))
        << one.scope;  // there are no other lengths of that model
}

}  // namespace
}  // namespace plastiscope::test
