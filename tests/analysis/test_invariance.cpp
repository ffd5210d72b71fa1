// Transformations that must not change a result, and others that may (method.md, Pair plasticity).
#include <gtest/gtest.h>
#include <Eigen/QR>

#include <numeric>

#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

Matrix randomRotation(Eigen::Index dim) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd random(dim, dim);
  for (Eigen::Index i = 0; i < random.size(); ++i) random.data()[i] = normal(generator);
  return Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ() * Eigen::MatrixXd::Identity(dim, dim);
}

AnalysisSettings withVariance(const std::string& variance) {
  AnalysisSettings settings;
  settings.variance = variance;
  settings.pairs = 0;
  settings.minQueries = 5;
  return settings;
}

double largestChange(const Plasticity& a, const Plasticity& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.bins.size(); ++i) {
    EXPECT_EQ(std::isnan(a.bins[i].ap), std::isnan(b.bins[i].ap)) << i;
    if (!std::isnan(a.bins[i].ap)) largest = std::max(largest, std::abs(a.bins[i].ap - b.bins[i].ap));
  }
  return largest;
}

class Invariance : public ::testing::TestWithParam<const char*> {
 protected:
  test::SampleHead head = test::randomHead(3, 6, 400, 5, 2000);
  Plasticity plain = test::plasticityWith(head, withVariance(GetParam()));
  bool dependsOnBasis = GetParam() == std::string("thesis");
};

TEST_P(Invariance, CommonRotationChangesNothing) {
  test::SampleHead turned = head;
  const Matrix rotation = randomRotation(6);
  turned.query.vectors = head.query.vectors * rotation;
  turned.key.vectors = head.key.vectors * rotation;
  const double change = largestChange(plain, test::plasticityWith(turned, withVariance(GetParam())));
  if (dependsOnBasis) {
    EXPECT_GT(change, 1e-4);
  } else {
    EXPECT_LT(change, 1e-10);
  }
}

TEST_P(Invariance, PositiveScalesOfQueriesAndKeysChangeNothing) {
  test::SampleHead scaled = head;
  scaled.query.vectors *= 7.5;
  scaled.key.vectors *= 0.01;
  EXPECT_LT(largestChange(plain, test::plasticityWith(scaled, withVariance(GetParam()))), 1e-11);
}

TEST_P(Invariance, SwappedPairsChangeNothing) {
  BinQueries queries{head.query.vectors, {0.3, Vector::Constant(6, 0.5), Vector::Constant(6, 2.0)}, 1.5, 4};
  const KeyOrder order = orderKeys(head.key);
  const HouseholderKeys keys =
      householderKeys(head.key.vectors, order.row, queryModelOf(head.query, momentsOf(head.query)));
  UsedKeys used{std::vector<std::int32_t>(50), 100};
  std::iota(used.rows.begin(), used.rows.end(), 0);
  const auto model = makePairModel(GetParam(), queries, keys, used);
  for (std::int32_t i = 0; i < 50; ++i) {
    const KeyPair pairs[] = {{i, (i + 7) % 50}, {(i + 7) % 50, i}};
    double pp[2];
    model->evaluate(pairs, pp);
    EXPECT_NEAR(pp[0], pp[1], 1e-15) << i;
  }
}

TEST_P(Invariance, OrderOfRowsAcrossExamplesChangesNothing) {
  test::SampleHead shuffled = head;
  const Eigen::Index last = head.key.rows() - 1;
  shuffled.key.vectors = head.key.vectors.colwise().reverse();
  for (Eigen::Index i = 0; i <= last; ++i) {
    shuffled.key.position[i] = head.key.position[last - i];
    shuffled.key.example[i] = head.key.example[last - i];
  }
  EXPECT_LT(largestChange(plain, test::plasticityWith(shuffled, withVariance(GetParam()))), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Variances, Invariance, ::testing::Values("thesis", "full", "empirical"),
                         [](const auto& variance) { return std::string(variance.param); });

// Lemma of method.md, Planar rotation: any direction perpendicular to a is uncorrelated with position on the
// pool.
TEST(Rotation, OtherDirectionsAreUncorrelatedWithPosition) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    for (const char* weights : {"rows", "equal"}) {
      AnalysisSettings settings;
      settings.poolWeights = weights;
      test::SampleHead head = test::randomHead(seed, 32, 300, 4, 4096);
      head.query.vectors.col(5) *= 1e4;  // a spectrum over many orders of magnitude
      head.key.vectors.col(5) *= 1e4;
      head.query.vectors.col(7) *= 1e-2;
      head.key.vectors.col(7) *= 1e-2;
      const RotationResult r = test::analyze(head, settings).rotation;
      EXPECT_NEAR(r.a.norm(), 1, 1e-14);
      EXPECT_NEAR(r.b.norm(), 1, 1e-14);
      EXPECT_LT(std::abs(r.a.dot(r.b)), 1e-14);
      EXPECT_GT(r.muQueryB, r.muKeyB);
      EXPECT_LT(r.residualPositionR, 1e-9) << seed << " " << weights;
    }
  }
}

TEST(Rotation, BiasDoesNotDependOnB) {
  AnalysisSettings eigenvector;
  eigenvector.bAxis = "eigenvector";
  const test::SampleHead head = test::randomHead(2, 8, 300, 4, 4096);
  const RotationResult one = test::analyze(head, {}).rotation,
                       other = test::analyze(head, eigenvector).rotation;
  EXPECT_EQ(one.biasStrength, other.biasStrength);
  EXPECT_EQ(one.separationEigenvector, other.separation);
  EXPECT_GE(other.separation, one.separation);  // the eigenvector is the best direction beside a
}

// Keys whose scores grow with position: recency is positive.
TEST(Rotation, RecencyIsPositive) {
  test::SampleHead head = test::randomHead(2, 3, 300, 4, 1000);
  for (Eigen::Index i = 0; i < 300; ++i) {
    const auto row = static_cast<std::size_t>(i);
    head.query.vectors.row(i) << 1 + 1e-3 * static_cast<double>(head.query.position[row]), 0.1 * (i % 7),
        0.3 * (i % 5);
    head.key.vectors.row(i) << 1e-2 * static_cast<double>(head.key.position[row]), 0.2 * (i % 3),
        0.1 * (i % 11);
  }
  EXPECT_GT(test::analyze(head, {}).rotation.biasWindow, 0);
  head.query.vectors.col(0).array() -= 10;  // now queries point away from the direction of drift
  EXPECT_LT(test::analyze(head, {}).rotation.biasWindow, 0);
}

}  // namespace
}  // namespace plastiscope
