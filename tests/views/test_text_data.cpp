// A text as a document: texts and colours of its tokens, and a query's scores of the keys before it.
#include <gmock/gmock.h>

#include <cmath>

#include "core/analysis/pair_inspection.h"
#include "core/base/error.h"
#include "core/views/text_data.h"
#include "tests/views/literal_study.h"

namespace plastiscope {
namespace {

using Tokens = std::vector<std::string>;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pair;

TEST(TextDocument, ShowsTokensInOneLineAndFindsParagraphs) {
  const Tokens tokens = {"caf\xC3", "\xA9\n", "two", ".", "\n\n", "  three", "\n", " \n", "four"};
  const TextDocument text = makeTextDocument("x", tokens);
  EXPECT_THAT(text.tokens, ElementsAre("caf\u00E9", "\u21B5", "two", ".", "\u21B5\u21B5", "  three", "\u21B5",
                                       " \u21B5", "four"));
  EXPECT_THAT(text.endsParagraph, ElementsAre(false, false, false, false, true, false, false, true, false));
}

TEST(TextDocument, FindsWordsAcrossTokensInAnyCase) {
  const Tokens tokens = {"The", " lic", "ense", " of the", " LICENSE", " \n", "   of", " it"};
  const TextDocument text = makeTextDocument("x", tokens);
  EXPECT_THAT(findWords(text, "license"), ElementsAre(TokenSpan{1, 2}, TokenSpan{4, 4}));
  EXPECT_THAT(findWords(text, "the"), ElementsAre(TokenSpan{0, 0}, TokenSpan{3, 3}));
  EXPECT_THAT(findWords(text, "license of"), ElementsAre(TokenSpan{1, 3}, TokenSpan{4, 6}))
      << "also over a line's end";
  EXPECT_THAT(findWords(text, "  "), ElementsAre());
  EXPECT_THAT(findWords(text, ""), ElementsAre());
  EXPECT_THAT(findWords(text, "nowhere"), ElementsAre());
}

TEST(TextDocument, FindsWordsAcrossTokensWithLabels) {
  const Tokens tokens = {"\xC3", "\xA9t", "\xC3", "\xA9", " so\u200B", "\u200B", "ft", ""};
  const TextDocument text = makeTextDocument("x", tokens);
  EXPECT_THAT(text.tokens,
              ElementsAre("\u00E9", "t", "\u00E9", "<0xA9>", " so\u200B", "U+200B", "ft", "<empty>"));
  EXPECT_THAT(findWords(text, "\u00E9t\u00E9 so"), ElementsAre(TokenSpan{0, 4}));
  EXPECT_THAT(findWords(text, "200"), ElementsAre());
  EXPECT_THAT(findWords(text, "empty"), ElementsAre());
}

// Four dimensions; head L0H1 has a = (1, 0, 0, 0) and b = (0, 0.6, 0.8, 0).
CapturedRows rowsOf(const RowPlace& place) {
  CapturedRows rows;
  rows.headDim = 4;
  if (place.set == RowSet::Query) {
    rows.position = {30, 10, 20};
    rows.example = {0, 0, 1};
    rows.bucket = {0, 0, 0};
    rows.vectors = {2, 3, 4, 5, /**/ 1, 0, 0, 0, /**/ 0, 0, 0, 1};
  } else {
    rows.position = {5, 30, 40, 10, 7};
    rows.example = {0, 0, 0, 0, 1};
    rows.bucket = {0, 0, 0, 0, 0};
    rows.vectors = {1, 0, 0, 0, /**/ 0, 3, 4, 0, /**/ 9, 9, 9, 9, /**/ -1, 1, 0, 2, /**/ 8, 8, 8, 8};
  }
  return rows;
}

Study study() {
  auto capture = std::make_shared<test::LiteralCapture>(std::vector<std::string>{"one", "two"}, rowsOf);
  return {capture, test::literalAnalysis(), "", "", {}};
}

TEST(HeadText, HasTheRowsOfOneTextInOrderWithTheirCoordinates) {
  const HeadText text = makeHeadText(study(), {0, 1}, 0);
  EXPECT_EQ(text.missing, "");
  EXPECT_THAT(text.query.row, ElementsAre(1, 0));
  EXPECT_THAT(text.query.position, ElementsAre(10, 30));
  EXPECT_THAT(text.query.a, ElementsAre(1, 2));
  EXPECT_FLOAT_EQ(text.query.b[1], 0.6F * 3 + 0.8F * 4);
  EXPECT_FLOAT_EQ(text.query.norm[1], std::sqrt(4.0F + 9 + 16 + 25));
  EXPECT_THAT(text.key.position, ElementsAre(5, 10, 30, 40));
  EXPECT_EQ(text.key.at(30), std::size_t{2});
  EXPECT_EQ(text.key.at(29), std::nullopt);
}

TEST(HeadText, GivesTheReasonOfMissingRows) {
  EXPECT_NE(makeHeadText(study(), {0, 3}, 0).missing.find("no axis a"), std::string::npos);
  Study alone = study();
  alone.capture = nullptr;
  EXPECT_NE(makeHeadText(alone, {0, 1}, 0).missing.find("only its analysis"), std::string::npos);
}

TEST(HeadText, TakesPlasticityAndScoresLater) {
  HeadText text = makeHeadText(study(), {0, 1}, 0);
  EXPECT_TRUE(std::isnan(text.query.values(TokenMeasure::Plasticity)[0]));
  addPlasticity(text,
                {{{0, 30, 4, 0.25}, {1, 20, 4, 0.75}}, {{0, 5, 2, 0.5}, {0, 10, 0, NAN}, {0, 6, 1, 1}}});
  EXPECT_TRUE(std::isnan(text.query.pp[0]));
  EXPECT_EQ(text.query.pp[1], 0.25F) << "of this text, by position";
  EXPECT_EQ(text.key.pp[0], 0.5F);
  EXPECT_TRUE(std::isnan(text.key.pp[1]));

  QueryScores scores = makeQueryScores(study(), {0, 1}, 0);
  addScores(text, scores);
  EXPECT_EQ(text.scoredBy, 30);
  EXPECT_FLOAT_EQ(text.key.values(TokenMeasure::Score)[1], 5.5F);  // of the key at 10
  EXPECT_TRUE(std::isnan(text.key.score[3])) << "behind the query";
  HeadText other = makeHeadText(study(), {0, 1}, 1);
  addScores(other, scores);
  EXPECT_EQ(other.scoredBy, std::nullopt);
}

TEST(TokenValues, BetweenRowsTakesTheMeanOfNearRows) {
  TokenRows rows;
  rows.position = {1, 3, 4, 6};
  rows.a = {10, 20, 40, NAN};
  const auto values = tokenValues(rows, TokenMeasure::A, 8, 1);
  EXPECT_THAT(std::vector<float>(values.begin(), values.begin() + 6), ElementsAre(10, 10, 15, 20, 40, 40));
  EXPECT_EQ(values[6], 40) << "rows without a value do not count";
  EXPECT_TRUE(std::isnan(tokenValues(TokenRows(), TokenMeasure::A, 1)[0]));
  EXPECT_EQ(tokenValues(rows, TokenMeasure::A, 3, 2)[2], (10.0F + 20 + 40) / 3);
}

TEST(TokenValues, ScaleLeavesOutExtremes) {
  TokenRows rows;
  for (int i = 0; i < 200; ++i) rows.a.push_back(static_cast<float>(i));
  rows.a[0] = -1e6F;
  EXPECT_THAT(valueRange(rows, TokenMeasure::A), Pair(2, 197));
  rows.a.assign(5, 3.0F);
  EXPECT_THAT(valueRange(rows, TokenMeasure::A), Pair(2.5, 3.5));
}

// Row 0 at 30 of text 0 sees the keys at 5, 10 and 30; the one at 40 is later, row 4 is of the other text.
TEST(QueryScores, SplitTheScoreIntoItsParts) {
  const Study of = study();
  const double scale = of.capture->info().scoreScale;
  const QueryScores scores = makeQueryScores(of, {0, 1}, 0);
  EXPECT_EQ(scores.position, 30);
  ASSERT_EQ(scores.keys.size(), 3u);
  EXPECT_EQ(scores.keys[1].row, 3);
  // q = (2, 3, 4, 5), k = (-1, 1, 0, 2): q . k = 11, a: 2 * -1, b: 5 * 0.6.
  EXPECT_THAT(scores.keys[1].score, DoubleNear(scale * 11, 1e-12));
  EXPECT_THAT(scores.keys[1].a, DoubleNear(scale * -2, 1e-12));
  EXPECT_THAT(scores.keys[1].b, DoubleNear(scale * 3, 1e-12));
  EXPECT_THAT(scores.keys[1].rest, DoubleNear(scale * 10, 1e-12));
  EXPECT_THAT(scores.mean.score, DoubleNear(scale * (2 + 11 + 25) / 3, 1e-12));
  EXPECT_THAT(scores.mean.a + scores.mean.b + scores.mean.rest, DoubleNear(scores.mean.score, 1e-12));
  EXPECT_THAT(scores.strongest(2), ElementsAre(2, 1));
  EXPECT_THROW(makeQueryScores(of, {0, 1}, 3), UsageError);
}

// Keys at every position of a text: sampled ones keep their rows, the others have none.
TEST(QueryScores, TakeEveryKeyOfADenseHead) {
  auto capture = std::make_shared<test::LiteralCapture>(
      std::vector<std::string>{"one", "two"}, [](const RowPlace& place) {
        if (place.set == RowSet::Query || place.set == RowSet::Key) return rowsOf(place);
        EXPECT_EQ(place.head, place.set == RowSet::DenseKey ? 0 : 1);  // the key head of L0H1
        CapturedRows rows{4, {}, {}, {}, {}};
        for (std::int32_t example = 0; example < 2; ++example) {
          for (std::int32_t t = 0; t < 100; ++t) {
            rows.position.push_back(t);
            rows.example.push_back(example);
            rows.bucket.push_back(0);
            const float a = example == 0 ? static_cast<float>(t) : -1;
            rows.vectors.insert(rows.vectors.end(), {a, 0, 0, 1});
          }
        }
        return rows;
      });
  CaptureLayerInfo layer;
  layer.queryHeads = layer.denseQueryHeads = {1};
  layer.keyHeads = layer.denseKeyHeads = {0};
  capture->editable().layerInfos = {layer};
  const Study of{capture, test::literalAnalysis(), "", "", {}};
  const QueryScores scores = makeQueryScores(of, {0, 1}, 0);
  EXPECT_TRUE(scores.everyKey);
  ASSERT_EQ(scores.keys.size(), 31u);  // the query's own among them
  EXPECT_EQ(scores.keys[10].row, 3);
  EXPECT_EQ(scores.keys[11].row, -1);
  const double scale = capture->info().scoreScale;
  EXPECT_THAT(scores.keys[11].score, DoubleNear(scale * (2 * 11 + 5), 1e-12));
  EXPECT_THAT(scores.keys[11].a, DoubleNear(scale * 22, 1e-12));
  EXPECT_THAT(scores.strongest(1), ElementsAre(30));
  EXPECT_FALSE(makeQueryScores(study(), {0, 1}, 0).everyKey);

  // Every token of the text has its own colour, and those that were sampled keep their rows.
  HeadText text = makeHeadText(of, {0, 1}, 0);
  ASSERT_EQ(text.key.position.size(), 100u);
  ASSERT_EQ(text.query.position.size(), 100u);
  EXPECT_EQ(text.key.row[10], 3);
  EXPECT_EQ(text.key.row[11], -1);
  EXPECT_EQ(text.query.row[30], 0);
  EXPECT_EQ(text.key.a[11], 11);
  EXPECT_FLOAT_EQ(text.key.norm[11], std::sqrt(122.0F));
  addScores(text, scores);
  EXPECT_FLOAT_EQ(text.key.score[11], static_cast<float>(scale * 27));
  EXPECT_TRUE(std::isnan(text.key.score[31])) << "behind the query";

  // Any token of it is a query.
  EXPECT_TRUE(isDenseHead(of, {0, 1}));
  EXPECT_FALSE(isDenseHead(study(), {0, 1}));
  const QueryScores asked = makeQueryScores(of, {0, 1}, TokenPlace{0, 4});
  EXPECT_EQ(asked.row, -1);
  EXPECT_EQ(asked.position, 4);
  ASSERT_EQ(asked.keys.size(), 5u);
  EXPECT_THAT(asked.keys[3].score, DoubleNear(scale * (4 * 3 + 1), 1e-12));  // (4, 0, 0, 1) and (3, 0, 0, 1)
  EXPECT_THROW(makeQueryScores(of, {0, 1}, TokenPlace{0, 100}), UsageError);

  // Weights are the softmax of the keys that the layer lets the query see.
  const auto power = [scale](int key) { return std::exp(scale * 4 * key); };
  const double seen = power(2) + power(3) + power(4);
  EXPECT_THAT(asked.keys[3].weight, DoubleNear(power(3) / (power(0) + power(1) + seen), 1e-12));
  capture->editable().layerInfos.front().window = 3;
  const QueryScores near = makeQueryScores(of, {0, 1}, TokenPlace{0, 4});
  EXPECT_EQ(near.keys[1].weight, 0);
  EXPECT_THAT(near.keys[3].weight, DoubleNear(power(3) / seen, 1e-12));
  EXPECT_TRUE(std::isnan(makeQueryScores(study(), {0, 1}, 0).keys[0].weight)) << "not of sampled keys";
}

}  // namespace
}  // namespace plastiscope
