// Drift between two captures beside what NumPy finds (tests/data/compare/make_drift.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/compare/drift.h"
#include "tests/compare/compared_data.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;

std::vector<HeadDrift> driftBetween(const std::string& first, const std::string& second) {
  const auto a = openCapture(compareData(first)), b = openCapture(compareData(second));
  std::vector<HeadDrift> heads;
  for (const DriftPlace& place : driftPlaces(*a, *b)) heads.push_back(driftOf(*a, *b, place));
  return heads;
}

void expectRow(const Table& table, std::size_t row, const Json& wanted) {
  EXPECT_EQ(table.integers("rows")[row], wanted["rows"]);
  EXPECT_EQ(table.integers("skipped")[row], wanted["skipped"]);
  // NumPy's arc cosine loses half the digits of small angles.
  for (const std::string column : {"mean_angle", "largest_angle"})
    EXPECT_NEAR(table.numbers(column)[row], wanted[column].get<double>(), 1e-6) << column;
  for (const std::string column : {"mean_norm_change", "largest_norm_change", "relative_rms"})
    EXPECT_NEAR(table.numbers(column)[row], wanted[column].get<double>(), 1e-12) << column;
}

TEST(Drift, HeadsAndLayersAgreeWithNumPy) {
  const Json expected = readJsonFile(compareData("drift.json"));
  const std::vector<HeadDrift> heads = driftBetween("drift_first.h5", "drift_second.h5");
  const Table byHead = driftHeadsTable(heads), byLayer = driftTable(heads);
  ASSERT_EQ(byHead.rows(), expected["heads"].size());
  for (const Json& head : expected["heads"]) {
    expectRow(
        byHead,
        rowWhere(byHead,
                 {{"layer", head["layer"].dump()}, {"head", head["head"].dump()}, {"kind", head["kind"]}}),
        head);
  }
  ASSERT_EQ(byLayer.rows(), expected["layers"].size());
  for (const Json& layer : expected["layers"])
    expectRow(byLayer, rowWhere(byLayer, {{"layer", layer["layer"].dump()}, {"kind", layer["kind"]}}), layer);
}

TEST(Drift, OtherRowsAreRefused) {
  const std::string moved = readJsonFile(compareData("drift.json"))["moved"].dump();
  try {
    driftBetween("drift_second.h5", "drift_other_rows.h5");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("drift_other_rows.h5: key L1H0: expected in row 9 position"));
    EXPECT_THAT(error.what(), HasSubstr("found position " + moved + " of text 0"));
  }
}

}  // namespace
}  // namespace plastiscope::test
