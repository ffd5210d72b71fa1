// Types of tokens by the rule of token_types.h, read off by a person.
#include <gmock/gmock.h>

#include "core/text/token_types.h"

namespace plastiscope {
namespace {

using enum TokenType;
using testing::ElementsAre;

std::vector<TokenType> typesOf(const std::vector<std::string>& tokens) {
  return tokenTypes(tokens);
}

TEST(TokenTypes, AWordBeginsAfterANonLetter) {
  EXPECT_THAT(typesOf({"The", " licen", "sor", "s", " (", "we", ")", "-", "all", "."}),
              ElementsAre(WordStart, WordStart, Continuation, Continuation, Punctuation, WordStart,
                          Punctuation, Punctuation, WordStart, Punctuation));
}

TEST(TokenTypes, AnApostropheContinuesAWord) {
  EXPECT_THAT(typesOf({"don", "'", "t", " '", "so", "'"}),
              ElementsAre(WordStart, Punctuation, Continuation, Punctuation, WordStart, Punctuation));
  EXPECT_THAT(typesOf({"licensee", "'s", "\u2019", "d"}),
              ElementsAre(WordStart, Continuation, Punctuation, Continuation));
}

TEST(TokenTypes, TheFirstLetterOrNumberDecides) {
  EXPECT_THAT(typesOf({" 20", "26", " $12", " v", "3", " \"word", " 3rd"}),
              ElementsAre(Number, Number, Number, WordStart, Number, WordStart, Number));
}

TEST(TokenTypes, SpaceTokensHoldOnlySpaces) {
  EXPECT_THAT(typesOf({"", "\n\n", "  ", "\u00A0", "\t;", "\u20AC"}),
              ElementsAre(Space, Space, Space, Space, Punctuation, Punctuation));
}

TEST(TokenTypes, OtherScriptsAreATypeOfTheirOwn) {
  // Accents on Latin letters stay Latin; a mark of its own goes on with its word.
  EXPECT_THAT(typesOf({"na\u00EF", "ve", "e", "\u0301", " \u0416", "\u6CE8", "\u0928", "\u093F"}),
              ElementsAre(WordStart, Continuation, Continuation, Continuation, OtherScript, OtherScript,
                          OtherScript, OtherScript));
}

TEST(TokenTypes, ASplitCharacterBelongsToTheFirstToken) {
  EXPECT_THAT(typesOf({" \xC3", "\xA9", "t\xC3", "\xA9", "\xE6\xB3", "\xA8"}),
              ElementsAre(WordStart, WordStart, Continuation, Continuation, OtherScript, OtherScript));
  EXPECT_THAT(typesOf({"a", "\xFF", "b"}), ElementsAre(WordStart, Punctuation, WordStart)) << "a broken byte";
}

}  // namespace
}  // namespace plastiscope
