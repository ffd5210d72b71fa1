// Key pairs and their order (method.md, Key pairs), against a plain double loop.
#include "core/analysis/pair_enumeration.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

VectorRows randomKeys(unsigned seed, int rows, int examples, int window) {
  std::mt19937 generator(seed);
  std::vector<test::Row> list;
  for (int i = 0; i < rows; ++i) {
    list.push_back({{static_cast<double>(i)},
                    static_cast<std::int64_t>(generator() % static_cast<unsigned>(window)),
                    static_cast<std::int64_t>(generator() % static_cast<unsigned>(examples))});
  }
  return test::rowsOf(list);
}

std::vector<KeyPair> plainPairs(const KeyOrder& keys, std::int64_t from, std::int64_t to,
                                std::int64_t reach) {
  std::vector<KeyPair> pairs;
  for (std::size_t e = 0; e + 1 < keys.exampleStart.size(); ++e) {
    for (std::int64_t i = keys.exampleStart[e]; i < keys.exampleStart[e + 1]; ++i) {
      for (std::int64_t j = i + 1; j < keys.exampleStart[e + 1]; ++j) {
        const std::int64_t a = keys.position[i];
        const std::int64_t b = keys.position[j];
        if (a >= from && b < to && (reach == 0 || b - a <= reach))
          pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
      }
    }
  }
  return pairs;
}

TEST(PairSpace, SortsByExampleThenPositionAndKeepsTheFirstOfDuplicates) {
  const VectorRows keys = test::rowsOf({{{0}, 5, 1}, {{1}, 2, 0}, {{2}, 3, 1}, {{3}, 5, 1}, {{4}, 1, 0}});
  const KeyOrder order = orderKeys(keys);
  EXPECT_EQ(order.row, (std::vector<std::int64_t>{4, 1, 2, 0}));
  EXPECT_EQ(order.position, (std::vector<std::int64_t>{1, 2, 3, 5}));
  EXPECT_EQ(order.exampleStart, (std::vector<std::int64_t>{0, 2, 4}));
}

TEST(PairSpace, EqualsADoubleLoop) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const KeyOrder keys = orderKeys(randomKeys(seed, 60, 1 + static_cast<int>(seed % 5), 100));
    for (const auto& [from, to, reach] :
         {std::array{0, 100, 0}, {0, 40, 0}, {25, 70, 0}, {0, 100, 9}, {10, 90, 1}}) {
      const PairEnumeration space(keys, from, to, reach);
      const std::vector<KeyPair> expected = plainPairs(keys, from, to, reach);
      ASSERT_EQ(space.pairs(), std::ssize(expected));
      std::vector<KeyPair> listed;
      for (std::int64_t rank = 0; rank < space.pairs();) rank = space.appendPairs(rank, 7, listed);
      EXPECT_EQ(listed, expected);
      for (std::size_t rank = 0; rank < expected.size(); ++rank) {
        EXPECT_EQ(space.pairOfRank(static_cast<std::int64_t>(rank)), expected[rank]);
      }
    }
  }
}

// Any two keys at different positions, in the order of their places.
TEST(PairSpace, CrossPairsEqualADoubleLoop) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const KeyOrder keys = orderKeys(randomKeys(seed, 60, 1 + static_cast<int>(seed % 5), 100));
    for (const auto& [from, to, reach] :
         {std::array{0, 100, 0}, {0, 40, 0}, {25, 70, 0}, {0, 100, 9}, {10, 90, 1}, {5, 5, 0}}) {
      std::vector<KeyPair> expected;
      for (std::int32_t i = 0; i < keys.size(); ++i) {
        for (std::int32_t j = i + 1; j < keys.size(); ++j) {
          const std::int64_t a = keys.position[i];
          const std::int64_t b = keys.position[j];
          const bool near = reach == 0 || std::abs(a - b) <= reach;
          if (std::min(a, b) >= from && std::max(a, b) < to && a != b && near) expected.push_back({i, j});
        }
      }
      const CrossPairs space(keys, from, to, reach);
      ASSERT_EQ(space.pairs(), std::ssize(expected));
      std::vector<KeyPair> listed;
      for (std::int64_t rank = 0; rank < space.pairs();) rank = space.appendPairs(rank, 7, listed);
      EXPECT_EQ(listed, expected);
      for (std::size_t rank = 0; rank < expected.size(); ++rank)
        ASSERT_EQ(space.pairOfRank(static_cast<std::int64_t>(rank)), expected[rank]);
    }
  }
}

TEST(PairSpace, CountsEligibleKeysAlsoWithoutPairs) {
  const KeyOrder keys = orderKeys(test::rowsOf({{{0}, 1, 0}, {{1}, 2, 1}, {{2}, 9, 2}}));
  const PairEnumeration space(keys, 0, 5, 0);
  EXPECT_EQ(space.keys(), 2);
  EXPECT_EQ(space.pairs(), 0);
}

// A layer with an attention window W sees keys with tau - t < W only.
TEST(PairSpace, RespectsTheAttentionWindow) {
  test::SampleHead head = test::workedExample();
  head.place.attentionWindow = 600;
  const AnalysisSettings settings = test::workedSettings();
  const Plasticity plasticity = test::plasticityWith(head, settings);
  for (const BinResult& bin : plasticity.bins) {
    std::int64_t keys = 0;
    for (const std::int64_t t : head.key.position) {
      const auto at = static_cast<double>(t);
      keys += at < bin.start && bin.tau.value() - at < 600 ? 1 : 0;
    }
    EXPECT_EQ(bin.keys, keys) << bin.start;
  }
}

// Sampled ranks do not depend on the order of calls: the choice depends on (seed, layer, head, bin) only.
TEST(PairSpace, SampledProfileDependsOnItsKeysOnly) {
  AnalysisSettings settings = test::workedSettings();
  settings.pairs = 64;
  test::SampleHead head = test::workedExample();
  const auto first = test::plasticityWith(head, settings).bins,
             again = test::plasticityWith(head, settings).bins;
  head.place.head = 1;
  const auto other = test::plasticityWith(head, settings).bins;
  EXPECT_EQ(first[9].ap, again[9].ap);
  EXPECT_NE(first[9].ap, other[9].ap);
  EXPECT_EQ(first[9].pairsUsed, 64);
  EXPECT_EQ(first[1].ap, other[1].ap);  // 18 pairs: all of them
}

}  // namespace
}  // namespace plastiscope
