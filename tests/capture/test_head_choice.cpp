#include <gmock/gmock.h>

#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/capture/head_list.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Json& expected(const char* part) {
  static const Json all = readJsonFile(PLASTISCOPE_TEST_DATA "/capture/expected.json");
  return all.at(part);
}

ModelSpec specOf(std::int64_t layers, std::int64_t queryHeads, std::int64_t keyHeads) {
  ModelSpec spec;
  spec.layerCount = layers;
  spec.queryHeads = queryHeads;
  spec.keyHeads = keyHeads;
  spec.headDim = 8;
  spec.layers.resize(static_cast<std::size_t>(layers));
  for (LayerSpec& layer : spec.layers) layer.keyHeads = keyHeads, layer.headDim = spec.headDim;
  return spec;
}

std::string failureOf(const std::string& heads, const ModelSpec& spec) {
  CapturePlan plan;
  plan.heads = heads;
  return test::failureOf<UsageError>([&] { chooseHeads(plan, spec); });
}

TEST(HeadChoice, SamplesLikePython) {
  for (const Json& entry : expected("draws")) {
    EXPECT_EQ(pythonSample(entry.at("seed").get<std::uint64_t>(), entry.at("n").get<std::int64_t>(),
                           entry.at("count").get<std::int64_t>()),
              entry.at("sample").get<std::vector<std::int64_t>>())
        << entry.at("n");
  }
}

TEST(HeadChoice, DrawsTheFirstIndicesOfTheMethod) {
  const auto first = [](std::int64_t n) {
    auto sample = pythonSample(0, n, 300);
    sample.resize(6);
    return sample;
  };
  EXPECT_THAT(first(448), ElementsAre(432, 197, 388, 215, 20, 132));
  EXPECT_THAT(first(512), ElementsAre(394, 388, 455, 215, 20, 132));
  EXPECT_THAT(first(576), ElementsAre(394, 430, 41, 265, 523, 497));
  EXPECT_THAT(first(672), ElementsAre(394, 430, 41, 265, 523, 497));
  EXPECT_THAT(first(832), ElementsAre(394, 776, 430, 41, 265, 523));
  EXPECT_THAT(first(1024), ElementsAre(788, 776, 911, 430, 41, 265));
  EXPECT_THAT(first(1088), ElementsAre(788, 861, 82, 530, 1047, 995));
  EXPECT_THAT(first(1152), ElementsAre(788, 861, 82, 530, 1047, 995));
  EXPECT_THAT(first(1280), ElementsAre(788, 861, 82, 530, 1047, 995));
  EXPECT_THAT(first(1600), ElementsAre(788, 1552, 861, 82, 530, 1047));
}

// Query heads, distinct key heads and layers with a chosen head, for the models of the thesis (method.md,
// Head choice).
struct TableRow {
  const char* model;
  std::int64_t layers, queryHeads, keyHeads;
  std::size_t captured, distinctKeys, layersHit;
};

class HeadTable : public ::testing::TestWithParam<TableRow> {};

TEST_P(HeadTable, HasTheCountsOfTheMethod) {
  const TableRow row = GetParam();
  ModelSpec spec = specOf(row.layers, row.queryHeads, row.keyHeads);
  if (std::string(row.model) == "llama3.2-11b") {
    for (const std::size_t layer : {3, 8, 13, 18, 23, 28, 33, 38})
      spec.layers[layer].attention = AttentionKind::Cross;
  }
  const std::vector<HeadName> heads = chooseHeads(CapturePlan{}, spec);
  std::set<std::int64_t> layers;
  for (const HeadName& head : heads) layers.insert(head.layer);
  EXPECT_EQ(heads.size(), row.captured);
  EXPECT_EQ(keyHeadsOf(heads, spec).size(), row.distinctKeys);
  EXPECT_EQ(layers.size(), row.layersHit);
}

INSTANTIATE_TEST_SUITE_P(Method, HeadTable,
                         ::testing::Values(TableRow{"ministral3-3b", 26, 32, 8, 300, 167, 26},
                                           TableRow{"ministral3-8b", 34, 32, 8, 300, 189, 34},
                                           TableRow{"ministral3-14b", 40, 32, 8, 300, 201, 40},
                                           TableRow{"qwen3-0.6b and 1.7b", 28, 16, 8, 300, 200, 28},
                                           TableRow{"qwen3-4b and 8b", 36, 32, 8, 300, 194, 36},
                                           TableRow{"qwen3-14b", 40, 40, 8, 300, 194, 40},
                                           TableRow{"llama3.2-1b", 16, 32, 8, 300, 123, 16},
                                           TableRow{"llama3.2-3b", 28, 24, 8, 300, 188, 28},
                                           TableRow{"llama3.2-11b", 40, 32, 8, 239, 157, 32},
                                           TableRow{"llama3.1-8b and mistral-v0.2-7b", 32, 32, 8, 300, 187,
                                                    32},
                                           TableRow{"smollm3-3b", 36, 16, 4, 300, 136, 36}));

