// Comparison tables equal results of NumPy and SciPy (tests/data/compare/make_comparison.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/option.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/measures.h"
#include "tests/compare/compared_data.h"
#include "tests/support/failure.h"

namespace plastiscope::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const char* const kMetrics[] = {"bias_strength", "r_k_a",      "abs_r_k_a",
                                "slope_ratio",   "ap_overall", "ap_drop"};

const Json& expectedComparison() {
  static const Json json = readJsonFile(compareData("comparison.json"));
  return json;
}

void expectNumber(double found, const Json& wanted, const std::string& what, double tolerance = 1e-12) {
  if (wanted.is_null()) {
    EXPECT_TRUE(std::isnan(found)) << what << " = " << found;
  } else {
    EXPECT_NEAR(found, wanted.get<double>(), tolerance * std::max(1.0, std::abs(wanted.get<double>())))
        << what;
  }
}

TEST(ComparisonTables, ModelsHaveMeanSpreadAndQuartiles) {
  const Table table = modelsTable(compareLetters("abc"));
  ASSERT_EQ(table.rows(), 3u);
  for (const auto& [model, facts] : expectedComparison()["models"].items()) {
    const std::size_t row = rowWhere(table, {{"model", model}});
    EXPECT_EQ(table.integers("window")[row], facts["window"]);
    for (const std::string metric : kMetrics) {
      const Json& wanted = facts["metrics"][metric];
      expectNumber(table.numbers(metric)[row], wanted["mean"], model + " " + metric);
      expectNumber(table.numbers(metric + "_sd")[row], wanted["sd"], model + " " + metric + " sd");
      expectNumber(table.numbers(metric + "_p25")[row], wanted["p25"], model + " " + metric + " p25");
      expectNumber(table.numbers(metric + "_p75")[row], wanted["p75"], model + " " + metric + " p75");
      EXPECT_EQ(table.integers(metric + "_heads")[row], wanted["heads"]);
    }
    expectNumber(table.numbers("slope_ratio_median")[row], facts["metrics"]["slope_ratio"]["median"], model);
  }
}

struct Changed {
  Json first, other;  // facts of the captures, merged into those of one model
  std::string firstName, otherName;
};
class NamesOfChanges : public testing::TestWithParam<Changed> {};

// Names of two captures of one model contain the settings that differ.
TEST_P(NamesOfChanges, ContainTheDifference) {
  const auto input = [](const char* file, const Json& facts) {
    auto analysis = std::make_shared<AnalysisFile>(*inputOf("a").analysis);
    Json capture = analysis->provenance.capture;
    capture.update(facts);
    analysis->provenance.capture = capture;
    return ComparisonInput{"", file, analysis};
  };
  const std::vector<ComparisonInput> inputs = {input("2k.h5", GetParam().first),
                                               input("2k 2.h5", GetParam().other)};
  EXPECT_EQ(uniqueInputNames(inputs), (std::vector{GetParam().firstName, GetParam().otherName}));
  const Comparison comparison = makeComparison(inputs);
  EXPECT_EQ(modelsTable(comparison).texts("model")[1], GetParam().otherName) << "also in tables and legends";
}

