#include "core/analysis/pair_kernels.h"
#include "core/base/register_width.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
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

// method.md, Sampling and closed forms
TEST(PairKernels, EqualThePrintedValues) {
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
    // The argument z / sqrt 2 of the library is rounded, which changes the result by z^2 ulp.
    EXPECT_NEAR(kernelPlasticity(z), expected, expected * (2e-15 + 4e-16 * z * z)) << z;
    EXPECT_NEAR(kernelPlasticity(z), expected, 1e-15) << z;
  }
}

TEST(PairKernels, UnderflowIsZero) {
  EXPECT_GT(kernelPlasticity(37), 0);
  EXPECT_EQ(kernelPlasticity(40), 0);
  EXPECT_EQ(kernelPlasticity(1e200), 0);
}

TEST(PairKernels, ComputeDistancesAndPreferences) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (const std::ptrdiff_t length : {1, 5, 8, 13, 64, 128}) {
    const std::ptrdiff_t stride = paddedLength(length);
    EXPECT_EQ(stride % kLanes, 0);
    std::vector<double> rows(static_cast<std::size_t>(stride) * 9, 0);
    for (std::ptrdiff_t r = 0; r < 9; ++r) {
      for (std::ptrdiff_t c = 0; c < length; ++c) {
        rows[r * stride + c] = std::round(3 * normal(generator)) / 2;  // with ties
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
        const double a = rows[pairs[p].first * stride + c];
        const double b = rows[pairs[p].second * stride + c];
        distance += (a - b) * (a - b);
        won += a > b ? 1 : a == b ? 0.5 : 0;
      }
      EXPECT_NEAR(distances[p], distance, 1e-12);
      EXPECT_EQ(wins[p], won);
    }
  }
}

// Every version of the kernels that this processor can run.
class RegisterWidth : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    limitRegisterWidth(GetParam());
    if (registerWidth() != GetParam()) GTEST_SKIP() << "this processor has narrower registers";
  }
  void TearDown() override { limitRegisterWidth(8); }
};

// 4 Phi(z) Phi(-z) of mpmath 1.3.0 with 60 digits: z, PP.
TEST_P(RegisterWidth, PlasticityIsAccurateToFourUnitsInTheLastPlace) {
  constexpr std::pair<double, double> kTable[] = {{0x0.0p+0, 0x1.0000000000000p+0},
                                                  {0x1.0000000000000p-30, 0x1.0000000000000p+0},
                                                  {0x1.0624dd2f1a9fcp-10, 0x1.ffffeaa37ac84p-1},
                                                  {0x1.5182a9930be0ep-7, 0x1.fff725d8febadp-1},
                                                  {0x1.8000000000000p-5, 0x1.ff48c9a843035p-1},
                                                  {0x1.eb851eb851eb8p-4, 0x1.fb542b2dd53c7p-1},
                                                  {0x1.0000000000000p-2, 0x1.ec0be4e64eccep-1},
                                                  {0x1.c000000000000p-2, 0x1.c56b8ae4577cfp-1},
                                                  {0x1.8000000000000p-1, 0x1.66f2979ee75d3p-1},
                                                  {0x1.f5c28f5c28f5cp-1, 0x1.1828e1e7d7803p-1},
                                                  {0x1.0000000000000p+0, 0x1.115fef92cd807p-1},
                                                  {0x1.8000000000000p+0, 0x1.feb8d7ab57162p-3},
                                                  {0x1.ee147ae147ae1p+0, 0x1.ab6066c4e5d11p-4},
                                                  {0x1.0000000000000p+1, 0x1.6c422139a1165p-4},
                                                  {0x1.5ae147ae147aep+1, 0x1.b776bc9e8507ep-7},
                                                  {0x1.8000000000000p+1, 0x1.6163d603641e6p-8},
                                                  {0x1.f000000000000p+1, 0x1.bf314bb5444a6p-13},
                                                  {0x1.2000000000000p+2, 0x1.c806c3520acacp-17},
                                                  {0x1.6010624dd2f1bp+2, 0x1.44649e5b72cbcp-24},
                                                  {0x1.8000000000000p+2, 0x1.0f30eefc15b1fp-28},
                                                  {0x1.d333333333333p+2, 0x1.43ff667f46163p-41},
                                                  {0x1.0000000000000p+3, 0x1.669d2c90d55cap-49},
                                                  {0x1.38a3d70a3d70ap+3, 0x1.6e304ab97b9aap-72},
                                                  {0x1.6000000000000p+3, 0x1.e468e575e1ccdp-91},
                                                  {0x1.9000000000000p+3, 0x1.3d880d577329bp-116},
                                                  {0x1.c000000000000p+3, 0x1.63f222737e58fp-145},
                                                  {0x1.0400000000000p+4, 0x1.1f256f91068aep-194},
                                                  {0x1.2000000000000p+4, 0x1.b8987b8ecde7ap-238},
                                                  {0x1.42b851eb851ecp+4, 0x1.d4641eb05341ep-298},
                                                  {0x1.6000000000000p+4, 0x1.0e882a5423636p-353},
                                                  {0x1.9000000000000p+4, 0x1.2334bd061877ep-455},
                                                  {0x1.9d9999999999ap+4, 0x1.f1c7bc81701a0p-487},
                                                  {0x1.c000000000000p+4, 0x1.417c1ac70680dp-570},
                                                  {0x1.c91eb851eb852p+4, 0x1.072a57b7c4133p-593},
                                                  {0x1.f428f5c28f5c3p+4, 0x1.c247e3014ade2p-710},
                                                  {0x1.0800000000000p+5, 0x1.0ecce9daf5033p-790},
                                                  {0x1.1b70a3d70a3d7p+5, 0x1.054c6d920b544p-910},
                                                  {0x1.2400000000000p+5, 0x1.621fd7ce0bf53p-966},
                                                  {0x1.2a00000000000p+5, 0x1.7407c86b70752p-1006},
                                                  {0x1.2beb851eb851fp+5, 0x1.818d490769421p-1019}};
  std::vector<double> mean, variance, pp(std::size(kTable));
  for (const auto& [z, expected] : kTable) {
    mean.push_back(mean.size() % 2 == 0 ? z : -z);
    variance.push_back(1);
  }
  plasticityOfPairs(mean.data(), variance.data(), pp.data(), pp.size());
  for (std::size_t i = 0; i < pp.size(); ++i) {
    const auto& [z, expected] = kTable[i];
    EXPECT_LE(std::abs(pp[i] - expected), 4 * (std::nextafter(expected, 2.0) - expected)) << z;
  }
}