TEST(HeadChoice, ChoosesEveryHeadLikePython) {
  for (const Json& entry : expected("heads")) {
    ModelSpec spec = specOf(entry.at("layers"), entry.at("query_heads"), entry.at("key_heads"));
    for (const Json& layer : entry.at("cross"))
      spec.layers[layer.get<std::size_t>()].attention = AttentionKind::Cross;
    std::vector<HeadName> wanted;
    for (const Json& head : entry.at("chosen")) wanted.push_back({head[0], head[1]});
    EXPECT_EQ(chooseHeads(CapturePlan{}, spec), wanted) << entry.at("model");
  }
}

TEST(HeadChoice, SmolLm3Has73HeadsInLayersWithoutRope) {
  const auto heads = chooseHeads(CapturePlan{}, specOf(36, 16, 4));
  EXPECT_EQ(
      std::count_if(heads.begin(), heads.end(), [](const HeadName& head) { return head.layer % 4 == 3; }),
      73);
}

// Without author_parity, cross-attention layers are excluded before the draw.
TEST(HeadChoice, CrossAttentionIsExcludedFirstWithoutParity) {
  ModelSpec spec = specOf(40, 32, 8);
  for (std::size_t layer = 3; layer < 40; layer += 5) spec.layers[layer].attention = AttentionKind::Cross;
  CapturePlan plan;
  plan.authorParity = false;
  EXPECT_EQ(chooseHeads(plan, spec).size(), 300u);
  for (const HeadName& head : chooseHeads(plan, spec)) EXPECT_NE(head.layer % 5, 3);
}

TEST(HeadChoice, FewCandidatesAreAllTaken) {
  EXPECT_EQ(chooseHeads(CapturePlan{}, specOf(30, 9, 3)).size(), 270u);
}

TEST(HeadChoice, SlidingLayersOnlyWithAllLayers) {
  ModelSpec spec = specOf(4, 2, 1);
  spec.layers[0].attention = AttentionKind::Sliding;
  spec.layers[2].attention = AttentionKind::Chunked;
  spec.layers[0].window = spec.layers[2].window = 64;
  CapturePlan plan;
  plan.heads = "all";
  EXPECT_THAT(chooseHeads(plan, spec),
              ElementsAre(HeadName{1, 0}, HeadName{1, 1}, HeadName{3, 0}, HeadName{3, 1}));
  plan.allLayers = true;
  EXPECT_EQ(chooseHeads(plan, spec).size(), 8u);
  EXPECT_THAT(failureOf("L0H1", spec), HasSubstr("--all-layers"));
}

TEST(HeadChoice, LayersWithoutVectorsGiveNone) {
  ModelSpec spec = specOf(3, 2, 1);
  spec.layers[0].attention = AttentionKind::Linear;
  spec.layers[1].attention = AttentionKind::Cross;
  CapturePlan plan;
  plan.heads = "all";
  EXPECT_THAT(chooseHeads(plan, spec), ElementsAre(HeadName{2, 0}, HeadName{2, 1}));
  EXPECT_THAT(failureOf("L0H1", spec), HasSubstr("linear attention, which has no vectors"));
  EXPECT_THAT(failureOf("L1H0", spec), HasSubstr("cross attention, which has no vectors"));
}

// floor(7 / 3) = 2 heads a layer, one more in the first 7 mod 3 = 1 layers; the draws are random.Random(seed
// + layer).
TEST(HeadChoice, StratifiedDrawsInEveryLayer) {
  ModelSpec spec = specOf(4, 8, 4);
  spec.layers[1].attention = AttentionKind::Cross;
  CapturePlan plan;
  plan.heads = "stratified:7";
  plan.headSeed = 5;
  std::vector<HeadName> wanted;
  for (const auto& [layer, count] : std::map<std::int64_t, std::int64_t>{{0, 3}, {2, 2}, {3, 2}}) {
    for (const auto head : pythonSample(5 + static_cast<std::uint64_t>(layer), 8, count))
      wanted.push_back({layer, head});
  }
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(chooseHeads(plan, spec), wanted);
  plan.heads = "stratified:1000";
  EXPECT_EQ(chooseHeads(plan, spec).size(), 24u);
}

