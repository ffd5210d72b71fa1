// Correlations equal results of SciPy (tests/data/compare/make_correlations.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/json.h"
#include "core/compare/benchmark_link.h"
#include "tests/compare/compared_data.h"

namespace plastiscope::test {
namespace {

const Json& expectedCorrelations() {
  static const Json json = readJsonFile(compareData("correlations.json"));
  return json;
}

void expectResult(const Correlation& found, const Json& wanted, const std::string& what) {
  EXPECT_EQ(found.n, wanted["n"]) << what;
  EXPECT_NEAR(found.pearson, wanted["pearson"].get<double>(), 1e-12) << what;
  EXPECT_NEAR(found.spearman, wanted["spearman"].get<double>(), 1e-12) << what;
  const double slope = wanted["slope"], intercept = wanted["intercept"];
  EXPECT_NEAR(found.slope, slope, 1e-10 * std::max(1.0, std::abs(slope))) << what;
  EXPECT_NEAR(found.intercept, intercept, 1e-10 * std::max(1.0, std::abs(intercept))) << what;
  if (wanted.contains("low")) {
    EXPECT_NEAR(found.pearsonInterval.low, wanted["low"].get<double>(), 1e-12) << what;
    EXPECT_NEAR(found.pearsonInterval.high, wanted["high"].get<double>(), 1e-12) << what;
  } else {
    EXPECT_TRUE(std::isnan(found.pearsonInterval.low)) << what;
  }
  if (wanted.contains("p")) {
    EXPECT_NEAR(found.permutationP, wanted["p"].get<double>(), 1e-12) << what;
  }
  if (wanted.contains("p_sampled")) {
    EXPECT_NEAR(found.permutationP, wanted["p_sampled"].get<double>(), 0.005) << what;
  }
  for (std::size_t i = 0; i < wanted["leave_one_out"].size(); ++i)
    EXPECT_NEAR(found.leaveOneOut[i], wanted["leave_one_out"][i].get<double>(), 1e-12) << what;
}

TEST(Correlation, SamplesAgreeWithSciPy) {
  for (const auto& [name, sample] : expectedCorrelations()["samples"].items()) {
    const auto x = sample["x"].get<std::vector<double>>(), y = sample["y"].get<std::vector<double>>();
    expectResult(correlate(x, y), sample["expected"], name);
  }
}

TEST(Correlation, SlopeIntervalAgreesWithAnotherBootstrap) {
  const Json sample = expectedCorrelations()["samples"]["twelve"];
  const Correlation found =
      correlate(sample["x"].get<std::vector<double>>(), sample["y"].get<std::vector<double>>());
  const double low = sample["expected"]["slope_low"], high = sample["expected"]["slope_high"];
  EXPECT_NEAR(found.slopeInterval.low, low, 0.05 * (high - low));
  EXPECT_NEAR(found.slopeInterval.high, high, 0.05 * (high - low));
}

TEST(Correlation, MissingValuesAndFewPoints) {
  const double none = std::nan("");
  const std::vector<double> x = {1, none, 2, 3}, y = {2, 5, 4, none};
  const Correlation two = correlate(x, y);
  EXPECT_EQ(two.n, 2);
  EXPECT_TRUE(std::isnan(two.pearson));
  EXPECT_TRUE(std::isnan(correlate(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3}).pearson));
  EXPECT_EQ(correlate(std::vector<double>{}, std::vector<double>{}).n, 0);
}

TEST(Correlation, SeedDecidesTheDraws) {
  const Json sample = expectedCorrelations()["samples"]["twelve"];
  const auto x = sample["x"].get<std::vector<double>>(), y = sample["y"].get<std::vector<double>>();
  EXPECT_EQ(correlate(x, y).slopeInterval.low, correlate(x, y).slopeInterval.low);
  CorrelationOptions other;
  other.seed = 1;
  EXPECT_NE(correlate(x, y).slopeInterval.low, correlate(x, y, other).slopeInterval.low);
}

// ---- the thesis' own numbers (method.md, Benchmark correlation values)

TEST(BenchmarkLink, SevenModelsGiveThePrintedValues) {
  const auto all = correlateBenchmark(referencePredictors(), loadBenchmark("longbench_pro"));
  const Json wanted = expectedCorrelations()["matched"];
  std::size_t seen = 0;
  for (const ScoreCorrelation& one : all) {
    if (!wanted.contains(one.predictor) || one.mode != "non_thinking") continue;
    Json values = wanted[one.predictor];
    values["leave_one_out"] = Json::array();  // the file has another order of the models
    expectResult(one.result, values, one.predictor);
    ++seen;
  }
  EXPECT_EQ(seen, 6u);
}

TEST(BenchmarkLink, AgreesWithThePrintedDigits) {
  struct Printed {
    const char *predictor, *pearson, *spearman, *p, *low, *high;
  };
  const Printed rows[] = {{"ap_drop", "-0.673537", "-0.6429", "0.06845", "-0.947", "0.161"},
                          {"ap_overall", "0.704686", "0.3571", "0.09107", "-0.103", "0.952"},
                          {"ap_first20", "-0.455559", "-0.5714", "0.32817", "-0.900", "0.453"},
                          {"ap_last20", "0.715514", "0.4643", "0.06071", "-0.081", "0.954"},
                          {"bias_strength", "-0.166827", "-0.2965", "0.79762", "-0.817", "0.670"},
                          {"plane_var_fraction", "-0.741535", "-0.4286", "0.07361", "-0.959", "0.026"}};
  const auto text = [](double value, const char* format) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, format, value);
    return std::string(buffer);
  };
  const auto all = correlateBenchmark(referencePredictors(), loadBenchmark("longbench_pro"));
  for (const Printed& row : rows) {
    for (const ScoreCorrelation& one : all) {
      if (one.predictor != row.predictor || one.mode != "non_thinking") continue;
      const Correlation& r = one.result;
      EXPECT_EQ(text(r.pearson, "%.6f"), row.pearson);
      EXPECT_EQ(text(r.spearman, "%.4f"), row.spearman);
      EXPECT_EQ(text(r.permutationP, "%.5f"), row.p);
      EXPECT_EQ(text(r.pearsonInterval.low, "%.3f"), row.low);
      EXPECT_EQ(text(r.pearsonInterval.high, "%.3f"), row.high);
      if (one.predictor != "ap_drop") continue;
      EXPECT_EQ(text(r.intercept, "%.3f"), "44.037");
      EXPECT_EQ(text(r.slope, "%.3f"), "-84.560");
    }
  }
}

