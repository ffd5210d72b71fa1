// Exact cells of the plasticity map, compared with plain integer arithmetic.
#include "core/analysis/plasticity.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace plastiscope {
namespace {

using Place = std::pair<std::int64_t, std::int64_t>;

void expectEqualsPlain(std::int64_t window, std::int64_t cell, std::int64_t bins, unsigned seed) {
  std::mt19937_64 generator(seed);
  PairMap map(window, cell);
  std::map<Place, std::pair<std::int64_t, double>> plain;
  for (std::int64_t b = 1; b < bins; ++b) {
    const Rational tau{(2 * b + 1) * window, 2 * bins};
    map.startBin(tau);
    const std::int64_t before = (b * window + bins - 1) / bins;  // keys before the bin
    for (int n = 0; n < 200; ++n) {
      std::int64_t i = static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(before));
      std::int64_t j = static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(before));
      if (i > j) std::swap(i, j);
      const double pp = static_cast<double>(generator() % 1000) / 999;
      map.add(i, j, pp);
      // y = tau - (i + j) / 2 = (2 tau' - scale (i + j)) / (2 scale)
      const std::int64_t doubled = (2 * b + 1) * window * 2 - 2 * bins * (i + j);
      auto& place = plain[{(j - i) / cell, doubled / (2 * 2 * bins * cell)}];
      ++place.first;
      place.second += pp;
    }
  }
  const std::vector<MapCellSum> cells = map.cells();
  ASSERT_EQ(cells.size(), plain.size());
  std::size_t index = 0;
  for (const auto& [place, value] : plain) {
    EXPECT_EQ((Place{cells[index].distanceCell, cells[index].midpointCell}), place);
    EXPECT_EQ(cells[index].pairs, value.first);
    EXPECT_NEAR(cells[index].sum, value.second, 1e-9);
    ++index;
  }
}

TEST(PairMap, EqualsPlainIntegers) {
  expectEqualsPlain(4096, 256, 16, 1);
  expectEqualsPlain(1000, 62, 23, 2);
  expectEqualsPlain(1000, 1000, 7, 3);
  expectEqualsPlain(1000, 5000, 7, 4);   // a cell larger than the window
  expectEqualsPlain(131072, 7, 160, 5);  // too many cells for a dense grid
  expectEqualsPlain(2000000, 125000, 31, 6);
}

// Keys at 0 and 2, the query at 5: distance 2, midpoint distance 4.
TEST(PairMap, LimitsBelongToTheUpperCell) {
  PairMap map(8, 2);
  map.startBin({5, 1});
  map.add(0, 2, 0.25);
  map.add(0, 1, 0.5);  // distance 1, midpoint distance 4.5
  const std::vector<MapCellSum> cells = map.cells();
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].distanceCell, 0);
  EXPECT_EQ(cells[0].midpointCell, 2);
  EXPECT_EQ(cells[1].distanceCell, 1);
  EXPECT_EQ(cells[1].midpointCell, 2);
  EXPECT_EQ(cells[1].sum, 0.25);
}

}  // namespace
}  // namespace plastiscope
