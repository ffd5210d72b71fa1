#include "core/analysis/pca.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

TEST(Pca, SharesOfAllComponentsSumToOne) {
  const HeadResult result = test::analyze(test::randomHead(1, 12, 300, 4, 1000), [] {
    AnalysisSettings settings;
    settings.components = 12;
    return settings;
  }());
  const auto& shares = result.pca.explainedVarianceRatio;
  ASSERT_EQ(shares.size(), 12U);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
  EXPECT_TRUE(std::is_sorted(shares.rbegin(), shares.rend()));
  const Matrix gram = result.pca.components.transpose() * result.pca.components;
  EXPECT_LT((gram - Matrix::Identity(12, 12)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Pca, KeepsTheNumberOfComponentsAskedFor) {
  AnalysisSettings settings;
  settings.components = 3;
  EXPECT_EQ(test::analyze(test::randomHead(1, 12, 300, 4, 1000), settings).pca.rQuery.size(), 3U);
  settings.components = 50;
  EXPECT_EQ(test::analyze(test::randomHead(1, 12, 300, 4, 1000), settings).pca.rQuery.size(), 12U);
}

struct ClassCase {
  double q, k;
  const char *thesis, *notes;
};

// Strict comparisons at 0.3 and 0.7; only sizes count.
TEST(Pca, TaxonomyComparesSizesStrictly) {
  const ClassCase cases[] = {
      {0.8, -0.9, "position_dominated", "position_dominated"},
      {-0.8, 0.7, "q_positional", "mixed"},
      {0.8, 0.2, "q_positional", "q_positional"},
      {0.8, 0.3, "q_positional", "mixed"},
      {0.2, 0.9, "mixed", "k_positional"},
      {0.3, 0.9, "mixed", "mixed"},
      {0.29, -0.29, "content_focused", "content_focused"},
      {0.3, 0.1, "mixed", "mixed"},
      {0.7, 0.7, "mixed", "mixed"},
      {kMissing, 0.9, "undefined", "undefined"},
      {0.9, kMissing, "undefined", "undefined"},
  };
  AnalysisSettings notes;
  notes.taxonomy = "notes";
  for (const ClassCase& one : cases) {
    EXPECT_EQ(taxonomyClass(one.q, one.k, {}), one.thesis) << one.q << " " << one.k;
    EXPECT_EQ(taxonomyClass(one.q, one.k, notes), one.notes) << one.q << " " << one.k;
  }
  AnalysisSettings wide;
  wide.taxonomyLow = 0.5;
  wide.taxonomyHigh = 0.6;
  EXPECT_EQ(taxonomyClass(0.65, 0.65, wide), "position_dominated");
  EXPECT_EQ(taxonomyClass(0.45, 0.45, wide), "content_focused");
}

TEST(Pca, SignsFollowTheRule) {
  const Vector v{{0.6, -0.8}};
  EXPECT_EQ(componentSign(v, 0.5, -0.6, "dominant"), -1);
  EXPECT_EQ(componentSign(v, -0.6, 0.5, "dominant"), -1);
  EXPECT_EQ(componentSign(v, 0.5, -0.5, "dominant"), 1);  // a tie goes to r_q
  EXPECT_EQ(componentSign(v, 0.5, -0.6, "query"), 1);
  EXPECT_EQ(componentSign(v, 0.04, -0.6, "query"), -1);
  EXPECT_EQ(componentSign(v, -0.05, 0.6, "query"), -1);
  EXPECT_EQ(componentSign(v, kMissing, -0.6, "query"), -1);
  EXPECT_EQ(componentSign(v, 0.04, kMissing, "query"), 1);
  EXPECT_EQ(componentSign(v, kMissing, -0.1, "dominant"), -1);
  EXPECT_EQ(componentSign(v, kMissing, kMissing, "dominant"), -1);  // -0.8 is the largest coordinate
  EXPECT_EQ(componentSign(v, 0, 0, "dominant"), -1);
  EXPECT_EQ(largestCoordinateSign(Vector{{0.5, -0.5}}), 1);  // lowest index on ties
}

TEST(Pca, RulesDifferInSignsOnly) {
  AnalysisSettings query;
  query.pcaSign = "query";
  for (unsigned seed = 0; seed < 5; ++seed) {
    const test::SampleHead head = test::randomHead(seed, 6, 200, 4, 1000);
    const PcaResult dominant = test::analyze(head, {}).pca, byQuery = test::analyze(head, query).pca;
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(std::abs(dominant.rQuery[j]), std::abs(byQuery.rQuery[j]));
      EXPECT_GE(std::max(dominant.rQuery[j], dominant.rKey[j]), 0);
      if (std::abs(byQuery.rQuery[j]) >= 0.05) {
        EXPECT_GE(byQuery.rQuery[j], 0);
      }
    }
  }
}

}  // namespace
}  // namespace plastiscope
