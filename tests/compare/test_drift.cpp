// Drift between two captures equals results of NumPy (tests/data/compare/make_drift.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/compare/drift.h"
#include "tests/compare/compared_data.h"
#include "tests/support/failure.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;

std::vector<HeadDrift> driftBetween(const std::string& first, const std::string& second) {
  const auto a = openCapture(compareData(first)), b = openCapture(compareData(second));
  std::vector<HeadDrift> heads;
  for (const RowPlace& place : driftPlaces(*a, *b)) heads.push_back(driftOf(*a, *b, place));
  return heads;
}

void expectRow(const Table& table, std::size_t row, const Json& wanted) {
  EXPECT_EQ(table.integers("rows")[row], wanted["rows"]);
  EXPECT_EQ(table.integers("skipped")[row], wanted["skipped"]);
  // NumPy's arc cosine loses half the digits of small angles.
  for (const std::string column : {"mean_angle", "largest_angle"})
    EXPECT_NEAR(table.numbers(column)[row], wanted[column].get<double>(), 1e-6) << column;
  for (const std::string column : {"mean_norm_change", "largest_norm_change", "relative_rms",
                                   "median_relative_error", "largest_relative_error"})
    if (table.find(column) != nullptr) {
      EXPECT_NEAR(table.numbers(column)[row], wanted[column].get<double>(), 1e-12) << column;
    }
}

TEST(Drift, HeadsAndLayersAgreeWithNumPy) {
  const Json expected = readJsonFile(compareData("drift.json"));
  const std::vector<HeadDrift> heads = driftBetween("drift_first.h5", "drift_second.h5");
  const Table byHead = driftHeadsTable(heads), byLayer = driftTable(heads);
  ASSERT_EQ(byHead.rows(), expected["heads"].size());
  ASSERT_NE(byHead.find("median_relative_error"), nullptr);
  ASSERT_NE(byLayer.find("largest_relative_error"), nullptr);
  for (const Json& head : expected["heads"]) {
    expectRow(
        byHead,
        rowWhere(byHead,
                 {{"layer", head["layer"].dump()}, {"head", head["head"].dump()}, {"kind", head["kind"]}}),
        head);
  }
  ASSERT_EQ(byLayer.rows(), expected["layers"].size());
  for (const Json& layer : expected["layers"]) {
    const std::size_t row = rowWhere(byLayer, {{"layer", layer["layer"].dump()}, {"kind", layer["kind"]}});
    expectRow(byLayer, row, layer);
    for (const std::string column : {"mean_angle", "mean_norm_change", "relative_rms"}) {
      const Json& wanted = layer[column + "_interval"];
      EXPECT_NEAR(byLayer.numbers(column + "_low")[row], wanted[0].get<double>(), 1e-6) << column;
      EXPECT_NEAR(byLayer.numbers(column + "_high")[row], wanted[1].get<double>(), 1e-6) << column;
    }
    EXPECT_EQ(byLayer.texts("interval_over")[row], "texts");
  }
}

TEST(Drift, MakesAGridOfQueriesOrKeys) {
  const Json expected = readJsonFile(compareData("drift.json"));
  const std::vector<HeadDrift> heads = driftBetween("drift_first.h5", "drift_second.h5");
  for (const std::string kind : {"query", "key"}) {
    const HeadGridData grid = driftGrid(heads, {kind, "median_relative_error"}, 3, kind == "query" ? 2 : 1);
    EXPECT_EQ(grid.layers, 3);
    EXPECT_FALSE(grid.at(2, 0).captured) << "that layer was not captured";
    EXPECT_EQ(grid.low, 0);
    double largest = 0;
    for (const Json& head : expected["heads"]) {
      if (head["kind"] != kind) continue;
      const double value = head["median_relative_error"].get<double>();
      EXPECT_NEAR(grid.at(head["layer"].get<int>(), head["head"].get<int>()).value, value, 1e-12);
      largest = std::max(largest, value);
    }
    EXPECT_NEAR(grid.high, largest, 1e-12);
  }
  EXPECT_THROW(driftGrid(heads, {"query", "no_such"}, 2, 2), UsageError);
}

TEST(Drift, RefusesDifferentRows) {
  const std::string moved = readJsonFile(compareData("drift.json"))["moved"].dump();
  const std::string failure =
      test::failureOf<InputError>([&] { driftBetween("drift_second.h5", "drift_other_rows.h5"); });
  EXPECT_THAT(failure, HasSubstr("drift_other_rows.h5: key L1H0: expected in row 9 position"));
  EXPECT_THAT(failure, HasSubstr("found position " + moved + " of text 0"));
}

}  // namespace
}  // namespace plastiscope::test
