// PCA, rotation and query model of method.md, Worked example, to 1e-9.
#include <gtest/gtest.h>

#include "core/analysis/tables.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

constexpr double kExact = 1e-9;

void expectVector(const Vector& found, const std::vector<double>& expected, const char* name) {
  ASSERT_EQ(found.size(), static_cast<Eigen::Index>(expected.size())) << name;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], kExact) << name << " " << i;
  }
}

void expectRelative(double found, double expected, const char* name) {
  EXPECT_NEAR(found, expected, kExact * std::max(1e-6, std::abs(expected))) << name;
}

class WorkedExample : public ::testing::Test {
 protected:
  const HeadResult centroid = test::analyze(test::workedExample(), test::workedSettings());
  const HeadResult eigenvector = [] {
    AnalysisSettings settings = test::workedSettings();
    settings.bAxis = "eigenvector";
    return test::analyze(test::workedExample(), settings);
  }();
};

TEST_F(WorkedExample, HasThePrincipalComponents) {
  const PcaResult& pca = centroid.pca;
  const std::vector<double> explained = {0.697880212133324, 0.115493943551649, 0.095381609207707,
                                         0.091244235107321};
  const std::vector<double> rQuery = {0.513864110400254, 0.143311998226179, 0.053125497533066,
                                      0.061288908152862};
  const std::vector<double> rKey = {0.472714494226488, 0.530472768915423, 0.028776512007222,
                                    0.057439278185054};
  ASSERT_EQ(pca.explainedVarianceRatio.size(), 4U);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(pca.explainedVarianceRatio[j], explained[j], kExact) << j;
    EXPECT_NEAR(pca.rQuery[j], rQuery[j], kExact) << j;
    EXPECT_NEAR(pca.rKey[j], rKey[j], kExact) << j;
  }
  expectVector(pca.components.col(0),
               {0.811623151887379, -0.514697552398959, 0.231520446559291, -0.150839556151241}, "v_0");
  EXPECT_EQ(pca.taxonomy, "mixed");
  EXPECT_NEAR(pca.fisher, 8.920114886787834, kExact);
  EXPECT_NEAR(pca.linFracQuery, 0.089073714417718, kExact);
  EXPECT_NEAR(pca.linFracKey, 0.148252574088416, kExact);
  AnalysisSettings notes = test::workedSettings();
  notes.taxonomy = "notes";
  EXPECT_EQ(test::analyze(test::workedExample(), notes).pca.taxonomy, "mixed");
}

TEST_F(WorkedExample, HasThePositionAxis) {
  const RotationResult& r = centroid.rotation;
  expectVector(r.a, {0.992687536397648, -0.024620521451168, -0.105310468253845, 0.053618935837976}, "a");
  EXPECT_NEAR(r.muQueryA, 2.677812157302931, kExact);
  EXPECT_NEAR(r.muKeyA, 0.023631624452502, kExact);
  expectRelative(r.alphaQuery, 3.604797230188809e-4, "alpha_Q");
  expectRelative(r.alphaKey, 4.956273856857922e-4, "alpha_K");
  expectRelative(r.biasStrength, 1.327197038881683e-3, "bias_strength");
  EXPECT_NEAR(r.biasWindow, 5.436199071259375, kExact);
  EXPECT_NEAR(r.biasLogit, 5.436199071259375 / 2, kExact);
  EXPECT_NEAR(r.rQueryA, 0.495399759022303, kExact);
  EXPECT_NEAR(r.rKeyA, 0.631746996467922, kExact);
  EXPECT_NEAR(r.positionR, 0.288656780987567, kExact);
  EXPECT_NEAR(r.varFracA, 0.474910267985753, kExact);
  EXPECT_NEAR(r.slopeRatio, 1.374910581752285, kExact);
  EXPECT_NEAR(r.interceptQuery, 1.982446771599510, kExact);
  expectRelative(r.slopeAtStart, 9.825549106691e-4, "slope(0)");
  expectRelative(r.slopeAtEnd, 1.714182445677145e-3, "slope(4095)");
  EXPECT_LT(r.residualPositionR, 1e-9);
}

TEST_F(WorkedExample, HasTheSeparationAxisByCentroid) {
  const RotationResult& r = centroid.rotation;
  expectVector(r.b, {0.051263477177373, -0.799046861670502, 0.509989011955467, -0.314336406492938}, "b");
  EXPECT_NEAR(r.separation, 0.366368159303198, kExact);
  EXPECT_NEAR(r.separationCentroid, 0.366368159303198, kExact);
  EXPECT_NEAR(r.separationEigenvector, 0.366381527681392, kExact);
  EXPECT_NEAR(r.varFracB, 0.337732035810005, kExact);
  EXPECT_NEAR(r.planeVarFraction, 0.812642303795758, kExact);
  EXPECT_NEAR(r.contentVarB, 0.528783996660058, kExact);
  EXPECT_NEAR(r.muQueryB, 1.366389662917828, kExact);
  EXPECT_NEAR(r.muKeyB, -0.876217477621445, kExact);
  EXPECT_NEAR(r.axisBAngle, 0.378397427, kExact);
}

