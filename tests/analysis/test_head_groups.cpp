// Coordination of key groups, compared with least squares and brute force in NumPy
// (tests/data/analysis/reference_coordination.py), and counts of heads by sign.
#include "core/analysis/head_groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/analysis/bootstrap.h"
#include "core/analysis/columns.h"
#include "core/analysis/tables.h"
#include "core/base/json.h"

namespace plastiscope {
namespace {

TEST(Coordination, AgreesWithLeastSquaresWithinLayers) {
  const Json expected =
      readJsonFile(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "analysis" / "coordination.json");
  for (const Json& sample : expected["samples"]) {
    const Table heads{"heads",
                      {{"layer", sample["layers"].get<std::vector<std::int64_t>>()},
                       {"kv_head", sample["groups"].get<std::vector<std::int64_t>>()}}};
    auto values = sample["values"].get<std::vector<double>>();
    const auto groups = keyGroups(heads);
    EXPECT_NEAR(groupVariance(values, groups, true).intraclass, sample["icc"].get<double>(), 1e-12);
    const double tolerance = sample["exchanges"].get<double>() > 10000 ? 0.01 : 1e-12;
    EXPECT_NEAR(exchangeP(values, groups, 0), sample["p"].get<double>(), tolerance);
    EXPECT_EQ(exchangeP(values, groups, 3), exchangeP(values, groups, 3));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += 100 * static_cast<double>(heads.integers("layer")[i]);
    EXPECT_NEAR(groupVariance(values, groups, true).intraclass, sample["icc"].get<double>(), 1e-10);
  }
}

TEST(Coordination, OneGroupPerLayerHasNoExchangeTest) {
  const Table heads{
      "heads",
      {{"layer", std::vector<std::int64_t>{0, 0, 1, 1}}, {"kv_head", std::vector<std::int64_t>{0, 0, 0, 0}}}};
  const std::vector<double> values = {1, 2, 3, 5};
  EXPECT_TRUE(std::isnan(groupVariance(values, keyGroups(heads), true).intraclass));
  EXPECT_TRUE(std::isnan(exchangeP(values, keyGroups(heads), 0)));
  EXPECT_TRUE(std::isfinite(groupVariance(values, keyGroups(heads)).intraclass));
}

TEST(ModelTable, HasAbsoluteCorrelationsAndCountsBySign) {
  std::vector<HeadResult> heads(3);
  heads[0].summary.drop = 0.1;
  heads[1].summary.drop = -0.2;
  Table table = headsTable(heads);
  for (Column& column : table.columns) {
    if (column.name == "r_k") column.values = std::vector<double>{-0.5, 0.9, kMissing};
  }
  std::vector<Table> tables = {table, modelTable(table)};
  EXPECT_DOUBLE_EQ(tables[1].numbers("abs_r_k")[0], 0.7);
  EXPECT_TRUE(std::isnan(tables[1].numbers("abs_r_q")[0]));
  EXPECT_EQ(tables[1].integers("r_k_positive")[0], 1);
  EXPECT_EQ(tables[1].integers("ap_drop_negative")[0], 1);

  const std::vector<std::string>& names = sampledColumns();
  std::vector<HeadSamples> samples(3);
  for (HeadSamples& sample : samples) sample.values.assign(names.size(), std::vector<double>(2, kMissing));
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c] == "ap_drop") {
      samples[0].values[c] = {0.05, 0.2};
      samples[1].values[c] = {-0.3, 0.1};
    } else if (names[c] == "r_k") {
      samples[0].values[c] = {-0.4, -0.6};
      samples[1].values[c] = {0.8, 1};
    }
  }
  addIntervals(tables, samples, Estimator(drawResamples(0, 2, 2)));
  EXPECT_EQ(tables[1].integers("ap_drop_positive_by_interval")[0], 1);
  EXPECT_EQ(tables[1].integers("ap_drop_negative_by_interval")[0], 0);
  EXPECT_NEAR(tables[1].numbers("abs_r_k_low")[0], 0.6 + 0.025 * 0.2, 1e-12);  // means 0.6 and 0.8
  EXPECT_NEAR(tables[1].numbers("abs_r_k_high")[0], 0.8 - 0.025 * 0.2, 1e-12);
  for (const Column& column : tables[1].columns)
    if (column.name.ends_with("_se"))
      continue;
    else
      EXPECT_TRUE(metricCatalogue().find("model", column.name)) << column.name;
}

TEST(Coordination, HasIntervalsFromSamplesOfHeads) {
  Table heads{
      "heads",
      {{"layer", std::vector<std::int64_t>(4, 0)}, {"kv_head", std::vector<std::int64_t>{0, 0, 1, 1}}}};
  Table coordination{"coordination",
                     {{"metric", std::vector<std::string>{"ap_drop"}},
                      {"intraclass_correlation", std::vector<double>{0.5}},
                      {"intraclass_correlation_within_layers", std::vector<double>{0.5}}}};
  const std::vector<std::string>& names = sampledColumns();
  std::vector<HeadSamples> samples(4);
  for (std::size_t h = 0; h < 4; ++h) {
    samples[h].values.assign(names.size(), std::vector<double>(2, kMissing));
    const auto drop = std::find(names.begin(), names.end(), "ap_drop") - names.begin();
    samples[h].values[drop] = {h < 2 ? 0.0 : 1.0, h % 2 == 0 ? 0.0 : 1.0};
  }
  std::vector<Table> tables = {heads, coordination};
  addIntervals(tables, samples, Estimator(drawResamples(0, 2, 2)));
  for (const char* column : {"intraclass_correlation", "intraclass_correlation_within_layers"}) {
    // Heads equal within groups, then equal group means: 1 and -1.
    EXPECT_NEAR(tables[1].numbers(std::string(column) + "_low")[0], -0.95, 1e-12);
    EXPECT_NEAR(tables[1].numbers(std::string(column) + "_high")[0], 0.95, 1e-12);
  }
}

}  // namespace
}  // namespace plastiscope
