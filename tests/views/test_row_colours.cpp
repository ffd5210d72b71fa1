#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/views/figure_tables.h"
#include "core/views/row_colours.h"
#include "views/literal_study.h"

namespace plastiscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Four numbers per row; positions 0, 25, 50, 99 of a window of 100, in two texts.
CapturedRows fourRows(std::vector<float> vectors) {
  return {4, {0, 25, 50, 99}, {0, 1, 0, 1}, {0, 0, 0, 0}, std::move(vectors)};
}

PlaneData literalPlane() {
  PlaneData plane = projectRows(fourRows({3, 4, 0, 0, 0, 0, 5, 12, 1, 2, 2, 0, 0, 0, 0, 2}),
                                fourRows({1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4}),
                                {{1, 0, 0, 0}, {0, 1, 0, 0}, false}, 100);
  plane.exampleIds = {"a <b>", "second"};
  return plane;
}

TEST(RowColours, ListHasAllColours) {
  ASSERT_EQ(rowColours().size(), namesOf(RowColour()).size());
  for (std::size_t i = 0; i < rowColours().size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(rowColours()[i].colour), i);
}

TEST(RowColours, HasLengthsInAndOutsideThePlane) {
  const PlaneData plane = literalPlane();
  EXPECT_THAT(plane.query.norm, ElementsAre(5, 13, 3, 2));
  EXPECT_THAT(plane.query.rest, ElementsAre(0, 13, 2, 2));
  // Around the pooled mean, a row and its opposite lie equally far outside.
  const PlaneData around = projectRows({4, {0}, {0}, {0}, {3, 1, 0, 7}}, {4, {0}, {0}, {0}, {1, 3, 4, 1}},
                                       {{1, 0, 0, 0}, {0, 1, 0, 0}, true}, 100);
  EXPECT_FLOAT_EQ(around.query.rest[0], std::sqrt(4.F + 9.F));
  EXPECT_FLOAT_EQ(around.key.rest[0], std::sqrt(4.F + 9.F));
  EXPECT_FLOAT_EQ(around.query.norm[0], std::sqrt(59.F));
}

TEST(RowColours, PositionNeedsNoColouring) {
  EXPECT_EQ(colourRows(literalPlane(), RowColour::Position), nullptr);
}

TEST(RowColours, HasQuintilesOfTheWindow) {
  const auto colouring = colourRows(literalPlane(), RowColour::Quintile);
  EXPECT_EQ(colouring->steps, 5);
  EXPECT_THAT(colouring->query, ElementsAre(0, 1, 2, 4));
  EXPECT_TRUE(colouring->classes.empty());
}

TEST(RowColours, FewTextsAreClassesAndManyAreARamp) {
  PlaneData plane = literalPlane();
  const auto few = colourRows(plane, RowColour::Text);
  ASSERT_EQ(few->classes.size(), 2u);
  EXPECT_EQ(few->classes[0].name, "a &lt;b&gt;");
  EXPECT_NE(few->classes[0].colour, few->classes[1].colour);
  EXPECT_THAT(few->key, ElementsAre(0, 1, 0, 1));
  plane.exampleIds.resize(8, "more");
  const auto many = colourRows(plane, RowColour::Text);
  EXPECT_TRUE(many->classes.empty());
  EXPECT_EQ(many->steps, 8);
  EXPECT_EQ(many->ends, "text 1 \u2026 8");
}

TEST(RowColours, NormsCoverTheMiddleOfBothKinds) {
  PlaneData plane = literalPlane();
  plane.query.norm[0] = std::numeric_limits<float>::quiet_NaN();
  const auto colouring = colourRows(plane, RowColour::Norm);  // 1 to 13
  EXPECT_EQ(colouring->ends, "norm 1.0 \u2026 13.0");
  EXPECT_EQ(colouring->query[1], colouring->steps - 1);
  EXPECT_EQ(colouring->key[0], 0);
  EXPECT_EQ(colouring->key[3], colouring->steps * 3 / 12) << "norm 4";
}

class WordCapture : public test::LiteralCapture {
 public:
  explicit WordCapture(std::vector<std::string> words)
      : LiteralCapture({"first"}, [](const RowPlace&) { return CapturedRows(); }),
        m_words(std::move(words)) {}
  std::vector<std::string> tokenTexts(std::int64_t) const override { return m_words; }

 private:
  std::vector<std::string> m_words;
};

TEST(RowColours, HasTheTypesOfTheRowsTokens) {
  PlaneData plane = literalPlane();
  for (PlaneRows* rows : {&plane.query, &plane.key}) {
    rows->position = {0, 1, 2, 3};
    rows->example.assign(4, 0);
  }
  const TokenTypes types = tokenTypesOf(WordCapture({"A", "bc", " 1", "\n"}));
  const auto colouring = colourRows(plane, RowColour::TokenType, &types);
  EXPECT_THAT(colouring->query, ElementsAre(0, 1, 2, 4));
  EXPECT_EQ(colouring->classes.size(), namesOf(TokenType()).size());
  const std::string csv = toCsv(tableOf(plane, colouring.get()));
  EXPECT_THAT(csv, HasSubstr("kind,row,example,position,x,y,token_type\nquery,0,a <b>,0,3,4,word_start\n"));
  plane.key.position[2] = 4;
  EXPECT_THROW(colourRows(plane, RowColour::TokenType, &types), InputError);
  EXPECT_THROW(tokenTypesOf(WordCapture({})), InputError);
}

TEST(RowColours, TableHasTheColouringValue) {
  const PlaneData plane = literalPlane();
  const auto csv = [&plane](RowColour by) { return toCsv(tableOf(plane, colourRows(plane, by).get())); };
  EXPECT_THAT(csv(RowColour::Position), HasSubstr("kind,row,example,position,x,y\n"));
  EXPECT_EQ(csv(RowColour::Text), csv(RowColour::Position)) << "the table always has the text";
  EXPECT_THAT(csv(RowColour::Quintile), HasSubstr("x,y,quintile\nquery,0,a <b>,0,3,4,1\n"));
  EXPECT_THAT(csv(RowColour::Norm), HasSubstr("x,y,norm\nquery,0,a <b>,0,3,4,5\n"));
  EXPECT_THAT(csv(RowColour::Rest), HasSubstr("query,1,second,25,0,0,13\n"));
}

}  // namespace
}  // namespace plastiscope
