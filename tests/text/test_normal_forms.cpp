// Classes and forms that do not follow the pattern engine's Unicode version, over all code points.
#include <gtest/gtest.h>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/text/normalizers.h"
#include "core/text/pre_split/scanners.h"
#include "core/text/unicode.h"
#include "tests/text/golden.h"

namespace plastiscope {
namespace {

const Json& expected() {
  static const Json value = readJsonFile(test::textData("unicode.json"));
  return value;
}

bool isSurrogate(char32_t point) {
  return point >= 0xD800 && point < 0xE000;
}

std::string character(char32_t point) {
  std::string text;
  appendUtf8(point, text);
  return text;
}

class NormalForms : public testing::TestWithParam<const char*> {};

TEST_P(NormalForms, EqualTheReferenceForAllCodePoints) {
  const auto form = makeNormalForm(GetParam());
  Sha256 digest;
  for (char32_t point = 0; point < 0x110000; ++point) {
    if (isSurrogate(point)) continue;
    // Between marks of two classes, so that its own class shows.
    const std::string text = character(point) + "a" + character(0x315) + character(point) + character(0x323);
    TextLimits limits(text.size());
    digest.add(form(AlignedText(text, 0), limits).view());
  }
  EXPECT_EQ(digest.hex(), expected().at(GetParam()).get<std::string>());
}

INSTANTIATE_TEST_SUITE_P(All, NormalForms, testing::Values("NFC", "NFD", "NFKC", "NFKD"),
                         [](const auto& form) { return form.param; });

struct Step {
  const char* name;
  SplitScanner scan;
};
class StepClasses : public testing::TestWithParam<Step> {};

TEST_P(StepClasses, HoldTheSameCodePoints) {
  std::vector<bool> members(0x110000);
  for (const Json& range : expected().at(GetParam().name)) {
    for (std::size_t point = range[0]; point <= range[1].get<std::size_t>(); ++point) members[point] = true;
  }
  std::vector<Cut> cuts;
  for (char32_t point = 0; point < members.size(); ++point) {
    if (isSurrogate(point)) continue;
    cuts.clear();
    const std::string text = character(point);
    GetParam().scan(text, cuts);
    ASSERT_EQ(cuts.size(), 1u);
    ASSERT_EQ(cuts[0].match, members[point]) << std::hex << static_cast<unsigned>(point);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StepClasses,
                         testing::Values(Step{"Digits", split::numericCharacters},
                                         Step{"Punctuation", split::punctuationCharacters},
                                         Step{"WhitespaceSplit", split::whitespaceCharacters}),
                         [](const auto& step) { return step.param.name; });

}  // namespace
}  // namespace plastiscope