TEST_F(WorkedExample, HasTheSeparationAxisByEigenvector) {
  const RotationResult& r = eigenvector.rotation;
  expectVector(r.b, {0.051424790997505, -0.798478986650713, 0.514022435321971, -0.309140315607302}, "b");
  EXPECT_NEAR(r.separation, 0.366381527681392, kExact);
  EXPECT_NEAR(r.varFracB, 0.337763403810933, kExact);
  EXPECT_NEAR(r.planeVarFraction, 0.812673671796686, kExact);
  EXPECT_NEAR(r.contentVarB, 0.529004726453974, kExact);
  EXPECT_NEAR(r.muQueryB, 1.369920928965569, kExact);
  EXPECT_NEAR(r.muKeyB, -0.872637304383722, kExact);
  EXPECT_LT(r.residualPositionR, 1e-9);
}

TEST_F(WorkedExample, HasTheQueryModel) {
  const QueryModel& model = centroid.model;
  expectRelative(model.betaNorm, 3.947877073664595e-4, "beta_norm");
  EXPECT_NEAR(model.alphaPosition, 2.274359304349227, kExact);
  EXPECT_NEAR(model.sigmaPosition2, 0.507863084217932, kExact);
  EXPECT_NEAR(model.r2Position, 0.075915208139602, kExact);
  const std::vector<double> r2 = {0.252112004545121, 0.041553916029674, 0.009962083301424, 0.000032828682188};
  const std::vector<double> weights = {0.830242090891418, 0.136843186786961, 0.032806612619387,
                                       0.000108109702233};
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(model.r2[j], r2[j], kExact) << j;
    EXPECT_NEAR(model.weights[j], weights[j], kExact) << j;
  }
}

// The basis-free linear share equals the variance-weighted mean of the shares along any orthonormal basis.
TEST_F(WorkedExample, LinearShareIsTheWeightedMeanOfR2) {
  const test::SampleHead head = test::workedExample();
  const Moments moments = momentsOf(head.query);
  double weighted = 0, total = 0;
  for (int j = 0; j < 4; ++j) {
    const Vector x = head.query.vectors * centroid.pca.components.col(j);
    const LineStats stats = lineStats({x.data(), 240}, asDoubles(head.query.position));
    weighted += stats.variance * stats.pearson() * stats.pearson();
    total += stats.variance;
  }
  EXPECT_NEAR(centroid.pca.linFracQuery, weighted / total, 1e-12);
}

// tr C of the differences, which normalises separation_strength, is the mean of |q - k|^2 over all pairs.
TEST_F(WorkedExample, DifferencesHaveTheMeanOverAllPairs) {
  const test::SampleHead head = test::workedExample();
  const Vector& b = centroid.rotation.b;
  double along = 0, all = 0;
  for (Eigen::Index i = 0; i < 240; ++i) {
    for (Eigen::Index j = 0; j < 240; ++j) {
      const Vector difference = (head.query.vectors.row(i) - head.key.vectors.row(j)).transpose();
      along += std::pow(difference.dot(b), 2);
      all += difference.squaredNorm();
    }
  }
  EXPECT_NEAR(centroid.rotation.separation, along / all, 1e-12);
}

TEST_F(WorkedExample, TablesHoldTheSameNumbers) {
  const std::vector<Table> tables = makeTables({centroid});
  const auto table = [&](std::string_view name) -> const Table& {
    for (const Table& candidate : tables) {
      if (candidate.name == name) return candidate;
    }
    throw std::runtime_error("no such table");
  };
  EXPECT_NEAR(table("heads").numbers("bias_window")[0], 5.436199071259375, kExact);
  EXPECT_NEAR(table("heads").numbers("ap_overall")[0], 0.276844748924, 1e-11);
  EXPECT_NEAR(table("components").numbers("r_k")[1], 0.530472768915423, kExact);
  EXPECT_NEAR(table("axes").numbers("value")[4], 0.051263477177373, kExact);
  EXPECT_EQ(table("axes").texts("axis")[4], "b");
  EXPECT_NEAR(table("component_weights").numbers("weight")[1], 0.136843186786961, kExact);
  EXPECT_NEAR(table("diagnostics").numbers("fisher")[0], 8.920114886787834, kExact);
  EXPECT_EQ(table("map").rows(), 128U);
  EXPECT_NEAR(table("map_model").numbers("pp")[0], 0.398108802508, 1e-11);
  EXPECT_NEAR(table("model").numbers("slope_ratio")[0], 1.374910581752285, kExact);
}

}  // namespace
}  // namespace plastiscope
