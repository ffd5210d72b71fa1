#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "tests/support/failure.h"

namespace plastiscope {
namespace {

TEST(JsonText, CanonicalFormSortsKeysAndHasNoSpaces) {
  EXPECT_EQ(canonicalJson(parseJson(R"({"b": [1, 2.5], "a": {"z": null, "y": true}})", "x.json")),
            R"({"a":{"y":true,"z":null},"b":[1,2.5]})");
}

std::string complaintAbout(const std::string& text) {
  return test::failureOf<InputError>([&] { parseJson(text, "config.json", true); });
}

TEST(JsonText, SyntaxErrorsNameFileLineAndColumn) {
  const std::string start = "config.json: line 2, column ", wrong = ": this is not valid JSON: ";
  EXPECT_EQ(complaintAbout("{\n \"a\": }"), start + "7" + wrong + "unexpected \"}\"");
  EXPECT_EQ(complaintAbout("{\n \"a\": \"x\ty\"}"),
            start + "9" + wrong + "a control character inside a text");
  EXPECT_EQ(complaintAbout("{\n \"a\": \"caf\xe9\"}"),
            start + "12" + wrong + "a byte that is not UTF-8 inside a text");
  EXPECT_EQ(complaintAbout("{\n \"a\": \"\\q\"}"), start + "9" + wrong + "an unknown escape inside a text");
  EXPECT_EQ(complaintAbout("[\n 1e999]"), start + "6" + wrong + "the number is too large");
  EXPECT_EQ(complaintAbout("{\n \"a\": 1} \x1b[2J"), start + "10" + wrong + "unexpected \"\\x1B\"");
}

TEST(JsonText, TruncatedTextIsReportedAsCutShort) {
  EXPECT_EQ(complaintAbout("{\"a\": "),
            "config.json: line 1, column 7: this is not valid JSON: it is cut short after 6 bytes");
  EXPECT_EQ(complaintAbout("{\"a\": \"b"),
            "config.json: line 1, column 9: this is not valid JSON: it is cut short after 8 bytes");
  EXPECT_EQ(complaintAbout("[tru"),
            "config.json: line 1, column 5: this is not valid JSON: it is cut short after 4 bytes");
  EXPECT_EQ(complaintAbout(" \n"), "config.json: line 2, column 1: this is not valid JSON: it is empty");
}

TEST(JsonText, RecordsNameTheirLineInTheFile) {
  const auto complaint = [](const std::string& record) {
    return test::failureOf<InputError>([&] { parseJsonRecord(record, "a.jsonl", 12); });
  };
  EXPECT_EQ(complaint("{\"a\": }"), "a.jsonl: line 12, column 7: this is not valid JSON: unexpected \"}\"");
  EXPECT_EQ(complaint("{\"a\":\n 1 2}"),
            "a.jsonl: line 13, column 4: this is not valid JSON: unexpected \"2\"");
  EXPECT_EQ(complaint("{\"a\": 1, \"a\": 2}"),
            "a.jsonl: line 12: the JSON key \"a\" appears twice in one object");
}

// Python's json.dumps writes and json.loads reads these numbers.
TEST(JsonText, NaNAndInfinityOfPythonAreRead) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Json value =
      parseJson(R"({"a": [Infinity, -Infinity,NaN], "NaN": "Infinity, \"NaN", "b":-1, "c":NaN})", "x");
  EXPECT_EQ(value["a"][0], infinity);
  EXPECT_EQ(value["a"][1], -infinity);
  EXPECT_TRUE(std::isnan(value["a"][2].get<double>()));
  EXPECT_EQ(value["NaN"], "Infinity, \"NaN");
  EXPECT_EQ(value["b"], -1);
  EXPECT_TRUE(std::isnan(value["c"].get<double>()));
  EXPECT_EQ(parseJson("-Infinity", "x"), -infinity);
  EXPECT_EQ(parseJsonRecord(R"({"a":Infinity})", "x", 1)["a"], infinity);
  EXPECT_EQ(parseJson("[\"\x7F\", \"\x7F+\"]", "x")[1], "\x7F+");
  EXPECT_EQ(shortJson(value["a"][1]), "-Infinity");
}

TEST(JsonText, OtherWordsAreRefusedWithTheirPlace) {
  const std::string start = "config.json: line 1, column ", wrong = ": this is not valid JSON: unexpected ";
  EXPECT_EQ(complaintAbout("[nan]"), start + "3" + wrong + "\"a\"");
  EXPECT_EQ(complaintAbout("[NaN, Inf]"), start + "7" + wrong + "\"I\"");
  EXPECT_EQ(complaintAbout("[-Infinity, Infinity x]"), start + "22" + wrong + "\"x\"");
  EXPECT_NE(complaintAbout("[NaN5]"), "NO ERROR");
  EXPECT_NE(complaintAbout("[+Infinity]"), "NO ERROR");
  EXPECT_NE(complaintAbout("[5NaN]"), "NO ERROR");
}

TEST(JsonText, ANulByteIsNotTheEndOfTheText) {
  EXPECT_THROW(parseJson(std::string("{}\0{", 4), "x"), InputError);
}

TEST(JsonText, DeepNestingIsRefused) {
  EXPECT_NO_THROW(parseJson(std::string(60, '[') + std::string(60, ']'), "x"));
  EXPECT_THROW(parseJson(std::string(200, '[') + std::string(200, ']'), "x"), InputError);
  EXPECT_THROW(parseJson(std::string(1'000'000, '['), "x"), InputError);
}

// The values would take two gigabytes.
TEST(JsonText, TooManyValuesForTheSizeAreRefused) {
  std::string text = "[[]";
  for (int i = 0; i < 6'000'000; ++i) text += ",[]";
  const std::string complaint = test::failureOf<InputError>([&] { parseJson(text + "]", "x"); });
  EXPECT_EQ(complaint, "x: JSON: more values than a text of its size has");
  EXPECT_NO_THROW(parseJson("[" + std::string(8'000'000, ' ') + "1]", "x"));
}

TEST(JsonText, NumbersOutOfRangeAreNamed) {
  EXPECT_THROW(parseJson("[1e999]", "x"), InputError);
}

// nlohmann's callbacks take quadratic time here and would not finish.
TEST(JsonText, ArraysOfManyObjectsAreRead) {
  std::string text = "[{}";
  for (int i = 1; i < 500'000; ++i) text += ",{}";
  EXPECT_EQ(parseJson(text + "]", "x").size(), 500'000u);
}

TEST(JsonText, DuplicateKeysAreRefusedWhereAsked) {
  EXPECT_NO_THROW(parseJson(R"({"a":1,"a":2})", "x"));
  EXPECT_EQ(complaintAbout("{\"a\": 1,\n \"a\": 2}"),
            "config.json: the JSON key \"a\" appears twice in one object");  // the line is unknown
  EXPECT_THROW(parseJson(R"({"b":{"a":1,"a":2}})", "x", true), InputError);
  EXPECT_NO_THROW(parseJson(R"({"a":{"a":1},"b":{"a":2}})", "x", true));
}

}  // namespace
}  // namespace plastiscope