TEST(HeadChoice, ReadsListsOfHeads) {
  EXPECT_EQ(headListText(parseHeadList("L12H6, l3h0-2,L3H1")), "L3H0-2,L12H6");
  EXPECT_THAT(parseHeadList("L12H6, l3h0-2,L3H1"),
              ElementsAre(HeadName{3, 0}, HeadName{3, 1}, HeadName{3, 2}, HeadName{12, 6}));
  EXPECT_THAT(parseLayerList("0-2,9,1"), ElementsAre(0, 1, 2, 9));
  EXPECT_EQ((HeadName{12, 6}.text()), "L12H6");
  for (const char* wrong :
       {"", "L1", "L1H", "L1H3-1", "L1H-1", "1H2", "L1H2 3", "L1H2,", "L1H99999999999999999999"}) {
    EXPECT_THROW(parseHeadList(wrong), UsageError) << wrong;
  }
  for (const char* wrong : {"", "-1", "3-1", "1-", "a", "1,,2"})
    EXPECT_THROW(parseLayerList(wrong), UsageError) << wrong;
  for (const char* wrong : {"", "0", "-3", "some", "stratified:", "stratified:0", "stratified:x", "1.5"}) {
    EXPECT_THROW(parseHeadRequest(wrong), UsageError) << wrong;
  }
}

TEST(HeadRanges, SelectOnlyExistingHeads) {
  const std::vector<HeadName> there = {{1, 0}, {1, 3}, {4, 2}};
  EXPECT_THAT(headsMeant("L1H0-7, L4H2,L1H3", there),
              ElementsAre(HeadName{1, 0}, HeadName{1, 3}, HeadName{4, 2}));
  EXPECT_THAT(headsMeant("L1H0-999999", there), ElementsAre(HeadName{1, 0}, HeadName{1, 3}));
  EXPECT_EQ(test::failureOf<UsageError>([&] { headsMeant("L1H0-7,L1H2", there); }),
            "head L1H2 was not captured");
  EXPECT_EQ(test::failureOf<UsageError>([&] { headsMeant("L1H4-7", there); }),
            "none of the heads L1H4-7 was captured");
  EXPECT_EQ(test::failureOf<UsageError>([&] { headsMeant("L4H1", there, "analysed"); }),
            "head L4H1 was not analysed");
  EXPECT_THAT(layersMeant("0-3,4", std::vector<std::int64_t>{1, 4}), ElementsAre(1, 4));
  EXPECT_EQ(test::failureOf<UsageError>([] { layersMeant("0-3,2", std::vector<std::int64_t>{1, 4}); }),
            "layer 2 has no captured heads");
  EXPECT_EQ(test::failureOf<UsageError>([] { layersMeant("1,5-9", std::vector<std::int64_t>{1, 4}); }),
            "none of the layers 5-9 has captured heads");
}

TEST(HeadRanges, EndAtTheLastHeadOfAModel) {
  CapturePlan plan;
  plan.heads = "L3H6-40,L0H1";
  EXPECT_THAT(chooseHeads(plan, specOf(4, 8, 4)),
              ElementsAre(HeadName{0, 1}, HeadName{3, 6}, HeadName{3, 7}));
  EXPECT_THAT(failureOf("L3H8-9", specOf(4, 8, 4)), HasSubstr("head L3H8: the model has layers 0 to 3"));
}

// Each range is allowed; together they would be 300 million heads.
TEST(HeadList, ManyLongRangesAreRefused) {
  std::string heads, layers;
  for (int i = 0; i < 300; ++i) {
    heads += (i == 0 ? "" : ",") + std::string("L0H0-999999");
    layers += (i == 0 ? "" : ",") + std::string("0-999999");
  }
  EXPECT_THROW(parseHeadList(heads), UsageError);
  EXPECT_THROW(parseHeadRequest(heads), UsageError);
  EXPECT_THROW(parseLayerList(layers), UsageError);
  EXPECT_EQ(parseHeadList("L0H0-49999,L1H0-49999").size(), 100'000u);
}

TEST(HeadChoice, RefusesHeadsThatTheModelDoesNotHave) {
  EXPECT_THAT(failureOf("L4H0", specOf(4, 8, 4)), HasSubstr("layers 0 to 3"));
  EXPECT_THAT(failureOf("L3H8", specOf(4, 8, 4)), HasSubstr("query heads 0 to 7"));
}

}  // namespace
}  // namespace plastiscope
