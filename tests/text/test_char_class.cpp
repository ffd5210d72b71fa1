// Classes of all code points, against those of the `tokenizers` library's pattern engine.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/text/unicode.h"
#include "tests/text/golden.h"

namespace plastiscope {
namespace {

const Json& classes() {
  static const Json value = readJsonFile(test::textData("char_classes.json"));
  return value;
}

std::vector<bool> members(const std::string& name) {
  std::vector<bool> result(0x110000);
  for (const Json& range : classes().at(name)) {
    for (std::size_t point = range[0]; point <= range[1].get<std::size_t>(); ++point) result[point] = true;
  }
  return result;
}

struct NamedClass {
  const char* name;
  CharClass value;
};
class CharClasses : public testing::TestWithParam<NamedClass> {};

TEST_P(CharClasses, HoldTheSameCodePoints) {
  const std::vector<bool> expected = members(GetParam().name);
  for (char32_t point = 0; point < expected.size(); ++point) {
    ASSERT_EQ(charClass(point) == GetParam().value, expected[point])
        << std::hex << static_cast<unsigned>(point);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CharClasses,
    testing::Values(NamedClass{"Lu", CharClass::UpperLetter}, NamedClass{"Ll", CharClass::LowerLetter},
                    NamedClass{"Lt", CharClass::TitleLetter}, NamedClass{"Lm", CharClass::ModifierLetter},
                    NamedClass{"Lo", CharClass::OtherLetter}, NamedClass{"M", CharClass::Mark},
                    NamedClass{"N", CharClass::Number}, NamedClass{"P", CharClass::Punctuation},
                    NamedClass{"S", CharClass::Symbol}),
    [](const auto& kind) { return kind.param.name; });

TEST(CharClass, ShortcutsAgreeWithTheClasses) {
  const std::vector<bool> space = members("space"), number = members("N");
  for (char32_t point = 0; point < 0x110000; ++point) {
    const CharClass value = charClass(point);
    const bool letter = value >= CharClass::UpperLetter && value <= CharClass::OtherLetter;
    ASSERT_EQ(isLetter(point), letter) << std::hex << static_cast<unsigned>(point);
    ASSERT_EQ(isNumber(point), number[point]) << std::hex << static_cast<unsigned>(point);
    ASSERT_EQ(isWhitespace(point), space[point]) << std::hex << static_cast<unsigned>(point);
    ASSERT_EQ(isOtherThanWord(point), !letter && !number[point] && !space[point]);
  }
}

}  // namespace
}  // namespace plastiscope
