// Planes, shapes, discriminant and groups, compared with values computed by hand.
#include <gtest/gtest.h>

#include <numbers>

#include "core/analysis/head_groups.h"
#include "core/analysis/moments.h"
#include "core/analysis/pca.h"
#include "core/analysis/planes.h"
#include "core/analysis/statistics.h"
#include "core/analysis/tables.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

const double kNan = kMissing;

// Rows exactly on a circle: the frequency and its sign are found, and the agreement is 1.
TEST(Turning, FindsAFrequencyOfTheGrid) {
  constexpr std::int64_t kWindow = 100;
  ASSERT_EQ(Periodogram::transformLength(kWindow), 512);
  for (const int k : {0, 1, 7, 100, 256, -3, -255}) {
    const double omega = 2 * std::numbers::pi * k / 512;
    std::vector<std::int64_t> positions;
    Vector x(60), y(60);
    for (int i = 0; i < 60; ++i) {
      positions.push_back(i * 37 % kWindow);
      x[i] = 3 * std::cos(omega * static_cast<double>(positions.back()) + 0.4);
      y[i] = 3 * std::sin(omega * static_cast<double>(positions.back()) + 0.4);
    }
    const RotationFrequency turning = Periodogram(positions, kWindow).strongest(x, y);
    EXPECT_NEAR(turning.omega, omega, 1e-12) << k;
    EXPECT_NEAR(turning.r2, 1, 1e-12) << k;
  }
}

TEST(Turning, AcceptsWindowsOfOneAndTwoTokens) {
  EXPECT_NEAR(Periodogram({0, 0}, 1).strongest(Vector::Ones(2), Vector::Zero(2)).r2, 1, 1e-12);
  EXPECT_NEAR(Periodogram({0, 1}, 2).strongest(Vector::Ones(2), Vector::Zero(2)).omega, 0, 1e-12);
}

TEST(Planes, AutoLimitsThePlanesByTheWindow) {
  EXPECT_EQ(wantedPlanes("auto", 4096), 8);
  EXPECT_EQ(wantedPlanes("auto", 32768), 1);
  EXPECT_EQ(wantedPlanes("auto", 131072), 0);
  EXPECT_EQ(wantedPlanes("3", 4096), 3);
  EXPECT_GT(wantedPlanes("all", 131072), 1000000);
}

TEST(Planes, SharesSumToOneAndStopAtTheSetting) {
  const test::SampleHead head = test::randomHead(3, 8, 500, 4, 2048);
  AnalysisSettings settings;
  const auto planes = test::analyze(head, settings).extras.planes;
  ASSERT_EQ(planes.size(), 3U);
  EXPECT_NEAR(planes[0].varianceShare + planes[1].varianceShare + planes[2].varianceShare, 1, 1e-12);
  EXPECT_GE(planes[0].varianceShare, planes[1].varianceShare);
  settings.planes = "1";
  EXPECT_EQ(test::analyze(head, settings).extras.planes.size(), 1U);
  settings.planes = "0";
  EXPECT_TRUE(test::analyze(head, settings).extras.planes.empty());
}

// scipy.stats.skew and kurtosis with bias=False of 1, 2, 3, 4, 10.
TEST(Shape, EqualsSciPy) {
  const std::vector<double> values = {1, 2, 3, 4, 10};
  const HigherMoments moments = higherMomentsOf(values);
  EXPECT_NEAR(moments.skewness, 1.6970562748477140, 1e-12);
  EXPECT_NEAR(moments.excessKurtosis, 3.152, 1e-12);
}

TEST(Shape, IsMissingForFewOrConstantValues) {
  EXPECT_TRUE(std::isnan(higherMomentsOf(std::vector<double>{1, 2}).skewness));
  EXPECT_FALSE(std::isnan(higherMomentsOf(std::vector<double>{1, 2, 4}).skewness));
  EXPECT_TRUE(std::isnan(higherMomentsOf(std::vector<double>{1, 2, 4}).excessKurtosis));
  EXPECT_TRUE(std::isnan(higherMomentsOf(std::vector<double>{5, 5, 5, 5}).skewness));
  EXPECT_EQ(medianOfPresent(std::vector<double>{3, kNan, 1, 2, 10}), 2.5);
  EXPECT_TRUE(std::isnan(medianOfPresent(std::vector<double>{kNan})));
}

double accuracyOf(const Matrix& query, const Matrix& key) {
  const auto asRows = [](const Matrix& vectors) {
    const auto n = static_cast<std::size_t>(vectors.rows());
    return VectorRows{vectors, std::vector<std::int64_t>(n), std::vector<std::int64_t>(n)};
  };
  const VectorRows queries = asRows(query), keys = asRows(key);
  return discriminantAccuracy({queries, momentsOf(queries)}, {keys, momentsOf(keys)},
                              Matrix::Identity(query.cols(), query.cols()));
}

