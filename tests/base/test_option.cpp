// Options as data: one list for the command line, JSON and printed commands.
#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/option.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum class Shape { Round, Square };
constexpr std::array<const char*, 2> namesOf(Shape) {
  return {"round", "square"};
}

struct Things {
  bool quiet = false, texts = true;
  std::int64_t count = 3;
  std::uint64_t seed = 0;
  double rate = 1;
  std::string word = "a";
  std::filesystem::path file;
  std::optional<std::uint64_t> other;
  std::optional<std::pair<double, double>> range;
  std::vector<std::string> names;
  std::vector<std::filesystem::path> files;
  Shape shape = Shape::Round;
};

OptionList listOf(Things& t) {
  return {{"--quiet", "quiet", &t.quiet},
          {"--no-texts", "texts", &t.texts, "", {.clears = true}},
          {"--count", "inner.count", &t.count, "", {.limit = Limit::Between, .least = 1, .most = 9}},
          {"--seed", "inner.seed", &t.seed},
          {"--rate", "rate", &t.rate, "", {.leftOut = true}},
          {"--word", "word", &t.word, "", {.words = {"a", "bee"}}},
          {"--file", "file", &t.file},
          {"--other", "other", &t.other},
          {"--range", "range", &t.range},
          {"--names", "names", &t.names, "", {.separator = ','}},
          {"--files", "files", &t.files},
          {"--shape", "shape", choiceOf(t.shape)}};
}

TEST(Options, RoundTripThroughJsonAndArguments) {
  Things plain, things;
  things = {true,         false,        7,  18446744073709551615U, 0.1,
            "bee",        "/a/\xff b",  0U, std::pair{-1.0, 2.5},  {"x", "y"},
            {"/a", "/b"}, Shape::Square};
  const OptionList standard = listOf(plain), now = listOf(things);
  EXPECT_TRUE(argumentsOf(standard, standard).empty());
  EXPECT_THAT(argumentsOf(now, standard),
              ElementsAre("--quiet", "--no-texts", "--count", "7", "--seed", "18446744073709551615", "--rate",
                          "0.1", "--word", "bee", "--file", R"(/a/\xFF b)", "--other", "0", "--range",
                          "-1,2.5", "--names", "x,y", "--files", "/a", "/b", "--shape", "square"));
  const Json json = toJson(now, standard);
  EXPECT_EQ(json.at("inner"), Json({{"count", 7}, {"seed", 18446744073709551615U}}));
  EXPECT_EQ(json.at("range"), Json({-1.0, 2.5}));
  EXPECT_FALSE(toJson(standard, standard).contains("rate")) << "it has its default";
  EXPECT_EQ(toJson(standard, standard).at("other"), Json());
  Things again;
  const OptionList read = listOf(again);
  readMembers(read, json, "thing");
  EXPECT_EQ(toJson(read, standard), json);
  for (std::size_t i = 0; i < read.size(); ++i) copyValue(read[i], standard[i]);
  EXPECT_EQ(toJson(read, standard), toJson(standard, standard));
}

TEST(Options, ParseTheTextsOfACommandLine) {
  Things things;
  OptionList list = listOf(things);
  const auto set = [&](const char* name, std::vector<std::string> texts = {}) {
    setTexts(*findOption(list, name), texts);
  };
  set("--quiet");
  set("--no-texts");
  set("--count", {"7"});
  set("--seed", {"18446744073709551615"});
  set("--rate", {"0.5"});
  set("--word", {"bee"});
  set("--file", {"/a/\xff b"});
  set("--other", {"0"});
  set("--range", {"-1,2.5"});
  set("--names", {"x", "y"});
  set("--files", {"/a", "/b"});
  set("--shape", {"square"});
  EXPECT_TRUE(things.quiet);
  EXPECT_FALSE(things.texts);
  EXPECT_EQ(things.count, 7);
  EXPECT_EQ(things.seed, 18446744073709551615U);
  EXPECT_EQ(things.rate, 0.5);
  EXPECT_EQ(things.word, "bee");
  EXPECT_EQ(things.file, "/a/\xff b");
  EXPECT_EQ(things.other, 0U);
  EXPECT_EQ(things.range, std::pair(-1.0, 2.5));
  EXPECT_THAT(things.names, ElementsAre("x", "y"));
  EXPECT_THAT(things.files, ElementsAre("/a", "/b"));
  EXPECT_EQ(things.shape, Shape::Square);
  set("--shape", {"round"});
  EXPECT_EQ(things.shape, Shape::Round);
}

TEST(Options, ARangeMustIncrease) {
  EXPECT_EQ(parseRange("-1,2.5"), std::pair(-1.0, 2.5));
  for (const char* text : {"", "1", "1,", "1,1", "2,1", "a,b", "0,inf", "0,1,2"}) {
    EXPECT_EQ(test::failureOf<UsageError>([&] { parseRange(text); }),
              "range: expected MIN,MAX with MIN below MAX, such as 0,1, found \"" + std::string(text) + "\"");
  }
}

TEST(Options, WrongValuesAreRefusedByNameAndChangeNothing) {
  Things things;
  OptionList list = listOf(things);
  const auto json = [&](const char* key, const Json& value) {
    return test::failureOf<UsageError>(
        [&] { setJson(*findOption(list, key), value, std::string("thing ") + key); });
  };
  EXPECT_THAT(json("quiet", 1), HasSubstr("thing quiet: expected true or false, found 1"));
  EXPECT_THAT(json("inner.count", 2.5), HasSubstr("an integer"));
  EXPECT_THAT(json("inner.count", 18446744073709551615U), HasSubstr("an integer"));
  EXPECT_THAT(json("inner.count", 12), HasSubstr("1 to 9"));
  EXPECT_THAT(json("inner.seed", -1), HasSubstr("0 to 2^64 - 1"));
  EXPECT_THAT(json("rate", "1"), HasSubstr("a number"));
  EXPECT_THAT(json("word", "be"), HasSubstr("did you mean bee?"));
  EXPECT_THAT(json("shape", "sqare"), HasSubstr("did you mean square?"));
  EXPECT_THAT(json("range", Json({2, 1})), HasSubstr("rising"));
  EXPECT_THAT(json("names", Json({1})), HasSubstr("a list of texts"));
  EXPECT_THAT(test::failureOf<UsageError>([&] {
                requireKnownMembers(list, {{"quite", true}}, "thing");
              }),
              HasSubstr("did you mean quiet?"));
  const auto text = [&](const char* name, const std::string& value) {
    return test::failureOf<UsageError>([&] { setTexts(*findOption(list, name), {value}); });
  };
  EXPECT_THAT(text("--count", "many"), HasSubstr("--count: expected an integer, found \"many\""));
  EXPECT_THAT(text("--shape", "oval"), HasSubstr("expected round, square, found \"oval\""));
  EXPECT_THAT(text("--range", "1,nan"), HasSubstr("MIN,MAX"));
  Things plain;
  EXPECT_EQ(toJson(list, listOf(plain)), toJson(listOf(plain), listOf(plain)));
}

}  // namespace
}  // namespace plastiscope
