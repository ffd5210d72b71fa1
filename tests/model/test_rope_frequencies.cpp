// Frequencies in float64 against ROPE_INIT_FUNCTIONS of transformers 5 (float32), head size 8, base 10000.
#include "core/model/rope_kinds.h"

#include <gtest/gtest.h>

namespace plastiscope {
namespace {

void expectFrequencies(const RopeSpec& rope, const std::vector<double>& expected) {
  const std::vector<double> found = ropePairFrequencies(rope, 8192);
  ASSERT_EQ(found.size(), expected.size()) << rope.kind;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-6 * expected[i]) << rope.kind << " " << i;
}

RopeSpec ropeOf(const std::string& kind, std::int64_t original) {
  RopeSpec rope;
  rope.kind = kind;
  rope.rotaryDim = 8;
  rope.maxPositions = 4096;
  rope.originalContext = original;
  rope.factor = 4;
  return rope;
}

TEST(RopePairFrequencies, EqualTransformers) {
  expectFrequencies(ropeOf("default", 0), {1, 0.1, 0.01, 0.001});
  expectFrequencies(ropeOf("linear", 0), {0.25, 0.025, 0.0025, 0.00025});
  expectFrequencies(ropeOf("dynamic", 0), {1, 0.05848035216331482, 0.0034199520014226437, 0.0002});
  RopeSpec llama = ropeOf("llama3", 1024);
  llama.factor = 8;
  expectFrequencies(llama, {1, 0.1, 0.003086760640144348, 0.000125});
  expectFrequencies(ropeOf("yarn", 2048), {1, 0.1, 0.00625, 0.00025});
  RopeSpec longRope = ropeOf("longrope", 2048);
  longRope.shortFactor = {1, 1, 1, 1};
  longRope.longFactor = {1, 2, 3, 4};
  expectFrequencies(longRope, {1, 0.05, 0.0033333334140479565, 0.00025});
}

TEST(RopePairFrequencies, ProportionalRopeHasZeroFrequenciesFromOnePairOn) {
  RopeSpec rope = ropeOf("proportional", 0);
  rope.factor = 1;
  rope.rotatedShare = 0.5;
  EXPECT_EQ(ropePairFrequencies(rope, 8192), (std::vector<double>{1, ropePairFrequencies(rope, 1)[1], 0, 0}));
  expectFrequencies(rope, {1, 0.1, 0, 0});
}

TEST(RopePairFrequencies, DividedByTheFactorsOfAFile) {
  RopeSpec rope = ropeOf("default", 0);
  rope.frequencyFactors = {1, 1, 2, 4};
  expectFrequencies(rope, {1, 0.1, 0.005, 0.00025});
}

TEST(RopePairFrequencies, AnUnknownKindHasNone) {
  EXPECT_TRUE(ropePairFrequencies(ropeOf("spiral", 0), 100).empty());
}

}  // namespace
}  // namespace plastiscope
