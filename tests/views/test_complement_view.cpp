#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/views/complement_data.h"
#include "views/literal_study.h"

namespace plastiscope {

namespace {

// Outside of a = c0 and b = c1 the rows rotate in the plane (c2, c3), twice as wide along c2; the last row is
// `far` away.
CapturedRows turningRows(double offset, int count, double far) {
  CapturedRows rows;
  rows.headDim = 4;
  for (int i = 0; i < count; ++i) {
    rows.position.push_back(i);
    rows.example.push_back(0);
    rows.bucket.push_back(0);
    const double angle = 2 * 3.14159265358979 * i / 40;
    for (const double c :
         {offset + i, offset, 2 * std::cos(angle) + (i == count - 1 ? far : 0), std::sin(angle)})
      rows.vectors.push_back(static_cast<float>(c));
  }
  return rows;
}

// Axes a = c0 and b = c1 for head L0H1.
Study turningStudy(int count = 40, double far = 0) {
  auto analysis = test::literalAnalysis();
  Table* axes = findTable(analysis->tables, "axes");
  for (Column& column : axes->columns) {
    if (column.name == "value") column.values = std::vector<double>{1, 0, 0, 0, 0, 1, 0, 0};
  }
  const auto rowsOf = [=](const RowPlace& place) {
    return turningRows(place.set == RowSet::Query ? 5 : -20, count, far);
  };
  return {std::make_shared<test::LiteralCapture>(std::vector<std::string>{"first"}, rowsOf),
          analysis,
          "",
          "",
          {}};
}

}  // namespace

TEST(Complement, HasPairsOfDirectionsOutsideThePlane) {
  const ComplementData data = makeComplement(turningStudy(), {0, 1}, 30, 100000);
  ASSERT_EQ(data.pairs.size(), 1U) << "four dimensions less the plane";
  EXPECT_NEAR(data.pairs[0].share, 1, 1e-9);
  EXPECT_EQ(data.rows, 80);
  EXPECT_EQ(data.shown, 80);
  ASSERT_EQ(data.pairs[0].query.size(), 40U);
  // The wider direction first; around the pool's mean, which is 0 on both.
  EXPECT_NEAR(data.pairs[0].query.x[0], 2, 1e-5);
  EXPECT_NEAR(data.pairs[0].query.y[10], 1, 1e-5);
  EXPECT_NEAR(data.pairs[0].key.x[20], -2, 1e-5);
  EXPECT_GT(data.reach, 1.99);
  EXPECT_EQ(tableOf(data).rows(), 80U);
}

TEST(Complement, ShowsEachNthRowOfTooMany) {
  const ComplementData data = makeComplement(turningStudy(), {0, 1}, 30, 20);
  EXPECT_EQ(data.shown, 20);
  EXPECT_EQ(data.pairs[0].key.position[1], 4);
}

TEST(Complement, OutliersDoNotCompressTheRest) {
  const ComplementData data = makeComplement(turningStudy(400, 100), {0, 1}, 30, 100000);
  EXPECT_GT(data.pairs[0].query.x.back(), 90) << "the far row is kept";
  EXPECT_GT(data.reach, 2);
  EXPECT_LT(data.reach, 3);
}

TEST(Complement, GivesTheReasonOfMissingData) {
  Study study = turningStudy();
  EXPECT_NE(makeComplement(study, {1, 2}, 30, 100).missing.find("no axis a"), std::string::npos);
  study.capture = nullptr;
  EXPECT_NE(makeComplement(study, {0, 1}, 30, 100).missing.find("capture"), std::string::npos);
  EXPECT_THROW(makeComplement(study, {1, 0}, 30, 100), UsageError);
}

}  // namespace plastiscope