TEST(BenchmarkLink, BaseModelsReverseTheOrder) {
  const auto all = correlateBenchmark(referencePredictors(), loadBenchmark("ruler_base"));
  for (const auto& [length, wanted] : expectedCorrelations()["counter_example"].items()) {
    bool found = false;
    for (const ScoreCorrelation& one : all) {
      if (one.predictor != "ap_drop" || std::to_string(*one.length) != length) continue;
      found = true;
      EXPECT_EQ(one.result.n, wanted["n"]);
      EXPECT_NEAR(one.result.pearson, wanted["pearson"].get<double>(), 1e-12);
    }
    EXPECT_TRUE(found) << length;
  }
}

TEST(BenchmarkLink, CorrelatesLengthsOfOneModel) {
  const auto check = [](const std::string& benchmark, const std::string& model) {
    bool found = false;
    for (const ScoreCorrelation& one : correlateLengths(referencePredictors(), loadBenchmark(benchmark))) {
      if (one.scope != "model" || one.model != model) continue;
      found = true;
      EXPECT_NEAR(one.result.pearson, expectedCorrelations()["by_length"][model]["pearson"].get<double>(),
                  1e-12);
      EXPECT_EQ(one.result.n, expectedCorrelations()["by_length"][model]["n"]);
    }
    EXPECT_TRUE(found) << model;
  };
  check("longbench_pro", "ministral3-14b");
  check("ruler", "llama3.1-8b");
}

}  // namespace
}  // namespace plastiscope::test
