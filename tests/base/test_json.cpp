#include <gtest/gtest.h>

#include <string>

#include "core/base/error.h"
#include "core/base/json.h"

namespace plastiscope {
namespace {

TEST(JsonText, CanonicalFormSortsKeysAndHasNoSpaces) {
  EXPECT_EQ(canonicalJson(parseJson(R"({"b": [1, 2.5], "a": {"z": null, "y": true}})", "x.json")),
            R"({"a":{"y":true,"z":null},"b":[1,2.5]})");
}

TEST(JsonText, SyntaxErrorsNameFileAndByte) {
  try {
    parseJson(R"({"a": )", "config.json");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("config.json: byte 7"), std::string::npos) << error.what();
  }
}

TEST(JsonText, ANulByteIsNotTheEndOfTheText) {
  EXPECT_THROW(parseJson(std::string("{}\0{", 4), "x"), InputError);
}

TEST(JsonText, DeepNestingIsRefused) {
  EXPECT_NO_THROW(parseJson(std::string(60, '[') + std::string(60, ']'), "x"));
  EXPECT_THROW(parseJson(std::string(200, '[') + std::string(200, ']'), "x"), InputError);
  EXPECT_THROW(parseJson(std::string(1'000'000, '['), "x"), InputError);
}

TEST(JsonText, NumbersOutOfRangeAreNamed) {
  EXPECT_THROW(parseJson("[1e999]", "x"), InputError);
}

// Quadratic work, as nlohmann's callbacks do here, would not end.
TEST(JsonText, ArraysOfManyObjectsAreRead) {
  std::string text = "[{}";
  for (int i = 1; i < 500'000; ++i) text += ",{}";
  EXPECT_EQ(parseJson(text + "]", "x").size(), 500'000u);
}

TEST(JsonText, DuplicateKeysAreRefusedWhereAsked) {
  EXPECT_NO_THROW(parseJson(R"({"a":1,"a":2})", "x"));
  EXPECT_THROW(parseJson(R"({"a":1,"a":2})", "x", true), InputError);
  EXPECT_THROW(parseJson(R"({"b":{"a":1,"a":2}})", "x", true), InputError);
  EXPECT_NO_THROW(parseJson(R"({"a":{"a":1},"b":{"a":2}})", "x", true));
}

}  // namespace
}  // namespace plastiscope
