#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/views/figure_tables.h"
#include "core/views/plane_data.h"
#include "views/literal_study.h"

namespace plastiscope {

using test::literalAnalysis;

namespace {

// x grows from 5 by 1 per token, y falls from 1 by 0.5 per token (0.6 c1 + 0.8 c2).
CapturedRows lineRows(double x0) {
  CapturedRows rows;
  rows.headDim = 4;
  for (const int t : {0, 10, 20, 30}) {
    rows.position.push_back(t);
    rows.example.push_back(t / 20);
    rows.bucket.push_back(0);
    const auto y = static_cast<float>(1 - 0.5 * t);
    for (const float c : {static_cast<float>(x0 + t), 0.6F * y, 0.8F * y, 7.0F}) rows.vectors.push_back(c);
  }
  return rows;
}

std::shared_ptr<const CaptureFile> lineCapture() {
  return std::make_shared<test::LiteralCapture>(
      std::vector<std::string>{"first", "second"}, [](const RowPlace& place) {
        const auto& [layer, head, set] = place;
        EXPECT_EQ(layer, 0);
        EXPECT_EQ(head, set == RowSet::Query ? 1 : 0);  // head 1 shares key head 0
        return lineRows(set == RowSet::Query ? 5 : -20);
      });
}

}  // namespace

TEST(Plane, ProjectsRowsAndFitsTheirDrift) {
  const PlaneData plane =
      projectRows(lineRows(5), lineRows(-20), {{1, 0, 0, 0}, {0, 0.6, 0.8, 0}, false}, 100);
  EXPECT_FLOAT_EQ(plane.query.x[2], 25);
  EXPECT_FLOAT_EQ(plane.query.y[2], -9);
  EXPECT_NEAR(plane.query.centroid.x, 20, 1e-5);
  EXPECT_NEAR(plane.query.centroid.y, -6.5, 1e-5);
  ASSERT_TRUE(plane.query.hasArrow);
  EXPECT_NEAR(plane.query.arrowStart.x, 5, 1e-5);
  EXPECT_NEAR(plane.query.arrowEnd.x, 105, 1e-4);
  EXPECT_NEAR(plane.query.arrowEnd.y, -49, 1e-4);
  EXPECT_NEAR(plane.query.rX, 1, 1e-6);
  EXPECT_NEAR(plane.query.rY, -1, 1e-6);
}

TEST(Plane, CentresOnThePooledMean) {
  const PlaneData plane =
      projectRows(lineRows(5), lineRows(-20), {{1, 0, 0, 0}, {0, 0.6, 0.8, 0}, true}, 100);
  EXPECT_NEAR(plane.query.centroid.x + plane.key.centroid.x, 0, 1e-5);
  EXPECT_NEAR(plane.query.centroid.x, 12.5, 1e-5);
}

TEST(Plane, ShowsAllRowsExceptOutliers) {
  const auto range = [](int rows, float farthest) {
    CapturedRows line;
    line.headDim = 4;
    for (int t = 0; t < rows; ++t) {
      line.position.push_back(t);
      line.example.push_back(0);
      line.bucket.push_back(0);
      const float x = t == 0 ? farthest : static_cast<float>(t);
      for (const float c : {x, 1.F, 0.F, 0.F}) line.vectors.push_back(c);
    }
    return projectRows(line, line, {{1, 0, 0, 0}, {0, 1, 0, 0}, false}, 1000).range;
  };
  const PlaneRange all = range(1000, 2000);  // twice as far as the others
  EXPECT_LT(all.xLow, 1);
  EXPECT_GT(all.xHigh, 2000);
  EXPECT_EQ(all.outside, 0);
  const PlaneRange most = range(1000, 1e6F);
  EXPECT_LT(most.xLow, 1);
  EXPECT_GT(most.xHigh, 999);
  EXPECT_LT(most.xHigh, 1500);
  EXPECT_EQ(most.outside, 2) << "one query and one key";
  EXPECT_LT(most.yLow, 1) << "a single value still has a range";
  EXPECT_GT(most.yHigh, 1);
}

TEST(Plane, LeavesOutRowsThatAreNotFinite) {
  CapturedRows rows = lineRows(5);
  rows.vectors[4] = std::numeric_limits<float>::infinity();
  const PlaneData plane = projectRows(rows, lineRows(0), {{1, 0, 0, 0}, {0, 0.6, 0.8, 0}, false}, 100);
  EXPECT_TRUE(std::isnan(plane.query.x[1]));
  EXPECT_NEAR(plane.query.arrowStart.x, 5, 1e-5);
}

TEST(Plane, OnePositionHasNoArrow) {
  CapturedRows rows = lineRows(5);
  rows.position.assign(4, 3);
  const PlaneData plane = projectRows(rows, lineRows(0), {{1, 0, 0, 0}, {0, 0.6, 0.8, 0}, false}, 100);
  EXPECT_FALSE(plane.query.hasArrow);
  EXPECT_TRUE(std::isnan(plane.query.rX));
}

TEST(Plane, RefusesAxesOfAnotherCapture) {
  EXPECT_THROW(projectRows(lineRows(5), lineRows(0), {{1, 0, 0}, {0, 0.6, 0.8}, false}, 100), InputError);
}

TEST(Plane, ReadsAxesAndTheSharedKeyHead) {
  Study study;
  study.analysis = literalAnalysis();
  study.capture = lineCapture();
  const PlaneData plane = makeAbPlane(study, {0, 1});
  EXPECT_EQ(plane.missing, "");
  EXPECT_EQ(plane.window, 100);
  EXPECT_FLOAT_EQ(plane.key.x[0], -20);
  EXPECT_EQ(
      plane.xAxis.title,
      "<i>a</i>, position axis \u00b7 <i>r</i><sub>Q</sub>\u00a01.00 \u00b7 <i>r</i><sub>K</sub>\u00a01.00"
      "|<i>a</i> \u00b7 <i>r</i><sub>Q</sub>\u00a01.00 \u00b7 <i>r</i><sub>K</sub>\u00a01.00");
  const std::string csv = toCsv(tableOf(plane));
  EXPECT_EQ(csv.substr(0, csv.find('\n', 30)), "kind,row,example,position,x,y\nquery,0,first,0,5,1");
  EXPECT_NE(makePcaPlane(study, {0, 1}).missing, "");  // no pc0 in the table
  EXPECT_THROW(makeAbPlane(study, {1, 1}), UsageError);
}

TEST(Plane, GivesTheReasonOfAMissingPlane) {
  Study study;
  study.analysis = literalAnalysis();
  EXPECT_NE(makeAbPlane(study, {0, 1}).missing, "");
}

}  // namespace plastiscope
