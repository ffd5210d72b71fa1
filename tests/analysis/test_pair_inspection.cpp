// Individual key pairs, which add up to the map and the profile.
#include "core/analysis/pair_inspection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "tests/analysis/sample_heads.h"

namespace plastiscope {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

struct InspectedHead {
  test::SampleHead head = test::randomHead(3, 6, 400, 8, 500);
  AnalysisSettings settings;
  HeadKeys keys{head.key};
  QueryModel model = queryModelOf(head.query, momentsOf(head.query));
  BinGrid grid;
  std::unique_ptr<HouseholderHead> reflected;

  explicit InspectedHead(const std::string& variance, std::int64_t pairs = 0) {
    settings.variance = variance;
    settings.pairs = pairs;
    settings.bins = "10";
    grid = makeBinGrid(settings, head.frame, 10);
    reflected =
        std::make_unique<HouseholderHead>(head.query, OrderedKeys{keys.rows, keys.order}, model, grid);
  }
  PlasticityInput input() const {
    return {head.place, head.frame, head.query, keys.rows, keys.order, model, grid};
  }
  Plasticity plasticity() const { return plasticityOf(input(), *reflected, settings, Progress()); }
  CellPairs cell(std::int64_t distance, std::int64_t midpoint, std::int64_t most = kAll) const {
    return pairsOfCell(input(), *reflected, settings, {distance, midpoint, most}, Progress());
  }
};

class PairInspection : public ::testing::TestWithParam<const char*> {};

TEST_P(PairInspection, EveryCellListsThePairsOfTheMap) {
  const InspectedHead prepared(GetParam());
  const Plasticity whole = prepared.plasticity();
  ASSERT_GT(whole.cells.size(), 20U);
  for (const MapCellSum& cell : whole.cells) {
    const CellPairs found = prepared.cell(cell.distanceCell, cell.midpointCell);
    ASSERT_EQ(found.pairs, cell.pairs);
    EXPECT_NEAR(found.pp, cell.sum / static_cast<double>(cell.pairs), 1e-12);
    ASSERT_EQ(std::ssize(found.listed), cell.pairs);
    const double side = static_cast<double>(prepared.head.frame.bucketSize);
    for (const InspectedPair& pair : found.listed) {
      EXPECT_EQ(pair.earlierExample, pair.laterExample);
      EXPECT_EQ(std::floor(static_cast<double>(pair.later - pair.earlier) / side), cell.distanceCell);
      EXPECT_LT(static_cast<double>(pair.later), pair.tau);
    }
  }
}

TEST_P(PairInspection, SpreadAddsUpToTheProfile) {
  const InspectedHead prepared(GetParam(), 64);
  const Plasticity whole = prepared.plasticity();
  const PpSpread spread = ppSpreadOf(prepared.input(), *prepared.reflected, prepared.settings, Progress());
  ASSERT_EQ(spread.bins.size(), whole.bins.size());
  for (std::size_t b = 0; b < whole.bins.size(); ++b) {
    const auto& counts = spread.counts[b];
    const auto pairs = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    EXPECT_EQ(pairs, whole.bins[b].valid ? whole.bins[b].pairsUsed : 0) << b;
    if (!whole.bins[b].valid) continue;
    double low = 0;  // the mean if every pair were at the lower edge of its step
    for (std::size_t i = 0; i < counts.size(); ++i)
      low += static_cast<double>(counts[i]) * static_cast<double>(i) / static_cast<double>(kPpSteps);
    low /= static_cast<double>(pairs);
    EXPECT_GE(whole.bins[b].ap, low - 1e-12);
    EXPECT_LE(whole.bins[b].ap, low + 1.0 / static_cast<double>(kPpSteps) + 1e-12);
  }
}
// Compared with means over all pairs listed in the cells of the map.
TEST_P(PairInspection, RowsHaveTheMeansOfTheirPairs) {
  const InspectedHead prepared(GetParam());
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<double, std::int64_t>> ofKey, ofBin;
  for (const MapCellSum& cell : prepared.plasticity().cells) {
    for (const InspectedPair& pair : prepared.cell(cell.distanceCell, cell.midpointCell).listed) {
      for (auto* place : {&ofKey[{pair.earlierExample, pair.earlier}],
                          &ofKey[{pair.laterExample, pair.later}], &ofBin[{pair.earlierExample, pair.bin}]}) {
        place->first += pair.pp;
        ++place->second;
      }
    }
  }
  const RowPlasticities rows =
      plasticityOfRows(prepared.input(), *prepared.reflected, prepared.settings, Progress());
  const auto expectMean = [](const RowPlasticity& row, const std::pair<double, std::int64_t>& expected) {
    ASSERT_EQ(row.pairs, expected.second) << row.example << ", " << row.position;
    const double mean = row.pairs > 0 ? expected.first / static_cast<double>(expected.second) : NAN;
    EXPECT_TRUE(row.pairs > 0 ? std::abs(row.pp - mean) < 1e-9 : std::isnan(row.pp)) << row.pp;
  };
  ASSERT_EQ(rows.key.size(), static_cast<std::size_t>(prepared.keys.rows.rows()));
  ASSERT_EQ(rows.query.size(), static_cast<std::size_t>(prepared.head.query.rows()));
  std::size_t known = 0;
  for (const RowPlasticity& key : rows.key) expectMean(key, ofKey[{key.example, key.position}]);
  for (const RowPlasticity& query : rows.query) {
    const std::int64_t bin = query.position * 10 / prepared.head.frame.window;
    expectMean(query, ofBin[{query.example, bin}]);
    known += query.pairs > 0 ? 1 : 0;
  }
  EXPECT_GT(known, rows.query.size() / 2);
}
INSTANTIATE_TEST_SUITE_P(Modes, PairInspection, ::testing::Values("thesis", "full", "empirical"));

// PP = 4 Phi(z) Phi(-z), with z of the earlier key against the later one.
TEST(PairInspectionZ, GivesPp) {
  const InspectedHead prepared("thesis");
  const CellPairs cell = prepared.cell(1, 3);
  ASSERT_GT(cell.pairs, 10);
  bool above = false, below = false;
  for (const InspectedPair& pair : cell.listed) {
    const double tail = std::erfc(std::abs(pair.z) / std::sqrt(2.0));
    EXPECT_NEAR(pair.pp, tail * (2 - tail), 1e-12);
    above = above || pair.z > 0;
    below = below || pair.z < 0;
  }
  EXPECT_TRUE(above && below);
  EXPECT_TRUE(std::isnan(InspectedHead("empirical").cell(1, 3).listed.front().z));
}

// With pairs of any two texts, the queries of a bin share its AP.
TEST(PairInspectionRows, PairsAcrossTextsGiveAllQueriesOfABinItsAp) {
  InspectedHead prepared("thesis");
  prepared.settings.pairScope = "cross_example";
  const Plasticity whole = prepared.plasticity();
  const RowPlasticities rows =
      plasticityOfRows(prepared.input(), *prepared.reflected, prepared.settings, Progress());
  for (const RowPlasticity& query : rows.query) {
    const BinResult& bin = whole.bins[query.position * 10 / 500];
    if (bin.valid) {
      EXPECT_NEAR(query.pp, bin.ap, 1e-9) << query.position;
    }
  }
}

TEST(PairInspectionLimits, ListsNoMoreThanAskedForAndCountsAll) {
  const InspectedHead prepared("thesis");
  const CellPairs all = prepared.cell(1, 3), few = prepared.cell(1, 3, 4), none = prepared.cell(900, 900);
  EXPECT_EQ(few.listed.size(), 4U);
  EXPECT_EQ(few.pairs, all.pairs);
  EXPECT_EQ(few.pp, all.pp);
  EXPECT_EQ(none.pairs, 0);
  EXPECT_TRUE(std::isnan(none.pp));
}

TEST(PairInspectionLimits, ListsPairsOfEveryBinEvenly) {
  const InspectedHead prepared("thesis");
  const auto byBin = [](const CellPairs& cell) {
    std::map<std::int64_t, std::size_t> counts;
    for (const InspectedPair& pair : cell.listed) ++counts[pair.bin];
    return counts;
  };
  const auto all = byBin(prepared.cell(1, 3));
  ASSERT_GT(all.size(), 2U);
  ASSERT_GT(all.begin()->second, 8U) << "the first bin alone would fill the list";
  const auto few = byBin(prepared.cell(1, 3, static_cast<std::int64_t>(4 * all.size())));
  EXPECT_EQ(few.size(), all.size());
  for (const auto& [bin, count] : few) EXPECT_GE(count, std::min<std::size_t>(4, all.at(bin))) << bin;
  const CellPairs third = prepared.cell(1, 3, 3 * std::ssize(all));
  EXPECT_LE(third.listed.size(), 3 * all.size());
}

}  // namespace
}  // namespace plastiscope
