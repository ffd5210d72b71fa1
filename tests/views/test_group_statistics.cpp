// Contrasts of groups equal results of NumPy and SciPy (tests/data/views/make_groups.py), find planted
// differences and hold their level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/views/group_statistics.h"
#include "tests/support/failure.h"

namespace plastiscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const Json& expectedGroups() {
  static const Json json = readJsonFile(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "views/groups.json");
  return json;
}

Table tableOfNumPy() {
  Table table{"heads", {}};
  for (const char* name : {"layer", "head", "kv_head"})
    table.columns.push_back({name, expectedGroups()["table"][name].get<std::vector<std::int64_t>>()});
  for (const char* name : {"ap_overall", "ap_drop"}) {
    std::vector<double> values;
    for (const Json& value : expectedGroups()["table"][name])
      values.push_back(value.is_null() ? kMissing : value.get<double>());
    table.columns.push_back({name, values});
  }
  return table;
}

HeadGroup groupOf(const std::string& name) {
  HeadGroup group{name, "#0072b2", {}};
  for (const Json& head : expectedGroups()["groups"][name]) group.heads.push_back(*headNamed(head));
  return group;
}

class Contrasts : public testing::TestWithParam<int> {};

TEST_P(Contrasts, EqualThoseOfNumPy) {
  const Json& wanted = expectedGroups()["contrasts"][GetParam()];
  const std::string against = wanted["against"];
  GroupOptions options;
  options.metrics = {wanted["metric"]};
  options.against = against == "rest"     ? GroupAgainst::Rest
                    : against == "layers" ? GroupAgainst::Layers
                                          : GroupAgainst::Group;
  if (options.against == GroupAgainst::Group) options.other = groupOf(against);
  const auto found = groupContrasts(tableOfNumPy(), groupOf(wanted["group"]), options);
  ASSERT_EQ(found.size(), 1U);
  const GroupContrast& contrast = found.front();
  EXPECT_EQ(contrast.against, against);
  EXPECT_EQ(contrast.heads, wanted["heads"]);
  EXPECT_EQ(contrast.others, wanted["others"]);
  EXPECT_EQ(contrast.keyHeads, wanted["key_heads"]);
  EXPECT_NEAR(contrast.mean, wanted["mean"], 1e-12);
  EXPECT_NEAR(contrast.difference, wanted["difference"], 1e-12);
  EXPECT_NEAR(contrast.otherMean, contrast.mean - contrast.difference, 1e-12);
  EXPECT_NEAR(contrast.effect, wanted["effect"], 1e-12);
  // Few orders are all visited; the others are a sample of 9,999.
  const bool all = options.against != GroupAgainst::Rest;
  EXPECT_NEAR(contrast.p, wanted["p"], all ? 1e-12 : 0.01);
  EXPECT_NEAR(contrast.pKeyHeads, wanted["p_key_heads"], 1e-12);
  EXPECT_DOUBLE_EQ(contrast.q, contrast.pKeyHeads);
  const double low = wanted["interval"][0], high = wanted["interval"][1];
  EXPECT_NEAR(contrast.interval.low, low, 0.06 * (high - low));
  EXPECT_NEAR(contrast.interval.high, high, 0.06 * (high - low));
}

INSTANTIATE_TEST_SUITE_P(AllCases, Contrasts, testing::Range(0, 8));

TEST(GroupContrasts, FalseDiscoveryRatesEqualThoseOfSciPy) {
  std::vector<double> p;
  for (const Json& each : expectedGroups()["p"]) p.push_back(each.is_null() ? kMissing : each.get<double>());
  const std::vector<double> q = falseDiscoveryRates(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Json& wanted = expectedGroups()["q"][i];
    if (wanted.is_null())
      EXPECT_TRUE(std::isnan(q[i]));
    else
      EXPECT_NEAR(q[i], wanted, 1e-12);
  }
}

