// The cases of method.md, Degenerate cases: missing, never infinite, never 0.
#include <gtest/gtest.h>

#include <limits>

#include "core/base/error.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

AnalysisSettings lowThresholds() {
  AnalysisSettings settings;
  settings.pairs = 0;
  settings.minQueries = 2;
  settings.minPairs = 1;
  return settings;
}

test::SampleHead randomSmall() {
  return test::randomHead(9, 4, 200, 2, 400);
}

VectorRows firstRows(const VectorRows& rows, std::int64_t count) {
  VectorRows part;
  part.vectors = rows.vectors.topRows(count);
  part.position.assign(rows.position.begin(), rows.position.begin() + count);
  part.example.assign(rows.example.begin(), rows.example.begin() + count);
  return part;
}

bool allMissing(const RotationResult& r) {
  for (const double value : {r.muQueryA,
                             r.muKeyA,
                             r.muQueryB,
                             r.muKeyB,
                             r.alphaQuery,
                             r.alphaKey,
                             r.biasStrength,
                             r.biasWindow,
                             r.biasLogit,
                             r.rQueryA,
                             r.rKeyA,
                             r.positionR,
                             r.slopeRatio,
                             r.separation,
                             r.separationCentroid,
                             r.separationEigenvector,
                             r.varFracA,
                             r.varFracB,
                             r.planeVarFraction,
                             r.residualPositionR,
                             r.contentVarB,
                             r.axisBAngle}) {
    if (!std::isnan(value)) return false;
  }
  return r.a.size() == 0 && r.b.size() == 0;
}

TEST(Degenerate, FewerThanTwoRowsGiveMissingValues) {
  for (const std::int64_t count : {0, 1}) {
    test::SampleHead head = randomSmall();
    head.key = firstRows(head.key, count);
    const HeadResult fewKeys = test::analyze(head, lowThresholds());
    EXPECT_TRUE(fewKeys.pca.rQuery.empty());
    EXPECT_EQ(fewKeys.pca.taxonomy, "undefined");
    EXPECT_TRUE(allMissing(fewKeys.rotation));
    EXPECT_TRUE(fewKeys.model.present);  // the query model needs no keys
    EXPECT_TRUE(std::isnan(fewKeys.summary.overall));

    head = randomSmall();
    head.query = firstRows(head.query, count);
    const HeadResult fewQueries = test::analyze(head, lowThresholds());
    EXPECT_TRUE(allMissing(fewQueries.rotation));
    EXPECT_FALSE(fewQueries.model.present);
  }
}

TEST(Degenerate, ThreeQueriesAreNeededForPlasticity) {
  test::SampleHead head = randomSmall();
  head.query = firstRows(head.query, 2);
  EXPECT_FALSE(test::analyze(head, lowThresholds()).model.present);
  head = randomSmall();
  head.query = firstRows(head.query, 3);
  EXPECT_TRUE(test::analyze(head, lowThresholds()).model.present);
}

TEST(Degenerate, EqualRowsGiveMissingValues) {
  test::SampleHead head = randomSmall();
  head.query.vectors.setConstant(0.1);
  head.key.vectors.setConstant(0.1);
  const HeadResult result = test::analyze(head, lowThresholds());
  EXPECT_TRUE(result.pca.rQuery.empty());
  EXPECT_TRUE(std::isnan(result.pca.linFracQuery));
  EXPECT_TRUE(allMissing(result.rotation));
  EXPECT_TRUE(std::isnan(result.summary.overall));
  for (const BinResult& bin : result.plasticity.bins) EXPECT_EQ(bin.pairsUsed, 0);
}

TEST(Degenerate, ZeroVectorsGiveMissingValues) {
  test::SampleHead head = randomSmall();
  head.query.vectors.setZero();
  head.key.vectors.setZero();
  const HeadResult result = test::analyze(head, lowThresholds());
  EXPECT_TRUE(result.pca.rQuery.empty());
  EXPECT_TRUE(allMissing(result.rotation));
  EXPECT_TRUE(std::isnan(result.model.weights[0]));
  EXPECT_TRUE(std::isnan(result.summary.overall));
}

TEST(Degenerate, ComponentsOfRoundingNoiseHaveNoCorrelation) {
  test::SampleHead head = randomSmall();
  for (VectorRows* kind : {&head.query, &head.key}) {
    kind->vectors.col(3) = kind->vectors.col(0) + kind->vectors.col(1);  // rank 3
  }
  const PcaResult pca = test::analyze(head, {}).pca;
  EXPECT_TRUE(std::isnan(pca.rQuery[3]));
  EXPECT_TRUE(std::isnan(pca.rKey[3]));
  EXPECT_FALSE(std::isnan(pca.rQuery[2]));
}

