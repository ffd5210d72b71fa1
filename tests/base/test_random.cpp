#include <gtest/gtest.h>

#include "core/base/random.h"

namespace plastiscope {
namespace {

std::uint64_t pairState(std::uint64_t seed, std::uint64_t layer, std::uint64_t head, std::uint64_t bin) {
  return combine(combine(combine(combine(kSeedStart, mix64(seed)), mix64(layer)), mix64(head)), mix64(bin));
}

// Golden values of method.md, Sampling and closed forms.
TEST(PairGenerator, HasTheGoldenStateAndOutputs) {
  const std::uint64_t state = pairState(0, 0, 0, 5);
  EXPECT_EQ(state, 0x3b03c09d927739e3u);
  PairGenerator generator(state);
  EXPECT_EQ(generator.next(), 0xcababda639386609u);
  EXPECT_EQ(generator.next(), 0x67f6bd297c760be4u);
}

TEST(PairGenerator, BelowStaysBelowAndReachesEverything) {
  PairGenerator generator(1);
  int counts[7] = {};
  for (int i = 0; i < 7000; ++i) {
    const std::uint64_t value = generator.below(7);
    ASSERT_LT(value, 7u);
    ++counts[value];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(generator.below(1), 0u);
}

}  // namespace
}  // namespace plastiscope
