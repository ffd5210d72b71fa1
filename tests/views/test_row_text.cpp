// Words around a row: characters that tokens cut, line breaks, long texts, the ends of a text.
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/views/row_text.h"

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

// "é" is C3 A9, the rocket F0 9F 9A 80: their bytes lie in several tokens.
TEST(RowText, ACutCharacterIsShownByItsFirstToken) {
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

TEST(RowText, APositionOutsideIsRefused) {
  EXPECT_THROW(rowTextOf(Tokens{"a"}, 1, 9), InputError);
  EXPECT_THROW(rowTextOf(Tokens{"a"}, -1, 9), InputError);
}

}  // namespace
}  // namespace plastiscope