TEST(Degenerate, ConstantPositionsGiveMissingValues) {
  test::SampleHead head = randomSmall();
  std::fill(head.query.position.begin(), head.query.position.end(), 3);
  const HeadResult queries = test::analyze(head, lowThresholds());
  EXPECT_TRUE(std::isnan(queries.pca.rQuery[0]));
  EXPECT_FALSE(std::isnan(queries.pca.rKey[0]));
  EXPECT_EQ(queries.pca.taxonomy, "undefined");
  EXPECT_TRUE(std::isnan(queries.pca.linFracQuery));
  EXPECT_TRUE(std::isnan(queries.rotation.alphaQuery));
  EXPECT_TRUE(std::isnan(queries.rotation.slopeRatio));
  EXPECT_FALSE(std::isnan(queries.rotation.biasStrength));
  EXPECT_FALSE(queries.model.present);
  ASSERT_EQ(queries.plasticity.bins.size(), 16U);  // the profile keeps its rows
  EXPECT_EQ(queries.plasticity.bins[0].queries, 200);
  EXPECT_GT(queries.plasticity.bins[9].pairs, 0);
  EXPECT_TRUE(std::isnan(queries.plasticity.bins[9].ap));

  std::fill(head.key.position.begin(), head.key.position.end(), 3);
  EXPECT_TRUE(allMissing(test::analyze(head, lowThresholds()).rotation));  // no position axis at all
}

TEST(Degenerate, NoPositionAxisWithoutCovariance) {
  // Two mirrored halves: every vector occurs at t and at L - 1 - t.
  test::SampleHead head = randomSmall();
  for (VectorRows* kind : {&head.query, &head.key}) {
    for (std::int64_t i = 0; i + 1 < kind->rows(); i += 2) {
      const auto row = static_cast<std::size_t>(i);
      kind->vectors.row(i + 1) = kind->vectors.row(i);
      kind->position[row + 1] = 399 - kind->position[row];
    }
  }
  EXPECT_TRUE(allMissing(test::analyze(head, lowThresholds()).rotation));
}

TEST(Degenerate, EqualCentroidsHaveNoSeparationByCentroid) {
  test::SampleHead head = randomSmall();
  head.key = head.query;
  const RotationResult r = test::analyze(head, lowThresholds()).rotation;
  EXPECT_EQ(r.b.size(), 0);
  EXPECT_TRUE(std::isnan(r.separation));
  EXPECT_TRUE(std::isnan(r.separationCentroid));
  EXPECT_FALSE(std::isnan(r.separationEigenvector));
  EXPECT_TRUE(std::isnan(r.planeVarFraction));
  EXPECT_FALSE(std::isnan(r.varFracA));
  EXPECT_TRUE(std::isnan(r.axisBAngle));
  AnalysisSettings eigenvector = lowThresholds();
  eigenvector.bAxis = "eigenvector";
  const RotationResult e = test::analyze(head, eigenvector).rotation;
  EXPECT_EQ(e.b.size(), 4);
  Eigen::Index largest = 0;
  e.b.cwiseAbs().maxCoeff(&largest);
  EXPECT_GT(e.b[largest], 0);
}

TEST(Degenerate, OneDimensionHasNoSeparation) {
  test::SampleHead head = test::randomHead(9, 1, 200, 2, 400);
  const HeadResult result = test::analyze(head, lowThresholds());
  EXPECT_EQ(std::abs(result.rotation.a[0]), 1);
  EXPECT_TRUE(std::isnan(result.rotation.separationCentroid));
  EXPECT_TRUE(std::isnan(result.rotation.separationEigenvector));
  EXPECT_FALSE(std::isnan(result.summary.overall));
}

TEST(Degenerate, TwoDimensionsHaveNoComplement) {
  const RotationResult r = test::analyze(test::randomHead(9, 2, 200, 2, 400), lowThresholds()).rotation;
  EXPECT_TRUE(std::isnan(r.residualPositionR));
  EXPECT_NEAR(r.planeVarFraction, 1, 1e-12);
}

TEST(Degenerate, QueriesWithoutDriftNeedNoReflection) {
  // Every vector once at t and once mirrored: beta is 0 exactly or up to rounding.
  test::SampleHead head = randomSmall();
  for (std::int64_t i = 0; i + 1 < head.query.rows(); i += 2) {
    const auto row = static_cast<std::size_t>(i);
    head.query.vectors.row(i + 1) = head.query.vectors.row(i);
    head.query.position[row + 1] = 399 - head.query.position[row];
  }
  const QueryModel model = test::analyze(head, lowThresholds()).model;
  EXPECT_EQ(model.reflector.size(), 0);
  EXPECT_EQ(model.betaPosition, 0);
  const Vector first = head.query.vectors.col(0);
  EXPECT_NEAR(model.alphaPosition, first.mean(), 1e-14);
  EXPECT_NEAR(model.sigmaPosition2, (first.array() - first.mean()).square().sum() / 198, 1e-13);
}