double normal(PairGenerator& draw) {
  const auto uniform = [&] { return (static_cast<double>(draw.below(1U << 30)) + 0.5) / (1U << 30); };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

constexpr std::int64_t kTestLayers = 8, kTestHeads = 16, kTestShare = 4;

// Heads of a key head are alike if `common` is above 0; `planted` is added in the group.
Table drawnTable(PairGenerator& draw, double common, const HeadGroup& group, double planted) {
  Table table{"heads", {integers("layer"), integers("head"), integers("kv_head"), numbers("ap_drop")}};
  TableBuilder rows("heads", table.columns);
  for (std::int64_t layer = 0; layer < kTestLayers; ++layer) {
    double shared = 0;
    for (std::int64_t head = 0; head < kTestHeads; ++head) {
      if (head % kTestShare == 0) shared = normal(draw);
      const bool inside = std::ranges::binary_search(group.heads, HeadName{layer, head});
      rows.row({layer, head, head / kTestShare,
                0.1 * static_cast<double>(layer) + common * shared + normal(draw) + (inside ? planted : 0)});
    }
  }
  return rows.take();
}

// A random group of four key heads in four layers, or of four single heads.
HeadGroup drawnGroup(PairGenerator& draw, bool wholeKeyHeads) {
  HeadGroup group{"random", "#0072b2", {}};
  for (std::int64_t layer = 0; layer < kTestLayers; layer += 2) {
    const auto first =
        static_cast<std::int64_t>(draw.below(wholeKeyHeads ? kTestHeads / kTestShare : kTestHeads)) *
        (wholeKeyHeads ? kTestShare : 1);
    for (std::int64_t head = first; head < first + (wholeKeyHeads ? kTestShare : 1); ++head)
      group.heads.push_back({layer, head});
  }
  return group;
}

struct Rates {
  double heads = 0, keyHeads = 0;  // shares of p below 5 %
};
Rates ratesOf(GroupAgainst against, bool wholeKeyHeads, double common, double planted) {
  constexpr int kStudies = 300;
  PairGenerator draw(7);
  Rates rates;
  for (int study = 0; study < kStudies; ++study) {
    const HeadGroup group = drawnGroup(draw, wholeKeyHeads);
    GroupOptions options;
    options.against = against;
    options.permutations = 199;
    options.seed = static_cast<std::uint64_t>(study);
    const GroupContrast found =
        groupContrasts(drawnTable(draw, common, group, planted), group, options).front();
    rates.heads += (found.p <= 0.05 ? 1.0 : 0.0) / kStudies;
    rates.keyHeads += (found.pKeyHeads <= 0.05 ? 1.0 : 0.0) / kStudies;
  }
  return rates;
}

TEST(GroupContrasts, HoldTheirLevelForRandomGroups) {
  for (const GroupAgainst against : {GroupAgainst::Rest, GroupAgainst::Layers}) {
    const Rates rates = ratesOf(against, false, 0, 0);
    EXPECT_NEAR(rates.heads, 0.05, 0.03);
    EXPECT_NEAR(rates.keyHeads, 0.05, 0.03);
  }
}

TEST(GroupContrasts, KeyHeadsHoldTheirLevelWhereHeadsDoNot) {
  const Rates rates = ratesOf(GroupAgainst::Rest, true, 2, 0);
  EXPECT_GT(rates.heads, 0.15);
  EXPECT_NEAR(rates.keyHeads, 0.05, 0.03);
}

TEST(GroupContrasts, FindAPlantedDifference) {
  EXPECT_GT(ratesOf(GroupAgainst::Rest, true, 0, 1.5).keyHeads, 0.9);
  EXPECT_GT(ratesOf(GroupAgainst::Layers, false, 0, 2.5).keyHeads, 0.9);
}

TEST(GroupContrasts, WithoutATestNoPAndNoInterval) {
  PairGenerator draw(3);
  HeadGroup group{"one", "#0072b2", {{0, 0}}};
  for (std::int64_t layer = 0; layer < kTestLayers; ++layer) {
    for (std::int64_t head = 0; head < kTestHeads; head += kTestShare) group.heads.push_back({layer, head});
  }
  std::ranges::sort(group.heads);
  group.heads.erase(std::unique(group.heads.begin(), group.heads.end()), group.heads.end());
  const Table table = drawnTable(draw, 0, group, 0);
  // Every key head has one of its heads in the group.
  const GroupContrast same = groupContrasts(table, group, {}).front();
  EXPECT_TRUE(std::isfinite(same.p));
  EXPECT_TRUE(std::isnan(same.pKeyHeads) && std::isnan(same.q));
  EXPECT_THAT(contrastSentence(same), HasSubstr("no test: no key head can be exchanged"));
  const HeadGroup single{"single", "#0072b2", {{3, 1}}};
  EXPECT_FALSE(groupContrasts(table, single, {}).front().interval.known());
}

TEST(GroupContrasts, GroupsOfWholeLayersAreUsuallyComparedWithTheRest) {
  const Table table = tableOfNumPy();
  HeadGroup layer{"layer", "#0072b2", {}};
  for (std::int64_t head = 0; head < 6; ++head) layer.heads.push_back({2, head});
  EXPECT_EQ(usualAgainst(table, {groupOf("whole"), groupOf("mixed")}), GroupAgainst::Layers);
  EXPECT_EQ(usualAgainst(table, {groupOf("whole"), layer}), GroupAgainst::Rest);
  layer.heads.push_back({3, 0});
  EXPECT_EQ(usualAgainst(table, {layer}), GroupAgainst::Layers) << "layer 3 has others";
}

TEST(GroupContrasts, SentencesStateTheResult) {
  const Table table = tableOfNumPy();
  const auto of = [&](const char* metric) {
    GroupOptions options;
    options.metrics = {metric};
    return contrastSentence(groupContrasts(table, groupOf("whole"), options).front());
  };
  EXPECT_THAT(
      of("ap_overall"),
      StartsWith(
          "whole (6 heads) has a higher AP overall than random heads of the same layers: 0.170 (95 % 0.1"));
  EXPECT_THAT(of("ap_overall"), HasSubstr("; p = 0.037 over 3 key heads)."));
  EXPECT_THAT(of("ap_drop"), StartsWith("No difference in AP drop was found between whole (4 heads) and "));
}

TEST(GroupContrasts, RefusesWhatCannotBeCompared) {
  const Table table = tableOfNumPy();
  const auto failure = [&](const HeadGroup& group, const GroupOptions& options) {
    return failureOf<UsageError>([&] { groupContrasts(table, group, options); });
  };
  EXPECT_THAT(failure({"far", "#0072b2", {{9, 9}}}, {}),
              HasSubstr("no head of group \"far\" is in this study"));
  HeadGroup layer{"layer", "#0072b2", {}};
  for (std::int64_t head = 0; head < 6; ++head) layer.heads.push_back({2, head});
  EXPECT_THAT(failure(layer, {}), HasSubstr("leaves no other heads in its layers to compare with"));
  EXPECT_THAT(failure(groupOf("whole"), {GroupAgainst::Group, groupOf("whole"), {}}),
              HasSubstr("have no heads of their own to compare"));
  EXPECT_THAT(failure(groupOf("whole"), {GroupAgainst::Rest, {}, {"ap_drp"}}),
              HasSubstr("did you mean ap_drop"));
}

}  // namespace
}  // namespace plastiscope::test
