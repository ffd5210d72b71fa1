#include "core/base/json.h"
#include "core/model/model_card.h"

#include <gmock/gmock.h>

#include "tests/weights/file_builders.h"

namespace plastiscope::test {
namespace {

using testing::Contains;
using testing::Pair;

TEST(ModelCard, DescribesAModel) {
  const ModelCard card = cardOf(*openModel(testData("model/tiny.gguf")));
  EXPECT_EQ(card.container, "GGUF");
  EXPECT_EQ(card.parameters, 15264);
  const auto lines = cardLines(card);
  EXPECT_THAT(lines, Contains(Pair("Architecture", "llama (GGUF)")));
  EXPECT_THAT(lines, Contains(Pair("Layers", "2")));
  EXPECT_THAT(lines, Contains(Pair("Key/value heads", "2")));
  EXPECT_THAT(lines, Contains(Pair("RoPE", "default (rope_theta 50000, rotary_dim 8)")));
  EXPECT_THAT(lines, Contains(Pair("Parameters", "15,264")));
  EXPECT_THAT(lines, Contains(Pair("Weights", "F32, 61.1 kB")));
  EXPECT_THAT(lines, Contains(Pair("Embeddings", "tied with the output")));
  const Json json = toJson(card);
  EXPECT_EQ(json["kind"], "model");
  EXPECT_EQ(json["query_heads"], 4);
  EXPECT_EQ(json["head_dim"], 8);
  EXPECT_EQ(json["rope"]["rope_theta"], 50000);
  EXPECT_EQ(json["windows"], Json::array());
}

TEST(ModelCard, NamesLayersThatDiffer) {
  const ModelCard card = cardOf(*openModel(testData("families/gemma4_text")));
  const auto lines = cardLines(card);
  EXPECT_THAT(lines, Contains(Pair("Head size", "16")));
  EXPECT_THAT(lines, Contains(Pair("Heads of size 32", "2 key/value heads, layers 1, 3")));
  EXPECT_THAT(lines, Contains(Pair("Keys of an earlier layer", "layers 2-3")));
  EXPECT_EQ(toJson(card)["own_heads"][0]["layers"], Json({1, 3}));
  EXPECT_FALSE(toJson(cardOf(*openModel(testData("model/tiny.gguf")))).contains("own_heads"));
}

TEST(ModelCard, GathersKindsOfLayers) {
  Model model = *openModel(testData("model/folder"));
  LayerSpec sliding = model.spec.layers.front(), nope = sliding, cross = sliding;
  sliding.attention = AttentionKind::Sliding;
  sliding.window = 4096;
  nope.rope = false;
  cross.attention = AttentionKind::Cross;
  model.spec.layers = {sliding, sliding, nope, cross, sliding, LayerSpec{}};
  const ModelCard card = cardOf(model);
  ASSERT_EQ(card.windows.size(), 1u);
  EXPECT_EQ(card.windows[0].layers, (std::vector<std::int64_t>{0, 1, 4}));
  EXPECT_EQ(card.nopeLayers, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(card.crossLayers, (std::vector<std::int64_t>{3}));
  const auto lines = cardLines(card);
  EXPECT_THAT(lines, Contains(Pair("Window of 4,096", "layers 0-1, 4")));
  EXPECT_THAT(lines, Contains(Pair("No RoPE", "layers 2")));
  EXPECT_THAT(lines, Contains(Pair("Cross-attention", "layers 3")));
  EXPECT_EQ(toJson(card)["windows"][0]["tokens"], 4096);
}

TEST(ModelCard, DescribesRecurrencesExpertsAndChunks) {
  const auto hybrid = cardLines(cardOf(*openModel(testData("families/qwen3_next"))));
  EXPECT_THAT(hybrid, Contains(Pair("Linear attention", "layers 0, 2, no vectors")));
  EXPECT_THAT(hybrid, Contains(Pair("Experts", "4, used per token: 2")));
  EXPECT_THAT(hybrid, Contains(Pair("Embeddings", "separate from the output")));
  const auto chunked = cardLines(cardOf(*openModel(testData("families/llama4_text"))));
  EXPECT_THAT(chunked, Contains(Pair("Chunks of 1,100", "layers 0, 2")));
}

TEST(ModelCard, RopeTextCountsLists) {
  RopeSpec rope;
  rope.rotaryDim = 4;
  rope.frequencyFactors = {1, 2};
  EXPECT_EQ(ropeText(rope), "default (frequency_factors 2 values, rope_theta 10000, rotary_dim 4)");
}

TEST(ModelCard, RopeTextWritesRoundNumbersInFull) {
  RopeSpec rope;
  rope.kind = "linear";
  rope.theta = 1e5;
  rope.factor = 2.5;
  rope.rotaryDim = 64;
  EXPECT_EQ(ropeText(rope), "linear (factor 2.5, rope_theta 100000, rotary_dim 64)");
}

TEST(NumberRanges, AreShort) {
  EXPECT_EQ(numberRanges({}), "");
  EXPECT_EQ(numberRanges({3}), "3");
  EXPECT_EQ(numberRanges({0, 1, 2, 4, 8, 9}), "0-2, 4, 8-9");
}

}  // namespace
}  // namespace plastiscope::test
