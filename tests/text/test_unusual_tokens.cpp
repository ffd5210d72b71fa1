// Warnings of unusual tokens, for every kind of tokenizer that has them.
#include <gmock/gmock.h>

#include "core/text/token_types.h"
#include "tests/text/golden.h"

namespace plastiscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kTwice = "the special token at the start stands there twice in 2 texts";

struct UnusualCase {
  const char *folder, *text;
  bool special;         // with what the template adds
  const char* warning;  // how it begins; "" = none
};

class Unusual : public ::testing::TestWithParam<UnusualCase> {};

TEST_P(Unusual, IsCounted) {
  const auto tokenizer = openTokenizer(test::textData(GetParam().folder));
  UnusualTokens unusual;
  for (const std::string text : {GetParam().text, "", GetParam().text})
    unusual.add(*tokenizer, tokenizer->encode(text, GetParam().special), text);
  if (*GetParam().warning == 0)
    EXPECT_THAT(unusual.warnings(), IsEmpty());
  else
    EXPECT_THAT(unusual.warnings(), ElementsAre(StartsWith(GetParam().warning)));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Unusual,
    ::testing::Values(UnusualCase{"gpt2", "a plain text", true, ""},
                      UnusualCase{"gpt2", "a<|endoftext|>b", true, "2 special tokens in 2 texts"},
                      UnusualCase{"gpt2", "\u4F4D\u7F6E\U0001F680", true, ""},  // bytes are its characters
                      UnusualCase{"llama3", "a plain text", true, ""},
                      UnusualCase{"llama3", "<|endoftext|>a", true, kTwice},
                      UnusualCase{"llama3", "<|endoftext|>a", false, "2 special tokens in 2 texts"},
                      UnusualCase{"llama2", "a plain text", true, ""},
                      UnusualCase{"llama2", "<s>a", true, kTwice},
                      UnusualCase{"llama2", "a</s>b<s>c", true, "4 special tokens in 2 texts"},
                      UnusualCase{"llama2", "\U0001F680\U0001F681", true, "16 byte tokens in 2 texts"},
                      UnusualCase{"spm_llama", "a plain text", true, ""},
                      UnusualCase{"spm_llama", "\U0001F680\U0001F681", true, "16 byte tokens in 2 texts"},
                      UnusualCase{"spm_unigram", "a \U0001F680 b", true, "2 unknown tokens in 2 texts"},
                      UnusualCase{"spm_unigram_bytes", "\U0001F680\U0001F681", true,
                                  "16 byte tokens in 2 texts"},
                      UnusualCase{"unigram", "a \U0001F680 b", true, "2 unknown tokens in 2 texts"},
                      UnusualCase{"unigram_bytes", "\U0001F680\U0001F681", true, "16 byte tokens in 2 texts"},
                      UnusualCase{"pairs_unknown", "a \U0001F680 b", true, "2 unknown tokens in 2 texts"}));

TEST(UnusualIds, AreCountedWithoutTheirText) {
  const auto tokenizer = openTokenizer(test::textData("llama2"));
  const std::int32_t bos = tokenizer->encode("").ids.at(0);
  UnusualTokens unusual;
  unusual.add(*tokenizer, {{bos, bos, 300}, {}}, "");
  EXPECT_THAT(unusual.warnings(), ElementsAre(StartsWith("the special token at the start")));
}

}  // namespace
}  // namespace plastiscope
