#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/views/head_grid_data.h"
#include "core/views/head_order.h"
#include "core/views/head_sentence.h"
#include "core/views/plasticity_choice.h"
#include "core/views/profile_data.h"
#include "views/literal_study.h"

namespace plastiscope {

using testing::HasSubstr;

struct NamePair {
  const char *aligned, *binned;
};

class PlasticityColumn : public testing::TestWithParam<NamePair> {};

TEST_P(PlasticityColumn, HasACounterpartOfTheOtherKind) {
  const auto& [aligned, binned] = GetParam();
  for (const std::string ending : {"", "_low", "_high"}) {
    EXPECT_EQ(columnAs(ApKind::Aligned, binned + ending), aligned + ending);
    EXPECT_EQ(columnAs(ApKind::Binned, aligned + ending), binned + ending);
    EXPECT_EQ(columnAs(ApKind::Aligned, aligned + ending), aligned + ending);
    EXPECT_EQ(columnAs(ApKind::Binned, binned + ending), binned + ending);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlasticityColumn,
                         testing::Values(NamePair{"ap_aligned", "ap_overall"},
                                         NamePair{"ap_aligned_first20", "ap_first20"},
                                         NamePair{"ap_aligned_last20", "ap_last20"},
                                         NamePair{"ap_aligned_drop", "ap_drop"},
                                         NamePair{"ap_aligned_quintile_3", "ap_quintile_3"},
                                         NamePair{"ap_aligned_decile_10", "ap_decile_10"}));

TEST(PlasticityColumn, OtherColumnsStayUnchanged) {
  for (const std::string column : {"bias_window", "ap_aligned_coverage", "ap_aligned_missing", "ap_quintile_",
                                   "ap_drop_position", "ap_position_alone", "ap_binning_excess", ""}) {
    EXPECT_EQ(columnAs(ApKind::Aligned, column), column);
    EXPECT_EQ(columnAs(ApKind::Binned, column), column);
  }
}

TEST(PlasticityShown, IsTheWantedKindIfAllHaveIt) {
  const auto with = test::alignedAnalysis(), without = test::literalAnalysis();
  EXPECT_EQ(shownPlasticity(*with, ApKind::Aligned).kind, ApKind::Aligned);
  EXPECT_EQ(shownPlasticity(*with, ApKind::Aligned).note, "");
  EXPECT_EQ(shownPlasticity(*with, ApKind::Binned).kind, ApKind::Binned);
  const ShownPlasticity old = shownPlasticity({with.get(), without.get()}, ApKind::Aligned);
  EXPECT_EQ(old.kind, ApKind::Binned);
  EXPECT_THAT(old.note, HasSubstr("no aligned values: analyse the capture again"));
  EXPECT_EQ(shownPlasticity(*without, ApKind::Binned).note, "");
}

TEST(PlasticityShown, IsBinnedBesidePublishedNumbers) {
  const ShownPlasticity shown = shownPlasticity(*test::alignedAnalysis(), ApKind::Aligned, true);
  EXPECT_EQ(shown.kind, ApKind::Binned);
  EXPECT_EQ(shown.note, kPublishedAreBinned);
}

TEST(PlasticityShown, GivesTheReasonOfMissingAlignedValues) {
  auto analysis = test::alignedAnalysis();
  for (Column& column : analysis->tables.front().columns) {
    if (column.name == "ap_aligned") column.values = std::vector<double>(3, kMissing);
  }
  EXPECT_EQ(shownPlasticity(*analysis, ApKind::Aligned).note,
            "no aligned values: its positions are not known");
}

TEST(PlasticityShown, ExcessIsNotedOnlyForBinnedValues) {
  const auto analysis = test::alignedAnalysis();
  EXPECT_EQ(plasticityNote(*analysis, {HeadName{0, 1}, {}}, ApKind::Binned),
            "binned AP is 0.25 above the aligned value: within a bin position counts as content");
  EXPECT_EQ(plasticityNote(*analysis, {HeadName{0, 1}, {}}, ApKind::Aligned), "");
  EXPECT_EQ(plasticityNote(*analysis, {HeadName{0, 3}, {}}, ApKind::Binned), "");
  EXPECT_THAT(plasticityNote(*analysis, {}, ApKind::Binned), HasSubstr("0.31 above"));
  EXPECT_EQ(excessNote(0.05), "");
}

TEST(PlasticityShown, ProfileHasItsOwnBinsAndTheOtherKindBehindIt) {
  const auto field = makeProfileFields(*test::alignedAnalysis(), {}, ApKind::Aligned);
  const ProfileData data = makeProfile(field, HeadName{0, 1});
  EXPECT_EQ(data.shown->ap, (std::vector<double>{0.4, 0.3, 0.2}));
  EXPECT_EQ(data.shown->low, (std::vector<double>{0.3, 0.2, 0.1}));
  EXPECT_EQ(data.shown->texts, (std::vector<std::int64_t>{9, 9, 4}));
  EXPECT_EQ(field->differs, (std::vector<bool>{false, false, true}));
  EXPECT_DOUBLE_EQ(shownQuintiles(data)[0], 0.45);
  EXPECT_EQ(excessNote(data), "");
  ASSERT_NE(data.other, nullptr);
  EXPECT_EQ(data.other->field->bins(), 2U);
  EXPECT_DOUBLE_EQ(data.other->shown->ap[1], 0.5);
  EXPECT_THAT(excessNote(*data.other), HasSubstr("0.25 above"));
  EXPECT_EQ(&besidePublished(data), data.other.get());
  EXPECT_EQ(makeProfileFields(*test::literalAnalysis(), {}, ApKind::Binned)->other, nullptr);
}

TEST(PlasticityShown, MapSentenceAndHeadOfInterestUseTheKind) {
  const auto analysis = test::alignedAnalysis();
  const MapData map = makeMap(*analysis, {HeadName{0, 1}, {}}, ApKind::Aligned);
  EXPECT_DOUBLE_EQ(map.mean[0], 0.25);
  EXPECT_EQ(map.note, "");
  EXPECT_THAT(makeMap(*analysis, {HeadName{0, 1}, {}}).note, HasSubstr("0.25 above"));
  const Table& heads = *analysis->find("heads");
  EXPECT_EQ(headSentence(heads, 0, ApKind::Aligned),
            "late queries hardly choose by content: AP 0.45 \u2192 0.25");
  EXPECT_THAT(headSentence(heads, 0), HasSubstr("AP 0.90 \u2192 0.50; binned AP is 0.25 above"));
  EXPECT_EQ(headOfInterest(*analysis, ApKind::Aligned), (HeadName{0, 3}));
}

TEST(PlasticityShown, HeadCardGivesTheReasonOfAMissingValue) {
  const auto analysis = test::alignedAnalysis();
  const HeadGridData grid = makeHeadGrid(analysis, factsOf(*analysis), "ap_aligned",
                                         {HeadOrder::Layers, HeadShow::Heads, {}, ApKind::Aligned});
  std::string card;
  for (const CardLine& line : headCard(grid, {0, 3})) card += line.label + " " + line.value + "; ";
  EXPECT_THAT(card, HasSubstr("no value its positions are not known"));
}

}  // namespace plastiscope
