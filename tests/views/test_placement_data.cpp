#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/views/placement_data.h"
#include "views/literal_study.h"

namespace plastiscope {

namespace {

std::shared_ptr<AnalysisFile> optedAnalysis() {
  using I = std::vector<std::int64_t>;
  using D = std::vector<double>;
  auto analysis = test::literalAnalysis();
  std::vector<Column>& heads = analysis->tables.front().columns;
  heads.push_back({"drop_aligned_ends", D{0.3, 0.1, kMissing}});
  heads.push_back({"drop_placement", D{0.25, 0.15, kMissing}});
  heads.push_back({"drop_placement_low", D{0.2, 0.1, kMissing}});
  heads.push_back({"drop_placement_high", D{0.3, 0.2, kMissing}});
  heads.push_back({"drop_content", D{0.05, -0.05, kMissing}});
  heads.push_back({"rigidity_position", D{0.5, 0.3, kMissing}});
  heads.push_back({"rigidity_salience", D{0.1, 0.2, kMissing}});
  analysis->tables.push_back({"placement",
                              {{"layer", I{0, 0, 0, 0, 0}},
                               {"head", I{1, 1, 1, 1, 3}},
                               {"content_tau", D{250, 250, 750, 750, 250}},
                               {"position_tau", D{250, 750, 250, 750, 250}},
                               {"ap", D{0.6, 0.4, 0.5, 0.3, 0.2}}}});
  analysis->tables.push_back({"salience",
                              {{"layer", I{0, 0, 0}},
                               {"head", I{1, 1, 3}},
                               {"distance", D{0, 1, 1}},
                               {"mean_field_bias", D{2, 1, 3}},
                               {"measured_score", D{kMissing, 1.5, 2.5}},
                               {"measured_pairs", I{0, 10, 20}}}});
  return analysis;
}

}  // namespace

TEST(Placement, IsAMapOfContentByPosition) {
  const PlacementData data = makePlacement(*optedAnalysis(), {HeadName{0, 1}, {}});
  EXPECT_EQ(data.content, (std::vector<double>{250, 750}));
  EXPECT_DOUBLE_EQ(data.at(0, 1), 0.4);
  EXPECT_DOUBLE_EQ(data.at(1, 0), 0.5);
  EXPECT_DOUBLE_EQ(data.drop.value, data.ofPlacement.value + data.ofContent.value);
  EXPECT_DOUBLE_EQ(data.ofPlacement.interval.high, 0.3);
  EXPECT_FALSE(data.ofContent.interval.known());
}

TEST(Placement, SeveralHeadsGiveTheirMean) {
  const PlacementData data = makePlacement(*optedAnalysis(), {{}, 0});
  EXPECT_DOUBLE_EQ(data.at(0, 0), 0.4);
  EXPECT_DOUBLE_EQ(data.drop.value, 0.2);
  EXPECT_EQ(data.ofPlacement.over, IntervalOver::Heads);
}

TEST(Placement, AllHeadsHaveTheIntervalOfTheModel) {
  const auto analysis = optedAnalysis();
  analysis->provenance.capture = Json{{"examples", 5}};
  std::erase_if(analysis->tables, [](const Table& table) { return table.name == "model"; });
  using D = std::vector<double>;
  analysis->tables.push_back({"model", {{"drop_placement_low", D{0.11}}, {"drop_placement_high", D{0.29}}}});
  const PlacementData data = makePlacement(*analysis, {});
  EXPECT_EQ(data.ofPlacement.over, IntervalOver::Examples);
  EXPECT_DOUBLE_EQ(data.ofPlacement.interval.low, 0.11);
  EXPECT_EQ(data.ofContent.over, IntervalOver::Heads);
}

TEST(Salience, IsAverageByDistance) {
  const SalienceData data = makeSalience(*optedAnalysis(), {{}, 0});
  EXPECT_EQ(data.distance, (std::vector<double>{0, 1}));
  EXPECT_EQ(data.field, (std::vector<double>{2, 2}));
  EXPECT_DOUBLE_EQ(data.measured[1], 2);
  EXPECT_EQ(data.pairs, (std::vector<std::int64_t>{0, 30}));
  EXPECT_DOUBLE_EQ(data.ofPosition.value, 0.4);
}

TEST(Placement, MissingPlacementNamesTheOption) {
  for (const bool salience : {false, true}) {
    try {
      salience ? (void)makeSalience(*test::literalAnalysis(), {}) : (void)makePlacement(*test::literalAnalysis(), {});
      FAIL();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(salience ? "--salience on" : "--placement on"));
    }
  }
}

}  // namespace plastiscope
