// Checked access to untrusted JSON: invalid values are named with their place.
#include "core/base/checked_json.h"

#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

const CheckedJson& sample() {
  static const CheckedJson values(
      Json::parse(
          R"({"list":["a","b"],"mixed":["a",1],"flags":[true,0,1],"text":"x","zero":"a\u0000b","none":null,)"
          R"("inner":{"list":[1,"2"]},"beyond":9223372036854775808,"real":2.5})"),
      "a.json", "", {{"text", "the.text"}});
  return values;
}

TEST(CheckedJson, ReturnsValuesOrDefaults) {
  EXPECT_THAT(sample().textsOr("list", {}), testing::ElementsAre("a", "b"));
  EXPECT_THAT(sample().textsOr("none", {"c"}), testing::ElementsAre("c"));
  EXPECT_THAT(sample().integersOr("flags", {}, 0, 1), testing::ElementsAre(1, 0, 1));
  EXPECT_THAT(sample().integersOr("nothing", {5}, 0, 1), testing::ElementsAre(5));
  EXPECT_EQ(sample().findText("text"), "x");
  EXPECT_EQ(sample().findText("none"), std::nullopt);
  EXPECT_EQ(sample().findNumber("real"), 2.5);
  EXPECT_EQ(sample().findInteger("nothing", 0, 1), std::nullopt);
  EXPECT_TRUE(sample().object("nothing").json().empty());
  EXPECT_FALSE(CheckedJson().has("anything"));
}

TEST(CheckedJson, NamesThePlaceOfInvalidValues) {
  const auto refusal = [](const auto& read) { return test::failureOf<InputError>([&] { read(sample()); }); };
  using Values = const CheckedJson&;
  EXPECT_EQ(refusal([](Values v) { v.textsOr("mixed", {}); }),
            "a.json: mixed: expected a list of texts, found [\"a\",1]");
  EXPECT_EQ(refusal([](Values v) { v.textsOr("text", {}); }),
            "a.json: the.text: expected a list of texts, found \"x\"");
  EXPECT_EQ(refusal([](Values v) { v.integersOr("text", {}, 0, 1); }),
            "a.json: the.text: expected a list of numbers, found \"x\"");
  EXPECT_EQ(refusal([](Values v) { v.object("inner").integersOr("list", {}, 0, 9); }),
            "a.json: inner.list[1]: expected a whole number from 0 to 9, found \"2\"");
  EXPECT_EQ(refusal([](Values v) { v.findText("zero"); }),
            "a.json: zero: expected a text without zero characters, found \"a\\u0000b\"");
  EXPECT_EQ(
      refusal([](Values v) { v.integer("beyond", 0, INT64_MAX); }),
      "a.json: beyond: expected a whole number from 0 to 9223372036854775807, found 9223372036854775808");
  EXPECT_EQ(refusal([](Values v) { v.number("nothing", 0, 1); }),
            "a.json: nothing: expected a number from 0.0 to 1.0, found none");
  EXPECT_EQ(refusal([](Values v) { v.flagOr("list", false); }),
            "a.json: list: expected true or false, found [\"a\",\"b\"]");
  EXPECT_EQ(refusal([](Values v) { v.child("nothing"); }),
            "a.json: expected \"nothing\", found no such entry");
  EXPECT_EQ(refusal([](Values v) { v.child("text").child("x"); }),
            "a.json: the.text: expected an object, found \"x\"");
  EXPECT_EQ(refusal([](Values v) { v.object("list"); }),
            "a.json: list: expected an object, found [\"a\",\"b\"]");
  EXPECT_EQ(refusal([](Values v) { v.child("inner").items(); }),
            "a.json: inner: expected a list, found {\"list\":[1,\"2\"]}");
}

TEST(CheckedJson, LongValuesAreNotShown) {
  EXPECT_EQ(shortJson(Json(std::vector<int>(51, 1))), "a long list");
  Json large = Json::object();
  for (int i = 0; i < 51; ++i) large[std::to_string(i)] = i;
  EXPECT_EQ(shortJson(large), "a large object");
}

}  // namespace
}  // namespace plastiscope
