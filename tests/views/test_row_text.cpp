// Words around a row: characters split by tokens, line breaks, long texts, the ends of a text.
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/views/token_text.h"

namespace plastiscope {
namespace {

using Tokens = std::vector<std::string>;

void expectText(const RowText& text, const char* before, const char* token, const char* after) {
  EXPECT_EQ(text.before, before);
  EXPECT_EQ(text.token, token);
  EXPECT_EQ(text.after, after);
}

TEST(RowText, HasWordsOnBothSides) {
  const Tokens tokens = {"they", " are", " linked", " directly", " with", " the"};
  expectText(rowTextOf(tokens, 3, 20), "they are linked", " directly", " with the");
  expectText(rowTextOf(tokens, 3, 6), "…linked", " directly", " with …");
  expectText(rowTextOf(tokens, 0, 8), "", "they", " are lin…");
  expectText(rowTextOf(tokens, 5, 8), "…tly with", " the", "");
}

// "é" is C3 A9, the rocket F0 9F 9A 80: their bytes are in several tokens.
TEST(RowText, SplitCharactersAreShownByTheirFirstToken) {
  const Tokens tokens = {"caf\xC3", "\xA9 ", "\xF0\x9F", "\x9A\x80!", "x"};
  expectText(rowTextOf(tokens, 0, 9), "", "caf\u00E9", " \U0001F680!x");
  expectText(rowTextOf(tokens, 1, 9), "caf\u00E9", " ", "\U0001F680!x");
  expectText(rowTextOf(tokens, 2, 9), "caf\u00E9 ", "\U0001F680", "!x");
  expectText(rowTextOf(tokens, 3, 9), "caf\u00E9 \U0001F680", "!", "x");
}

TEST(RowText, IsOneValidLine) {
  const Tokens tokens = {"a\n", "\tb\x01", "\xFF", "c"};
  expectText(rowTextOf(tokens, 1, 9), "a\u21B5", " b ", "\uFFFDc");
}

struct LabelCase {
  const char* name;
  Tokens tokens;  // the second one is labelled
  const char* label;
};

class TokenLabel : public ::testing::TestWithParam<LabelCase> {};

TEST_P(TokenLabel, NamesInvisibleCharacters) {
  EXPECT_EQ(rowTextOf(GetParam().tokens, 1, 9).token, GetParam().label);
  EXPECT_EQ(shownTokens(GetParam().tokens)[1], GetParam().label);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TokenLabel,
    ::testing::Values(
        LabelCase{"empty", {"a", "", "b"}, "<empty>"},
        LabelCase{"zeroWidthSpace", {"a", "\u200B", "b"}, "U+200B"},
        LabelCase{"zeroWidthJoiners", {"a", " \u200C\u200D", "b"}, " U+200CU+200D"},
        LabelCase{"carriageReturn", {"a", "\r\n", "b"}, "<0x0D>\u21B5"},
        LabelCase{"tabs", {"a", "\t\t", "b"}, "<0x09><0x09>"},
        LabelCase{"zeroByte", {"a", std::string(1, '\0'), "b"}, "<0x00>"},
        LabelCase{"delete", {"a", "\x7F", "b"}, "<0x7F>"},
        LabelCase{"nextLine", {"a", "\u0085", "b"}, "U+0085"},
        LabelCase{"combiningMark", {"e", "\u0301", "b"}, "U+0301"},
        LabelCase{"variationSelector", {"\u2764", "\uFE0F", "b"}, "U+FE0F"},
        LabelCase{"byteOrderMark", {"a", "\uFEFF", "b"}, "U+FEFF"},
        LabelCase{"softHyphen", {"a", "\u00AD", "b"}, "U+00AD"},
        LabelCase{"noBreakSpace", {"a", "\u00A0", "b"}, "U+00A0"},
        LabelCase{"ideographicSpace", {"a", "\u3000", "b"}, "U+3000"},
        LabelCase{"lineSeparator", {"a", "\u2028", "b"}, "U+2028"},
        LabelCase{"privateUse", {"a", "\uE000", "b"}, "U+E000"},
        LabelCase{"tag", {"a", "\U000E0041", "b"}, "U+E0041"},
        LabelCase{"hangulFiller", {"a", "\u3164", "b"}, "U+3164"},
        LabelCase{"brailleBlank", {"a", "\u2800", "b"}, "U+2800"},
        LabelCase{"loneLead", {"a", "\xF0\x9F", "b"}, "<0xF0><0x9F>"},
        LabelCase{"loneByte", {"a", "\xFF", "b"}, "<0xFF>"},
        LabelCase{"restOfACharacter", {"\xF0\x9F", "\x9A\x80", "b"}, "<0x9A><0x80>"},
        LabelCase{"cutInvisible", {"a", "\xE2\x80", "\x8B"}, "U+200B"},
        LabelCase{"space", {"a", " ", "b"}, " "}, LabelCase{"spaces", {"a", "   ", "b"}, "   "},
        LabelCase{"lineEnds", {"a", "\n\n", "b"}, "\u21B5\u21B5"},
        LabelCase{"letterWithMark", {"a", "e\u0301", "b"}, "e\u0301"},
        LabelCase{"joinedEmoji", {"a", "\U0001F469\u200D\U0001F467", "b"},
                  "\U0001F469\u200D\U0001F467"},
        LabelCase{"replacement", {"a", "\uFFFD", "b"}, "\uFFFD"}),
    [](const auto& test) { return test.param.name; });

TEST(RowText, RefusesAPositionOutsideTheText) {
  EXPECT_THROW(rowTextOf(Tokens{"a"}, 1, 9), InputError);
  EXPECT_THROW(rowTextOf(Tokens{"a"}, -1, 9), InputError);
}

}  // namespace
}  // namespace plastiscope
