// An excerpt of a text as a page: lines, colours and marks; and the named keys of a query.
#include "core/views/text_excerpt.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/base/error.h"
#include "core/views/query_keys.h"
#include "tests/views/literal_study.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Forty words of one letter, a paragraph after each tenth.
TextDocument letters() {
  TextDocument text{"letters", {}, {}};
  for (int i = 0; i < 40; ++i) {
    text.tokens.emplace_back(" x");
    text.endsParagraph.push_back(i % 10 == 9);
  }
  return text;
}

// Queries at 4 and 30, keys at 2, 4 and 20.
HeadText rowsOnLetters() {
  HeadText head;
  head.head = {3, 1};
  const auto fill = [](TokenRows& rows, std::vector<std::int32_t> position) {
    for (std::size_t i = 0; i < position.size(); ++i) {
      rows.row.push_back(static_cast<std::int64_t>(i));
      rows.a.push_back(static_cast<float>(position[i]));
    }
    rows.b = rows.norm = rows.a;
    rows.pp.assign(position.size(), NAN);
    rows.score = rows.pp;
    rows.position = std::move(position);
  };
  fill(head.query, {4, 30});
  fill(head.key, {2, 4, 20});
  return head;
}

std::vector<std::size_t> firstsOf(const std::vector<TokenLine>& lines) {
  std::vector<std::size_t> firsts;
  for (const TokenLine& line : lines) firsts.push_back(line.first);
  return firsts;
}

TEST(WrappedTokens, KeepWordsWholeAndEndParagraphs) {
  const TextDocument text{"x",
                          {"sep", "ar", "ation", " of", " keys", ".", "\u21B5", "next", " one"},
                          {false, false, false, false, false, false, true, false, false}};
  const std::vector<double> widths = {3, 2, 5, 3, 5, 1, 1, 4, 4};
  EXPECT_THAT(firstsOf(wrapTokens(text, widths, 14)), ElementsAre(0, 4, 7));
  EXPECT_THAT(firstsOf(wrapTokens(text, widths, 100)), ElementsAre(0, 7));
  // A word that is longer than a line is cut between tokens; each line has at least one.
  EXPECT_THAT(firstsOf(wrapTokens(text, widths, 6)), ElementsAre(0, 2, 3, 4, 6, 7, 8));
  EXPECT_EQ(wrapTokens(text, widths, 0.5).size(), 9u);
  EXPECT_TRUE(wrapTokens(TextDocument(), {}, 5).empty());
}

TEST(ColouredTokens, HaveRowsOfOneKindAndTheirNeighbours) {
  HeadText head = rowsOnLetters();
  const TokenColouring queries = colourTokens(head, QueryOrKey::Query, TokenMeasure::A, 40);
  EXPECT_EQ(queries.value[4], 4);
  EXPECT_EQ(queries.value[10], 17) << "between 4 and 30";
  EXPECT_TRUE(queries.captured[4] && queries.captured[30] && !queries.captured[10]);
  EXPECT_TRUE(queries.other[2] && queries.other[4] && !queries.other[30]);
  EXPECT_DOUBLE_EQ(queries.share(30), 1);
  // No key behind the query that scores them.
  head.scoredBy = 30;
  head.key.score = {1, 2, 3};
  const TokenColouring scores = colourTokens(head, QueryOrKey::Key, TokenMeasure::Score, 40);
  EXPECT_EQ(scores.value[20], 3);
  EXPECT_EQ(scores.value[30], 2.5F);
  EXPECT_TRUE(std::isnan(scores.value[31]));
  head.missing = "no rows";
  EXPECT_TRUE(std::isnan(colourTokens(head, QueryOrKey::Query, TokenMeasure::A, 40).value[4]));
}

TEST(TextExcerpt, ShowsTheTokensThatFitFromAPlaceOn) {
  HeadText head = rowsOnLetters();
  head.strongest = {20, 2};
  const PageRoom twoLines{100, 2};
  const TextExcerpt page =
      makeTextExcerpt(letters(), head, QueryOrKey::Query, TokenMeasure::A, {{}, 0}, twoLines);
  EXPECT_EQ(page.first, 0);
  EXPECT_EQ(page.last(), 19) << "two paragraphs";
  EXPECT_EQ(page.tokens, 40);
  EXPECT_EQ(page.rank[2], 2u);
  EXPECT_EQ(page.colour.value[4], 4);
  EXPECT_EQ(page.colour.range, valueRange(head.query, TokenMeasure::A)) << "the range of the whole text";

  const TextExcerpt later =
      makeTextExcerpt(letters(), head, QueryOrKey::Key, TokenMeasure::A, {18, 3}, twoLines);
  EXPECT_EQ(later.first, 18);
  EXPECT_EQ(later.text.size(), 3u);
  EXPECT_TRUE(later.colour.captured[2]);
  EXPECT_EQ(later.rank[2], 1u);
  EXPECT_EQ(makeTextExcerpt(letters(), head, QueryOrKey::Key, TokenMeasure::A, {35, 0}, twoLines).last(), 39);
}

