#include "core/analysis/convergence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/statistics.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;

TEST(Convergence, GivesStepsUpToTheSetting) {
  EXPECT_THAT(pairSteps(256), ElementsAre(16, 32, 64, 128, 256));
  EXPECT_THAT(pairSteps(100), ElementsAre(16, 32, 64, 100));
  EXPECT_THAT(pairSteps(5), ElementsAre(5));
  EXPECT_THAT(pairSteps(0), ElementsAre(16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 0));
  EXPECT_THAT(binSteps(17), ElementsAre(8, 17, 34));
  EXPECT_THAT(binSteps(1), ElementsAre(1, 2));
}

// The order was made with the random numbers of tests/data/analysis/reference.py.
TEST(Convergence, ExamplesAreNested) {
  const auto steps = exampleSteps(10, 0);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_THAT(steps[0], ElementsAre(7));
  EXPECT_THAT(steps[1], ElementsAre(7, 1));
  EXPECT_THAT(steps[2], ElementsAre(7, 1, 3, 6, 0));
  EXPECT_THAT(steps[3], ElementsAre(7, 1, 3, 6, 0, 4, 2, 5, 8, 9));
  EXPECT_THAT(exampleSteps(6, 5).back(), ElementsAre(3, 1, 0, 2, 4, 5));
  EXPECT_EQ(exampleSteps(1, 0).size(), 1U);
}

Table headsWith(const std::vector<double>& overall) {
  Table heads{"heads", {}};
  for (const char* name :
       {"ap_overall", "ap_first20", "ap_last20", "ap_drop", "bias_strength", "plane_var_fraction",
        "ap_aligned", "ap_aligned_drop"}) {
    heads.columns.push_back(
        {name, std::string(name) == "ap_overall" ? overall : std::vector<double>(3, kMissing)});
  }
  return heads;
}

TEST(Convergence, GivesDifferencesFromTheReference) {
  const Table table = convergenceTable({{"pairs", "16", false, headsWith({0.5, 0.2, kMissing})},
                                        {"pairs", "32", true, headsWith({0.1, 0.5, 0.4})},
                                        {"seed", "0", true, headsWith({1, 1, 1})}});
  EXPECT_THAT(table.texts("what"), ElementsAre("pairs", "pairs", "seed"));
  EXPECT_THAT(table.integers("heads"), ElementsAre(2, 3, 3));
  EXPECT_NEAR(table.numbers("ap_overall")[0], 0.35, 1e-15);
  EXPECT_NEAR(table.numbers("ap_overall_rms")[0], std::sqrt((0.16 + 0.09) / 2), 1e-15);
  EXPECT_NEAR(table.numbers("ap_overall_max")[0], 0.4, 1e-15);
  EXPECT_EQ(table.numbers("ap_overall_rms")[1], 0);
  EXPECT_TRUE(std::isnan(table.numbers("ap_drop_rms")[1]));
}

}  // namespace
}  // namespace plastiscope