TEST(Degenerate, BinsBelowTheThresholdsAreMissing) {
  AnalysisSettings settings = lowThresholds();
  settings.bins = "16";
  const test::SampleHead head = test::workedExample();
  settings.minQueries = 17;
  const Plasticity queries = test::plasticityWith(head, settings);
  EXPECT_TRUE(std::isnan(queries.bins[2].ap));  // 16 queries
  EXPECT_EQ(queries.bins[2].pairsUsed, 65);     // pairs that would have been selected
  EXPECT_FALSE(std::isnan(queries.bins[8].ap));
  settings.minQueries = 2;
  settings.minPairs = 66;
  const Plasticity pairs = test::plasticityWith(head, settings);
  EXPECT_TRUE(std::isnan(pairs.bins[2].ap));
  EXPECT_FALSE(std::isnan(pairs.bins[3].ap));
}

class EqualKeys : public ::testing::TestWithParam<const char*> {};

TEST_P(EqualKeys, AreDroppedAndCounted) {
  test::SampleHead head = test::workedExample();
  for (Eigen::Index i = 0; i < 6; ++i) head.key.vectors.row(i) = head.key.vectors.row(0);  // example 0
  AnalysisSettings settings = test::workedSettings();
  settings.variance = GetParam();
  const BinResult bin = test::plasticityWith(head, settings).bins[8];
  EXPECT_EQ(bin.pairs, 1220);
  EXPECT_EQ(bin.pairsDropped, 15);
  EXPECT_EQ(bin.pairsUsed, 1205);
}

INSTANTIATE_TEST_SUITE_P(Variances, EqualKeys, ::testing::Values("thesis", "full", "empirical"));

TEST(Degenerate, AllPairsDroppedLeavesTheBinMissing) {
  test::SampleHead head = test::workedExample();
  head.key.vectors.rowwise() = head.key.vectors.row(3).eval();
  const Plasticity plasticity = test::plasticityWith(head, test::workedSettings());
  EXPECT_TRUE(std::isnan(plasticity.bins[8].ap));
  EXPECT_EQ(plasticity.bins[8].pairsUsed, 0);
  EXPECT_EQ(plasticity.bins[8].pairsDropped, 1220);
  EXPECT_TRUE(plasticity.cells.empty());
}

// Constant queries: every pair has variance 0 in full mode.
TEST(Degenerate, PairsWithoutVarianceAreDropped) {
  test::SampleHead head = test::workedExample();
  head.query.vectors.rowwise() = head.query.vectors.row(3).eval();
  AnalysisSettings settings = test::workedSettings();
  for (const char* variance : {"thesis", "full"}) {
    settings.variance = variance;
    const Plasticity plasticity = test::plasticityWith(head, settings);
    EXPECT_TRUE(std::isnan(plasticity.bins[8].ap)) << variance;
    EXPECT_EQ(plasticity.bins[8].pairsDropped, 1220) << variance;
  }
  settings.variance = "empirical";  // all queries agree: p is 0 or 1
  EXPECT_EQ(test::plasticityWith(head, settings).bins[8].ap, 0);
}

TEST(Degenerate, UnderflowIsATrueZero) {
  test::SampleHead head = test::workedExample();
  head.query.vectors.array() += 1e6;
  const Plasticity plasticity = test::plasticityWith(head, test::workedSettings());
  EXPECT_LT(plasticity.bins[8].ap, 1e-3);
  EXPECT_GT(plasticity.bins[8].pairsUsed, 1200);
}

TEST(Degenerate, RowsThatAreNotFiniteAreLeftOutAndNamed) {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> vectors = {1, 2, nan, 0, 3, 4, 5, -infinite};
  const std::vector<std::int32_t> position = {10, 11, 12, 13}, example = {0, 0, 1, 1};
  std::vector<DroppedRow> dropped;
  const VectorRows rows = finiteRows({2, vectors, position, example}, dropped);
  ASSERT_EQ(rows.rows(), 2);
  EXPECT_EQ(rows.position, (std::vector<std::int64_t>{10, 12}));
  EXPECT_EQ(rows.vectors(1, 0), 3);
  ASSERT_EQ(dropped.size(), 2U);
  EXPECT_EQ(dropped[0].position, 11);
  EXPECT_EQ(dropped[1].example, 1);
}

TEST(Degenerate, QueriesOutsideTheWindowAreRefused) {
  test::SampleHead head = randomSmall();
  head.query.position[5] = 400;
  EXPECT_THROW((void)test::analyze(head, lowThresholds()), InputError);
}

TEST(Degenerate, NoRowsGiveMissingValues) {
  test::SampleHead head = randomSmall();
  head.query = firstRows(head.query, 0);
  head.key = firstRows(head.key, 0);
  const HeadResult result = test::analyze(head, lowThresholds());
  EXPECT_EQ(result.queryRows, 0);
  EXPECT_EQ(result.plasticity.bins.size(), 16U);
  EXPECT_TRUE(std::isnan(result.summary.drop));
}

}  // namespace
}  // namespace plastiscope
