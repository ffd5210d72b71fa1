// Two tokenizations of one text: tokens at the same characters.
#include <gmock/gmock.h>

#include "core/views/token_text.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using Tokens = std::vector<std::string>;

// A text of different words, in tokens of `size` bytes after `lead`.
Tokens cut(const std::string& lead, std::size_t size, int words = 400) {
  std::string text;
  for (int i = 0; i < words; ++i) text += " w" + std::to_string(i * i);
  Tokens tokens;
  if (!lead.empty()) tokens.push_back(lead);
  for (std::size_t at = 0; at < text.size(); at += size) tokens.push_back(text.substr(at, size));
  return tokens;
}

TEST(TokenOffsets, FindTheTokenOfAByte) {
  const TokenOffsets offsets(Tokens{"<s>", "", "caf\xC3", "\xA9", " x"});
  EXPECT_EQ(offsets.text(), "<s>caf\u00E9 x");
  EXPECT_EQ(offsets.tokens(), 5);
  EXPECT_EQ(offsets.bytesOf(2), std::pair(std::int64_t{3}, std::int64_t{7}));
  EXPECT_EQ(offsets.tokenAt(0), 0);
  EXPECT_EQ(offsets.tokenAt(3), 2) << "not the empty one";
  EXPECT_EQ(offsets.tokenAt(7), 3);
  EXPECT_EQ(offsets.tokenAt(10), std::nullopt);
  EXPECT_EQ(offsets.tokenAt(-1), std::nullopt);
}

TEST(TextShift, IgnoresSpecialTokensInFrontAndDifferentEnds) {
  const TokenOffsets plain(cut("", 5)), led(cut("<|begin_of_text|>", 7)), shorter(cut("<s>", 3, 150));
  EXPECT_EQ(textShift(plain.text(), led.text()), 17);
  EXPECT_EQ(textShift(led.text(), plain.text()), -17);
  EXPECT_EQ(textShift(shorter.text(), led.text()), 14);
  EXPECT_EQ(textShift(plain.text(), shorter.text()), 3);
  EXPECT_EQ(textShift("a short text", "<s> a short text"), 4);
}

TEST(TextShift, IsMissingForDifferentTexts) {
  const std::string text = TokenOffsets(cut("", 5)).text();
  std::string other = text;
  for (std::size_t i = 700; i < other.size(); i += 7) other[i] = '#';
  EXPECT_EQ(textShift(text, other), std::nullopt);
  EXPECT_EQ(textShift(text, std::string(400, '-') + text), std::nullopt) << "too far away";
  EXPECT_EQ(textShift(text, ""), std::nullopt);
  EXPECT_EQ(textShift("", text), std::nullopt);
}

TEST(AlignedTokens, ShareACharacterOtherThanSpace) {
  const TokenOffsets from(Tokens{"The", " licensee", " ", "may", "\n"}),
      to(Tokens{"<s>", "Th", "e ", "lic", "ens", "ee ", "ma", "y", "\n"});
  const auto shift = 3;
  const auto aligned = [&](std::vector<std::int64_t> positions) {
    return alignedTokens(positions, from, to, shift);
  };
  EXPECT_THAT(aligned({0}), ElementsAre(1, 2));
  EXPECT_THAT(aligned({1}), ElementsAre(3, 4, 5)) << "its space is in another token";
  EXPECT_THAT(aligned({2}), ElementsAre(5)) << "nothing but space";
  EXPECT_THAT(aligned({4}), ElementsAre(8));
  EXPECT_THAT(aligned({0, 1, 99, -1}), ElementsAre(1, 2, 3, 4, 5));
}

}  // namespace
}  // namespace plastiscope
