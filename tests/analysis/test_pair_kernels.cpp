#include "core/analysis/pair_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace plastiscope {
namespace {

double kernelPlasticity(double z) {
  const double variance = 1;
  double pp = -1;
  plasticityOfPairs(&z, &variance, &pp, 1);
  return pp;
}

// method.md 4.5
TEST(PairKernels, PrintedValues) {
  const std::pair<double, double> table[] = {{0, 1},        {0.25, 0.961028}, {0.5, 0.853369},
                                             {1, 0.533935}, {1.5, 0.249376},  {2, 0.088930},
                                             {3, 0.005392}};
  for (const auto& [z, pp] : table) {
    EXPECT_NEAR(kernelPlasticity(z), pp, 1e-6) << z;
    EXPECT_EQ(kernelPlasticity(z), kernelPlasticity(-z));
  }
}

TEST(PairKernels, EqualsErfcToTheLastDigits) {
  for (double z = 0; z < 37; z += 0.00917) {
    const double x = z / std::numbers::sqrt2;
    const double expected = std::erfc(x) * std::erfc(-x);
    // The library's own argument z / sqrt 2 is rounded, which moves the result by z^2 ulp.
    EXPECT_NEAR(kernelPlasticity(z), expected, expected * (2e-15 + 4e-16 * z * z)) << z;
    EXPECT_NEAR(kernelPlasticity(z), expected, 1e-15) << z;
  }
}

TEST(PairKernels, UnderflowIsZero) {
  EXPECT_GT(kernelPlasticity(37), 0);
  EXPECT_EQ(kernelPlasticity(40), 0);
  EXPECT_EQ(kernelPlasticity(1e200), 0);
}

TEST(PairKernels, DistancesAndPreferences) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (const std::ptrdiff_t length : {1, 5, 8, 13, 64, 128}) {
    const std::ptrdiff_t stride = paddedLength(length);
    EXPECT_EQ(stride % kLanes, 0);
    std::vector<double> rows(static_cast<std::size_t>(stride) * 9, 0);
    for (std::ptrdiff_t r = 0; r < 9; ++r) {
      for (std::ptrdiff_t c = 0; c < length; ++c) {
        rows[static_cast<std::size_t>(r * stride + c)] = std::round(3 * normal(generator)) / 2;  // with ties
      }
    }
    std::vector<KeyPair> pairs;
    for (std::int32_t i = 0; i < 9; ++i) {
      for (std::int32_t j = 0; j < 9; ++j) pairs.push_back({i, j});
    }
    std::vector<double> distances(pairs.size()), wins(pairs.size());
    squaredDistances({rows.data(), stride}, pairs, distances.data());
    countPreferences({rows.data(), stride}, length, pairs, wins.data());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      double distance = 0, won = 0;
      for (std::ptrdiff_t c = 0; c < length; ++c) {
        const double a = rows[static_cast<std::size_t>(pairs[p].first * stride + c)];
        const double b = rows[static_cast<std::size_t>(pairs[p].second * stride + c)];
        distance += (a - b) * (a - b);
        won += a > b ? 1 : a == b ? 0.5 : 0;
      }
      EXPECT_NEAR(distances[p], distance, 1e-12);
      EXPECT_EQ(wins[p], won);
    }
  }
}

// Blocks of any length give the same bits: results must not depend on how pairs are cut into chunks.
TEST(PairKernels, ChunkingDoesNotChangeBits) {
  std::mt19937 generator(4);
  std::normal_distribution<double> normal;
  std::vector<double> mean(100), variance(100), whole(100), single(100);
  for (std::size_t i = 0; i < 100; ++i) {
    mean[i] = 5 * normal(generator);
    variance[i] = 0.1 + std::abs(normal(generator));
  }
  plasticityOfPairs(mean.data(), variance.data(), whole.data(), 100);
  for (std::size_t i = 0; i < 100; ++i) plasticityOfPairs(&mean[i], &variance[i], &single[i], 1);
  EXPECT_EQ(whole, single);
}

}  // namespace
}  // namespace plastiscope