TEST(Discriminant, CountsTheRightSide) {
  Matrix query(4, 2), key(4, 2);
  query << 1, 0, 2, 1, 3, -1, -1, 0;
  key << -1, 0, -2, 1, -3, -1, 1, 0;
  EXPECT_NEAR(accuracyOf(query, key), 6.0 / 8, 1e-15);
  EXPECT_TRUE(std::isnan(accuracyOf(query, query)));
  const Matrix one = Matrix::Constant(3, 1, 1), other = Matrix::Constant(3, 1, 2);
  EXPECT_EQ(accuracyOf(one, other), 1);  // no spread
}

// A textbook one-way layout: groups (1, 2, 3), (4, 5, 6): MSW = 1, MSB = 13.5, n0 = 3.
TEST(GroupVariance, IsTheOneWayAnalysis) {
  const std::vector<KeyGroup> groups = {
      {0, 0, {"a", 0, {0, 1, 2}}}, {0, 1, {"b", 1, {3, 4, 5}}}, {0, 2, {"lone", 2, {6}}}};
  const GroupVariance found = groupVariance({1, 2, 3, 4, 5, 6, 100}, groups);
  EXPECT_EQ(found.groups, 2);
  EXPECT_EQ(found.heads, 6);
  EXPECT_NEAR(found.within, 1, 1e-15);
  EXPECT_NEAR(found.between, 12.5 / 3, 1e-15);
  EXPECT_NEAR(found.intraclass, 12.5 / 15.5, 1e-15);
  EXPECT_TRUE(std::isnan(groupVariance({1, 2, kNan, kNan, kNan, kNan, 3}, groups).intraclass));
}

TEST(Depth, LayersHaveDeciles) {
  EXPECT_EQ(depthDecile(0, 1), 0);
  EXPECT_EQ(depthDecile(35, 36), 9);
  EXPECT_EQ(depthDecile(3, 36), 0);
  EXPECT_EQ(depthDecile(4, 36), 1);
}

TEST(RopePair, IsTheNearestOfTheLayer) {
  test::SampleHead sample = test::randomHead(1, 6, 300, 3, 512);
  TableContext context;
  context.rope[0] = {{1.0, 0.1, 0.01}, true};
  const std::vector<Table> tables = makeTables({test::analyze(sample, {})}, context);
  for (const Table& table : tables) {
    if (table.name == "planes") {
      const double omega = std::abs(table.numbers("omega")[0]);
      const double pair = table.numbers("rope_pair")[0];
      EXPECT_EQ(pair, omega > 0.55 ? 0 : omega > 0.055 ? 1 : 2);
    }
    if (table.name == "component_weights_pairs") {
      EXPECT_EQ(table.rows(), 3U);
      const auto weights = test::analyze(sample, {}).model.weights;
      EXPECT_NEAR(table.numbers("weight")[0], weights[0] + weights[1], 1e-15);  // interleaved
      EXPECT_EQ(table.numbers("rope_frequency")[2], 0.01);
    }
  }
}

TEST(RopePair, LiesInTheRotatedPart) {
  test::SampleHead sample = test::randomHead(1, 6, 300, 3, 512);
  TableContext context;
  context.rope[0] = {{1.0, 0.1}, false, 2};
  for (const Table& table : makeTables({test::analyze(sample, {})}, context)) {
    if (table.name != "component_weights_pairs") continue;
    const auto weights = test::analyze(sample, {}).model.weights;
    ASSERT_EQ(table.rows(), 2U);
    EXPECT_NEAR(table.numbers("weight")[0], weights[2] + weights[4], 1e-15);
    EXPECT_NEAR(table.numbers("weight")[1], weights[3] + weights[5], 1e-15);
  }
}

// Degenerate heads give missing values, never a number that is not finite.
TEST(Extras, DegenerateHeadsAreMissing) {
  for (const int kind : {0, 1, 2, 3}) {
    test::SampleHead head = test::randomHead(5, kind == 0 ? 1 : 4, kind == 3 ? 1 : 60, 2, 200);
    if (kind == 1) head.query.vectors.setConstant(0.5);
    if (kind == 2) head.query.vectors.setZero(), head.key.vectors.setZero();
    AnalysisSettings settings = test::workedSettings();
    settings.projections = "on";
    const std::vector<Table> tables = makeTables({test::analyze(head, settings)});
    for (const Table& table : tables) {
      for (const Column& column : table.columns) {
        const auto* numbers = std::get_if<std::vector<double>>(&column.values);
        if (numbers == nullptr) continue;
        for (const double value : *numbers)
          EXPECT_FALSE(std::isinf(value)) << table.name << "." << column.name;
      }
    }
  }
}

}  // namespace
}  // namespace plastiscope
