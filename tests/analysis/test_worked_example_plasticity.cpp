// Profile, head values and map of method.md, Worked example.
#include <gtest/gtest.h>

#include <numeric>

#include "core/analysis/ap_summary.h"
#include "core/base/register_width.h"
#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

constexpr double kPrinted = 1e-11;  // twelve decimals are given

struct Mode {
  const char* name;
  const char* variance;
  DriftChange change;
  std::vector<double> profile;  // bins 1 to 15
  double overall, first20, last20, drop;
};

const std::vector<Mode>& modes() {
  static const std::vector<Mode> list = {
      {"thesis",
       "thesis",
       DriftChange::None,
       {0.413259285393, 0.286009437122, 0.387326706028, 0.280879122378, 0.302988913629, 0.324823535201,
        0.274384744190, 0.240887204151, 0.280599327662, 0.254353281533, 0.206969919723, 0.243797972048,
        0.219668809387, 0.199171080534, 0.056503536646},
       0.276844748924,
       0.349634361257,
       0.158447808856,
       0.191186552401},
      {"full",
       "full",
       DriftChange::None,
       {0.429654361193, 0.269714450987, 0.367654329476, 0.282301795182, 0.317963216948, 0.310455945166,
        0.258260724388, 0.233263978636, 0.278408619630, 0.251163916905, 0.176203725338, 0.259327096937,
        0.213337387286, 0.194326151506, 0.016354725958},
       0.271022123902,
       0.349684406090,
       0.141339421584,
       0.208344984506},
      {"empirical",
       "empirical",
       DriftChange::None,
       {0.376719576720, 0.302307692308, 0.396130952381, 0.269425287356, 0.337642450142, 0.339876543210,
        0.266002697375, 0.236909353905, 0.302854633289, 0.273533704391, 0.178869696027, 0.273835125448,
        0.229613846801, 0.201860670194, 0.012802275960},
       0.281245531558,
       0.339513634514,
       0.148092264319,
       0.191421370195},
      {"no_position",
       "thesis",
       DriftChange::NoPosition,
       {0.336552416583, 0.235621922652, 0.345854768881, 0.249821383863, 0.282635048965, 0.316191668223,
        0.274068926195, 0.248731936692, 0.296705829767, 0.277639931597, 0.235995265166, 0.283461296190,
        0.259742026490, 0.247321235764, 0.091563251729},
       0.275537774966,
       0.286087169617,
       0.199542171328,
       0.086544998290},
      {"content_frozen",
       "thesis",
       DriftChange::ContentFrozen,
       {0.441437903474, 0.279468935368, 0.379852217408, 0.313911109150, 0.302914853318, 0.315375219819,
        0.271267105791, 0.275781411968, 0.268471998305, 0.242996680110, 0.241957844913, 0.230896790185,
        0.219855734465, 0.215873238718, 0.206478325618},
       0.284648439991,
       0.360453419421,
       0.214069099600,
       0.146384319821},
  };
  return list;
}

class WorkedPlasticity : public ::testing::TestWithParam<Mode> {
 protected:
  AnalysisSettings settings = [] {
    AnalysisSettings made = test::workedSettings();
    made.variance = GetParam().variance;
    return made;
  }();
  Plasticity plasticity = test::plasticityWith(test::workedExample(), settings, GetParam().change);
};

TEST_P(WorkedPlasticity, HasTheProfile) {
  const std::vector<std::int64_t> queries = {17, 15, 16, 16, 16, 16, 16, 15, 17, 15, 15, 17, 15, 16, 16, 2};
  const std::vector<std::int64_t> pairs = {0,    18,   65,   168,  290,  468,  675,  918,
                                           1220, 1518, 1925, 2268, 2790, 3168, 3780, 4218};
  ASSERT_EQ(plasticity.bins.size(), 16U);
  EXPECT_TRUE(std::isnan(plasticity.bins[0].ap));
  for (std::size_t b = 0; b < 16; ++b) {
    EXPECT_EQ(plasticity.bins[b].queries, queries[b]) << b;
    EXPECT_EQ(plasticity.bins[b].pairs, pairs[b]) << b;
    EXPECT_EQ(plasticity.bins[b].pairsUsed, pairs[b]) << b;
    EXPECT_EQ(plasticity.bins[b].pairsDropped, 0) << b;
    EXPECT_EQ(plasticity.bins[b].start, 256.0 * static_cast<double>(b));
    EXPECT_EQ(plasticity.bins[b].tau.value(), 256.0 * static_cast<double>(b) + 128);
    if (b > 0) {
      EXPECT_NEAR(plasticity.bins[b].ap, GetParam().profile[b - 1], kPrinted) << b;
    }
  }
}

