#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "core/base/half.h"

namespace plastiscope {
namespace {

// Values from the IEEE 754 binary16 encoding, by hand.
TEST(Half, HasTheKnownEncodings) {
  EXPECT_EQ(halfToFloat(0x3C00), 1.0f);
  EXPECT_EQ(halfToFloat(0xC000), -2.0f);
  EXPECT_EQ(halfToFloat(0x7BFF), kHalfMax);
  EXPECT_EQ(halfToFloat(0x0001), std::ldexp(1.0f, -24));  // smallest subnormal
  EXPECT_TRUE(std::isinf(halfToFloat(0x7C00)));
  EXPECT_TRUE(std::isnan(halfToFloat(0x7E00)));
  EXPECT_EQ(bfloat16ToFloat(0x3F80), 1.0f);
  EXPECT_EQ(bfloat16ToFloat(0xC0A0), -5.0f);
}

TEST(Half, EveryFiniteValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = halfToFloat(half);
    if (std::isnan(value)) continue;
    ASSERT_EQ(floatToHalf(value), half) << std::hex << bits;
  }
}

TEST(Half, ManyAtOnceEqualOneByOne) {
  std::vector<std::uint16_t> halves(0x10000 + 5);  // plus a remainder shorter than a SIMD vector
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<float> floats(halves.size());
  halfToFloat(halves, floats);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const float alone = halfToFloat(halves[i]);
    if (std::isnan(alone)) {
      ASSERT_TRUE(std::isnan(floats[i])) << i;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(floats[i]), std::bit_cast<std::uint32_t>(alone)) << i;
    }
  }
}

TEST(Half, RoundsToNearestEvenAndOverflowsToInfinity) {
  EXPECT_EQ(floatToHalf(1.0f + std::ldexp(1.0f, -11)), 0x3C00);                          // tie: even below
  EXPECT_EQ(floatToHalf(1.0f + 3 * std::ldexp(1.0f, -11)), 0x3C02);                      // tie: even above
  EXPECT_EQ(floatToHalf(1.0f + std::ldexp(1.0f, -11) + std::ldexp(1.0f, -20)), 0x3C01);  // above the tie
  EXPECT_EQ(floatToHalf(70000.0f), 0x7C00);
}

}  // namespace
}  // namespace plastiscope