TEST_P(RegisterWidth, RootsOfVariancesAreTaken) {
  for (double variance = 1e-30; variance < 1e30; variance *= 3.7) {
    const double mean = 1.25 * std::sqrt(variance);
    double pp = 0;
    plasticityOfPairs(&mean, &variance, &pp, 1);
    EXPECT_NEAR(pp, 4 * (1 - 0.10564977366685525) * 0.10564977366685525, 1e-15) << variance;  // z = 1.25
  }
}

TEST_P(RegisterWidth, SumsOverCoordinatesEqualLoops) {
  constexpr std::ptrdiff_t kRows = 11, kColumns = 24;
  std::mt19937 generator(6);
  std::normal_distribution<double> normal;
  std::vector<double> rows(kRows * kColumns), spread(kColumns), weight(kColumns);
  for (std::vector<double>* values : {&rows, &spread, &weight}) {
    for (double& value : *values) value = normal(generator);
  }
  const RowBlock block{rows.data(), kColumns, kRows};
  for (const std::ptrdiff_t first : {1, 2, 3, 4, 7, 8}) {
    for (const std::ptrdiff_t second : {1, 3, 4, 5, 10}) {
      std::vector<double> products(static_cast<std::size_t>(first * second), 0.5);
      const RowBlock from{block.row(1), kColumns, second};
      blockProducts({block.data, kColumns, first}, from, products.data());
      for (std::ptrdiff_t i = 0; i < first; ++i) {
        for (std::ptrdiff_t j = 0; j < second; ++j) {
          const double expected = std::inner_product(block.row(i), block.row(i + 1), from.row(j), 0.0);
          EXPECT_NEAR(products[i * second + j], expected, 1e-12);
        }
      }
    }
  }
  std::vector<KeyPair> pairs;
  for (std::int32_t i = 0; i < kRows; ++i) pairs.push_back({i, (3 * i + 1) % static_cast<int>(kRows)});
  std::vector<double> squares(kRows), values(kRows);
  weightedDifferences(block, pairs, {spread.data(), weight.data()}, {squares.data(), values.data()});
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    double square = 0, value = 0;
    for (std::size_t c = 0; c < kColumns; ++c) {
      const double difference = block.row(pairs[p].first)[c] - block.row(pairs[p].second)[c];
      square += spread[c] * difference * difference;
      value += weight[c] * difference;
    }
    EXPECT_NEAR(squares[p], square, 1e-12);
    EXPECT_NEAR(values[p], value, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, RegisterWidth, ::testing::Values(2, 4, 8));

// Blocks of any length give the same bits: results must not depend on the chunks of pairs.
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