TEST_P(WorkedPlasticity, HasTheHeadValues) {
  const ApSummary summary = summarise(plasticity.bins, 4096, settings);
  EXPECT_NEAR(summary.overall, GetParam().overall, kPrinted);
  EXPECT_NEAR(summary.first20.ap, GetParam().first20, kPrinted);
  EXPECT_NEAR(summary.last20.ap, GetParam().last20, kPrinted);
  EXPECT_NEAR(summary.drop, GetParam().drop, kPrinted);
}

INSTANTIATE_TEST_SUITE_P(Modes, WorkedPlasticity, ::testing::ValuesIn(modes()),
                         [](const auto& mode) { return mode.param.name; });

// Processors round differently; the method asks for 1e-9.
TEST(WorkedExamplePlasticity, NarrowRegistersAgree) {
  const auto profileAt = [](int width) {
    limitRegisterWidth(width);
    const HeadResult result = test::analyze(test::randomHead(8, 21, 600, 9, 4096), test::workedSettings());
    limitRegisterWidth(8);
    std::vector<double> numbers{result.pca.explainedVarianceRatio[0], result.rotation.biasStrength};
    for (const BinResult& bin : result.plasticity.bins) numbers.push_back(bin.ap);
    return numbers;
  };
  const std::vector<double> widest = profileAt(8);
  for (const int width : {2, 4}) {
    const std::vector<double> numbers = profileAt(width);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isnan(widest[i])) continue;
      EXPECT_NEAR(numbers[i], widest[i], 1e-9 * std::abs(widest[i])) << i;
    }
  }
}

TEST(WorkedExamplePlasticity, HasQuintilesAndEqualPosition) {
  const Plasticity plasticity = test::plasticityWith(test::workedExample(), test::workedSettings());
  AnalysisSettings settings = test::workedSettings();
  settings.lengthEdges = {1024, 2048};
  const ApSummary summary = summarise(plasticity.bins, 4096, settings);
  const double quintiles[] = {0.349634361257, 0.323731580678, 0.280173702801, 0.235040391101, 0.158447808856};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(summary.quintiles[k].ap, quintiles[k], kPrinted) << k;
  ASSERT_EQ(summary.lengths.size(), 1u);
  EXPECT_NEAR(summary.lengths[0].mean.ap, 0.295769078850, kPrinted);
  // Bin 0 has no keys before it: one of the four bins of the first fifth is missing, which is more than 5 %.
  EXPECT_EQ(summary.first20.missing, 1);
  EXPECT_TRUE(summary.first20.isSparse());
  EXPECT_FALSE(summary.last20.isSparse());
}

TEST(WorkedExamplePlasticity, HasTheMap) {
  const Plasticity plasticity = test::plasticityWith(test::workedExample(), test::workedSettings());
  struct Expected {
    std::int64_t row, column, pairs;
    double mean;
  };
  const Expected expected[] = {{0, 0, 90, 0.398108802508},
                               {3, 2, 345, 0.227565840921},
                               {7, 7, 223, 0.184010226632},
                               {10, 4, 102, 0.160589312522}};
  EXPECT_EQ(plasticity.cells.size(), 128U);
  EXPECT_EQ(std::accumulate(plasticity.cells.begin(), plasticity.cells.end(), std::int64_t{0},
                            [](std::int64_t sum, const MapCellSum& cell) { return sum + cell.pairs; }),
            23489);
  for (const Expected& one : expected) {
    const auto cell = std::find_if(
        plasticity.cells.begin(), plasticity.cells.end(),
        [&](const MapCellSum& c) { return c.midpointCell == one.row && c.distanceCell == one.column; });
    ASSERT_NE(cell, plasticity.cells.end());
    EXPECT_EQ(cell->pairs, one.pairs);
    EXPECT_NEAR(cell->sum / static_cast<double>(cell->pairs), one.mean, kPrinted);
  }
}

TEST(WorkedExamplePlasticity, HasTheDecomposition) {
  AnalysisSettings settings = test::workedSettings();
  settings.decomposition = "on";
  const HeadResult result = test::analyze(test::workedExample(), settings);
  ASSERT_TRUE(result.decomposition.has_value());
  EXPECT_NEAR(result.decomposition->dropNoPosition, 0.086544998290, kPrinted);
  EXPECT_NEAR(result.decomposition->dropContentFrozen, 0.146384319821, kPrinted);
}

}  // namespace
}  // namespace plastiscope