// Files that do not differ only in a number keep the names that the user gave them.
TEST(NamesOfInputs, KeepNamesGivenByTheUser) {
  const auto input = [](const char* name, const char* file, int window) {
    auto analysis = std::make_shared<AnalysisFile>(*inputOf("a").analysis);
    Json capture = analysis->provenance.capture;
    capture["window"] = window;
    analysis->provenance.capture = capture;
    return ComparisonInput{name, file, analysis};
  };
  EXPECT_EQ(uniqueInputNames({input("", "long.h5", 8192), input("", "short.h5", 4096)}),
            (std::vector<std::string>{"long", "short"}));
  EXPECT_EQ(uniqueInputNames({input("", "b 512.h5", 8192), input("", "b 512 2.h5", 4096)}),
            (std::vector<std::string>{"window 8k", "window 4k"}));
  EXPECT_EQ(uniqueInputNames({input("", "window-8192.h5", 8192), input("", "window-4096.h5", 4096)}),
            (std::vector<std::string>{"window-8192", "window-4096"}));
  EXPECT_EQ(uniqueInputNames({input("mine", "a.h5", 8192), input("", "a 2.h5", 4096)}),
            (std::vector<std::string>{"mine", "a 2"}));
  EXPECT_EQ(uniqueInputNames({input("", "a.h5", 8192), input("", "a 2.h5", 4096), input("", "a 3.h5", 4096)}),
            (std::vector<std::string>{"a", "a 2", "a 3"}))
      << "the settings do not tell all of them apart";
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, NamesOfChanges,
    testing::Values(
        Changed{Json::object(), Json::object(), "2k", "2k 2"},
        Changed{{{"rope", {{"rope_type", "default"}, {"rope_theta", 100000.0}}}},
                {{"rope", {{"rope_type", "default"}, {"rope_theta", 10000.0}}}},
                "RoPE base 100,000",
                "RoPE base 10,000"},
        Changed{
            {{"rope", {{"rope_type", "default"}, {"rope_theta", 1e5}}}},
            {{"rope", {{"rope_type", "yarn"}, {"rope_theta", 1e5}, {"factor", 4.0}, {"beta_fast", 32.0}}}},
            "plain RoPE",
            "yarn RoPE, factor 4"},
        Changed{{{"rope", {{"rope_type", "yarn"}, {"factor", 4.0}, {"beta_fast", 32.0}}}},
                {{"rope", {{"rope_type", "yarn"}, {"factor", 4.0}, {"beta_fast", 16.0}}}},
                "beta fast 32",
                "beta fast 16"},
        Changed{{{"rope", {{"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 1e4}}}}}},
                {{"rope", {{"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 2e4}}}}}},
                "sliding attention base 10,000",
                "sliding attention base 20,000"},
        Changed{Json::object(), {{"ablate", "L1H2,L3H0"}}, "all heads", "without L1H2,L3H0"},
        Changed{
            Json::object(), {{"ablate", "L0H0,L0H1,L0H2,L0H3,L0H4,L1H0-2"}}, "all heads", "without 8 heads"},
        Changed{Json::object(), {{"clamp_bias", "L4H1"}}, "no head clamped", "L4H1 clamped"},
        Changed{{{"point", "post-rope"}}, {{"point", "pre-rope"}}, "post-rope", "pre-rope"},
        Changed{{{"window", 4096}}, {{"window", 5000}}, "window 4k", "window 5,000"},
        Changed{{{"model", "other"}, {"rope", {{"rope_theta", 1e4}}}},
                {{"rope", {{"rope_theta", 1e5}}}},
                "other",
                "a"},
        Changed{{{"model", "other"}}, {{"ablate", "L1H2"}}, "other", "a (without L1H2)"}));

struct Override {
  Json rope, config;  // the capture's settings, its model's settings
  const char* text;
};
class CardsOfOverrides : public testing::TestWithParam<Override> {};

TEST_P(CardsOfOverrides, GiveTheModelsOwnSettings) {
  CaptureInfo info;
  info.settings = Json{{"rope_override", GetParam().rope}};
  info.config = GetParam().config;
  EXPECT_EQ(overriddenRopeText(info), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Containers, CardsOfOverrides,
    testing::Values(
        Override{nullptr, {{"rope_theta", 1e5}}, ""},
        Override{{{"rope_theta", 1e4}}, {{"rope_theta", 100000}}, "overridden (model: 100,000)"},
        Override{{{"rope_theta", 1e4}}, {{"llama.rope.freq_base", 1e5}}, "overridden (model: 100,000)"},
        Override{{{"rope_theta", 1e4}},
                 {{"text_config", {{"rope_parameters", {{"rope_theta", 1e6}}}}}},
                 "overridden (model: 1,000,000)"},
        Override{
            {{"rope_type", "yarn"}, {"factor", 4}}, {{"rope_theta", 1e5}}, "overridden (model: plain RoPE)"},
        Override{{{"rope_type", "default"}, {"rope_theta", 1e4}},
                 {{"rope_theta", 5e5}, {"rope_scaling", {{"rope_type", "llama3"}}}},
                 "overridden (model: llama3, 500,000)"},
        Override{{{"factor", 8}}, {{"rope_theta", 1e5}}, "overridden"}));

TEST(ComparisonTables, PairedUsesHeadsOfAllInputs) {
  ComparisonOptions options;
  options.interval = DifferencesOver::ByHeads;
  const Comparison comparison = compareLetters("abc", options);
  EXPECT_THAT(commonHeads(comparison), SizeIs(expectedComparison()["common"].get<std::size_t>()));
  const Table table = pairedTable(comparison);
  for (const std::string model : {"b", "c"}) {
    for (const auto& [metric, wanted] : expectedComparison()["models"][model]["paired"].items()) {
      const std::size_t row = rowWhere(table, {{"metric", metric}, {"against", model}});
      EXPECT_EQ(table.integers("heads")[row], wanted["heads"]);
      for (const std::string column : {"first_mean", "mean", "mean_difference", "sd", "standard_error",
                                       "pearson", "spearman", "rose_share", "low", "high"})
        expectNumber(table.numbers(column)[row], wanted[column], model + " " + metric + " " + column, 1e-11);
      EXPECT_EQ(table.texts("interval_over")[row], "heads");
      EXPECT_EQ(table.texts("verdict")[row],
                model == "c" && metric.starts_with("ap_") ? "not comparable: bins" : "");
    }
  }
}

TEST(ComparisonTables, DifferencesHaveNoIntervalWithoutTexts) {
  const Table table = pairedTable(compareLetters("ab"));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    EXPECT_TRUE(std::isnan(table.numbers("low")[row])) << table.texts("metric")[row];
    EXPECT_EQ(table.texts("interval_over")[row] + table.texts("verdict")[row], "");
  }
  EXPECT_THAT(untestedText(compareLetters("ab")), HasSubstr("--interval jackknife"));
}

TEST(ComparisonTables, BinnedValuesOfOtherBinsAreNotComparable) {
  const Comparison comparison = compareLetters("ac");  // 16 and 40 bins
  const Table table = pairedTable(comparison);
  EXPECT_EQ(table.texts("verdict")[rowWhere(table, {{"metric", "ap_overall"}})], "not comparable: bins");
  EXPECT_EQ(table.texts("verdict")[rowWhere(table, {{"metric", "r_k_a"}})], "");
  EXPECT_THAT(comparisonWarnings(comparison),
              testing::Contains(AllOf(HasSubstr("bins is 16 in a and 40 in c"), HasSubstr("--bins 16"))));
}

TEST(ComparisonTables, PairedHeadsHoldValuesAndDifferences) {
  const Comparison comparison = compareLetters("ab");
  const Table table = pairedHeadsTable(comparison);
  EXPECT_EQ(table.rows(), commonHeads(comparison).size() * comparison.metrics.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double difference = table.numbers("b")[row] - table.numbers("a")[row];
    const double found = table.numbers("b_difference")[row];
    EXPECT_TRUE(found == difference || (std::isnan(found) && std::isnan(difference))) << row;
  }
}

TEST(ComparisonTables, HaveDepthAndRelativeDepth) {
  const Comparison comparison = compareLetters("abc");
  const Table deciles = depthTable(comparison), curves = relativeDepthTable(comparison);
  for (const auto& [model, facts] : expectedComparison()["models"].items()) {
    for (const auto& [decile, metrics] : facts["depth"].items()) {
      const std::size_t row = rowWhere(deciles, {{"model", model}, {"depth_decile", decile}});
      for (const auto& [metric, value] : metrics.items())
        expectNumber(deciles.numbers(metric)[row], value, model + " decile " + decile + " " + metric);
    }
    for (const auto& [metric, curve] : facts["relative_depth"].items()) {
      const std::size_t start = rowWhere(curves, {{"model", model}});
      for (std::size_t i = 0; i < curve.size(); ++i)
        expectNumber(curves.numbers(metric)[start + i], curve[i],
                     model + " " + metric + " " + std::to_string(i), 1e-9);
    }
  }
}

TEST(ComparisonTables, EqualPositionsAreCutToTheWindow) {
  const Table table = equalPositionsTable(compareLetters("abc"));
  for (const auto& [model, facts] : expectedComparison()["models"].items()) {
    for (const Json& range : facts["equal_positions"]) {
      const std::size_t row = rowWhere(table, {{"ranges", range[0]},
                                               {"from", std::to_string(range[1].get<std::int64_t>())},
                                               {"to", std::to_string(range[2].get<std::int64_t>())},
                                               {"model", model}});
      const std::string what = model + " " + range.dump();
      if (range[3].is_null()) {
        EXPECT_TRUE(std::isnan(table.numbers("ap")[row])) << what;
        EXPECT_TRUE(std::isnan(table.numbers("reached")[row])) << what;
        continue;
      }
      expectNumber(table.numbers("ap")[row], range[3]["ap"], what);
      EXPECT_EQ(table.integers("heads")[row], range[3]["heads"]) << what;
    }
  }
}

TEST(ComparisonTables, RecoveryTableHasDipRecoveryAndCollapse) {
  const Table table = recoveryTable(compareLetters("abc"));
  for (const auto& [model, facts] : expectedComparison()["models"].items()) {
    const std::size_t row = rowWhere(table, {{"model", model}});
    for (const std::string column : {"dip", "recovery", "collapse"})
      expectNumber(table.numbers(column)[row], facts["bump"][column], model + " " + column);
    EXPECT_EQ(table.texts("recovers")[row], facts["bump"]["recovers"].get<bool>() ? "true" : "false");
  }
}

TEST(ComparisonTables, TrajectoryCountsFromFirstAndPrevious) {
  const Table table = trajectoryTable(compareLetters("abc"));
  const auto mean = [&](const std::string& model) {
    return expectedComparison()["models"][model]["metrics"]["ap_overall"]["mean"].get<double>();
  };
  const std::size_t first = rowWhere(table, {{"model", "a"}, {"metric", "ap_overall"}});
  const std::size_t last = rowWhere(table, {{"model", "c"}, {"metric", "ap_overall"}});
  EXPECT_TRUE(std::isnan(table.numbers("change_first")[first]));
  EXPECT_NEAR(table.numbers("change_first")[last], mean("c") - mean("a"), 1e-12);
  EXPECT_NEAR(table.numbers("change_previous")[last], mean("c") - mean("b"), 1e-12);
}

TEST(ComparisonTables, MapDifferenceHasCellsInCommon) {
  const Table table = mapDifferenceTable(compareLetters("ab"));
  ASSERT_EQ(table.rows(), 1u);
  EXPECT_EQ(table.numbers("difference")[0], 0.5);
  EXPECT_EQ(table.integers("pairs_first")[0], 40);
}

TEST(ComparisonTables, SettingsThatDifferAreListed) {
  ComparisonInput a = inputOf("a"), b = inputOf("b");
  auto changed = std::make_shared<AnalysisFile>(*b.analysis);
  changed->provenance.settings = Json{{"variance", "full"}};
  b.analysis = changed;
  const Comparison comparison = makeComparison({a, b});
  const Table table = settingsDifferencesTable(comparison);
  ASSERT_EQ(table.rows(), 1u);
  EXPECT_EQ(table.texts("setting")[0], "variance");
  EXPECT_EQ(table.texts("a")[0], "thesis");
  EXPECT_EQ(table.texts("b")[0], "full");
  EXPECT_THAT(comparisonWarnings(comparison), testing::Contains(HasSubstr("variance")));
}

// ---- properties

TEST(Comparison, WarnsOfWindowsAndHeads) {
  EXPECT_THAT(comparisonWarnings(compareLetters("a")), IsEmpty());
  const auto warnings = comparisonWarnings(compareLetters("ac"));
  EXPECT_THAT(warnings, testing::Contains(HasSubstr("equal_positions")));
  EXPECT_THAT(warnings, testing::Contains(HasSubstr("the captured heads differ")));
  Comparison unknown = compareLetters("ac");  // as for a published model
  unknown.models[0].facts.window = 0;
  EXPECT_THAT(comparisonWarnings(unknown), testing::Not(testing::Contains(HasSubstr("windows differ"))));
}

TEST(Comparison, OneInputGivesEveryTable) {
  const Comparison comparison = compareLetters("a");
  for (const ComparisonTable& table : comparisonTables()) {
    const Table made = table.make(comparison);
    EXPECT_EQ(made.name, table.name);
    for (const Column& column : made.columns)
      EXPECT_EQ(std::visit([](const auto& values) { return values.size(); }, column.values), made.rows());
  }
}

TEST(Comparison, GivesThirteenInputsOfOneModelDifferentNames) {
  const Comparison comparison = compareLetters("aaaaaaaaaaaaa");
  EXPECT_EQ(comparison.models.size(), 13u);
  EXPECT_EQ(comparison.models.front().name, "a");
  EXPECT_EQ(comparison.models.back().name, "a 13");
  const Table table = pairedTable(comparison);
  for (const double difference : table.numbers("mean_difference")) EXPECT_EQ(difference, 0);
}

TEST(Comparison, ValuesDoNotDependOnTheOrderOfInputs) {
  const Table forth = modelsTable(compareLetters("abc")), back = modelsTable(compareLetters("cba"));
  for (const std::string model : {"a", "b", "c"}) {
    const std::size_t i = rowWhere(forth, {{"model", model}}), j = rowWhere(back, {{"model", model}});
    for (const std::string metric : kMetrics) EXPECT_EQ(forth.numbers(metric)[i], back.numbers(metric)[j]);
  }
}

TEST(Comparison, OrdersByNameAndWindow) {
  Comparison comparison = compareLetters("cab");
  sortModels(comparison, CompareOrder::Tokens);
  EXPECT_EQ(comparison.models.back().name, "c");
  comparison.models[0].name = "step-1200000";
  comparison.models[1].name = "step-40000";
  sortModels(comparison, CompareOrder::Name);
  EXPECT_EQ(comparison.models[1].name, "step-40000");
  CompareOrder order = CompareOrder::Given;
  EXPECT_THROW(setTexts({"--order", "", choiceOf(order)}, {"tokns"}), UsageError);
  setTexts({"--order", "", choiceOf(order)}, {"tokens"});
  EXPECT_EQ(order, CompareOrder::Tokens);
}

TEST(Comparison, UnknownMetricNamesTheNearest) {
  ComparisonOptions options;
  options.metrics = {"ap_dorp"};
  EXPECT_THAT(test::failureOf<UsageError>([&] { compareLetters("ab", options); }),
              HasSubstr("did you mean ap_drop?"));
  options.metrics = {"ap_drop", "bias_strength"};
  EXPECT_THAT(compareLetters("ab", options).metrics, ElementsAre("bias_strength", "ap_drop"));
}

TEST(Comparison, AddsANumberToReservedNames) {
  ComparisonInput input = inputOf("a");
  input.name = "metric";
  EXPECT_EQ(makeComparison({input}).models.front().name, "metric 2");
}

}  // namespace
}  // namespace plastiscope::test