TEST(TextExcerpt, BeginsAboveItsQuery) {
  HeadText head = rowsOnLetters();
  head.scoredBy = 30;
  const TextExcerpt page =
      makeTextExcerpt(letters(), head, QueryOrKey::Query, TokenMeasure::A, {{}, 0}, {100, 3});
  EXPECT_EQ(page.first, 10) << "the query is in the last of three lines";
  EXPECT_TRUE(page.isQuery(20));
  EXPECT_THAT(tokenTip(page, 20), HasSubstr("token 30, the query<br><i>a</i> of queries 30.00"));
  EXPECT_THAT(tokenTip(page, 21), HasSubstr("mean of the rows near it"));
}

TEST(TextExcerpt, RefusesMissingTokensOrTooManyParagraphs) {
  const HeadText head = rowsOnLetters();
  const auto make = [&head](const ExcerptPlace& place) {
    return makeTextExcerpt(letters(), head, QueryOrKey::Query, TokenMeasure::A, place, {100, 2});
  };
  try {
    make({{}, 30});
    FAIL() << "three paragraphs in two lines";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("30 tokens do not fit the figure, about 20 do"));
  }
  EXPECT_THROW(make({40, 0}), UsageError);
  EXPECT_THROW(make({-1, 0}), UsageError);
}

TEST(TextExcerpt, WideCharactersTakeMoreSpace) {
  TextDocument latin{"x", std::vector<std::string>(60, " of"), std::vector<bool>(60, false)};
  TextDocument wide{"x", std::vector<std::string>(60, "\u4F4D\u7F6E"), std::vector<bool>(60, false)};
  const auto fits = [](const TextDocument& text) {
    return makeTextExcerpt(text, HeadText(), QueryOrKey::Query, TokenMeasure::A, {}, {20, 1}).text.size();
  };
  EXPECT_GT(fits(latin), 14u);
  EXPECT_LT(fits(wide), 11u);
}

TEST(TextExcerpt, TableHasEveryToken) {
  HeadText head = rowsOnLetters();
  const TextExcerpt page =
      makeTextExcerpt(letters(), head, QueryOrKey::Query, TokenMeasure::Norm, {3, 3}, {99, 9});
  EXPECT_EQ(toCsv(tableOf(page)),
            "text,position,token,norm,from,other_row,query,rank\n"
            "letters,3, x,17,near,false,false,0\n"
            "letters,4, x,4,captured,true,false,0\n"
            "letters,5, x,17,near,false,false,0\n");
}

// --- Keys of a query

CapturedRows twoQueries(const RowPlace& place) {
  CapturedRows rows;
  rows.headDim = 4;
  if (place.set == RowSet::Query) {
    rows.position = {30, 10};
    rows.example = {0, 0};
    rows.bucket = {0, 0};
    rows.vectors = {2, 3, 4, 5, /**/ 1, 0, 0, 0};
  } else {
    rows.position = {5, 30, 10};
    rows.example = {0, 0, 0};
    rows.bucket = {0, 0, 0};
    rows.vectors = {1, 0, 0, 0, /**/ 0, 3, 4, 0, /**/ -1, 1, 0, 2};
  }
  return rows;
}

Study twoQueriesStudy() {
  auto capture = std::make_shared<test::LiteralCapture>(std::vector<std::string>{"one", "two"}, twoQueries);
  return {capture, test::literalAnalysis(), "", "", {}};
}

TEST(QueryAt, IsTheRowOfATokenOrNamesTheNearest) {
  const Study study = twoQueriesStudy();
  EXPECT_EQ(std::get<std::int64_t>(queryAt(study, {0, 1}, {0, 10})), 1);
  EXPECT_EQ(std::get<std::int64_t>(lastQuery(study, {0, 1}, 0)), 0);
  const auto said = [&study](std::int64_t example, std::int64_t position) -> std::string {
    try {
      queryAt(study, {0, 1}, {example, position});
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(said(0, 12), "token 12 is not a captured query of L0H1; the nearest captured ones are 10 and 30");
  EXPECT_EQ(said(0, 31), "token 31 is not a captured query of L0H1; the nearest captured ones are 30");
  EXPECT_THAT(said(1, 10), HasSubstr("no query of L0H1 was captured in two"));
}

TEST(QueryKeys, AreRankedWithPartsLessTheirMeans) {
  const QueryKeys data = makeQueryKeys(twoQueriesStudy(), {0, 1}, std::int64_t{0});
  EXPECT_EQ(data.head, (HeadName{0, 1}));
  EXPECT_EQ(data.text, "one");
  ASSERT_EQ(data.strongest.size(), 3u);
  EXPECT_EQ(data.strongest[0].key.position, 30);
  EXPECT_EQ(data.strongest[0].rank, 1);
  for (const RankedKey& key : data.strongest)
    EXPECT_NEAR(key.sum(), key.key.score - data.scores.mean.score, 1e-12);
  EXPECT_TRUE(data.words[0].empty()) << "a capture without words";
  const Table table = tableOf(data);
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(NumberColumn(table, "position")[2], 30);
  EXPECT_EQ(NumberColumn(table, "rank")[2], 1);
}

}  // namespace
}  // namespace plastiscope
