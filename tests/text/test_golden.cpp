// Ids and offsets equal those of the reference libraries, for every known kind of tokenizer.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/text/golden.h"

namespace plastiscope {
namespace {

using test::digest;
using test::flatOffsets;
using test::goldenOf;
using test::goldenTexts;

void expectRow(const Encoding& encoding, const Json& row, const std::string& text) {
  EXPECT_EQ(encoding.ids, row[0].get<std::vector<std::int32_t>>()) << text;
  EXPECT_EQ(flatOffsets(encoding), row[1].get<std::vector<std::int64_t>>()) << text;
}

class GoldenTokenizer : public testing::TestWithParam<std::string> {
 protected:
  const Json m_expected = goldenOf(GetParam());
  std::shared_ptr<const Tokenizer> m_tokenizer =
      openTokenizer(test::textData(m_expected.at("folder").get<std::string>()));
};

TEST_P(GoldenTokenizer, IdsAndOffsetsEqualTheReference) {
  const std::vector<std::string>& texts = goldenTexts();
  const Json& full = m_expected.at("full");
  const auto hashes = m_expected.at("hashes").get<std::string>();
  ASSERT_GE(texts.size(), 2000u);
  ASSERT_EQ(hashes.size(), texts.size() * 8);
  for (std::size_t i = 0; i < full.size(); ++i)
    expectRow(m_tokenizer->encode(texts[i], false), full[i], texts[i]);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Encoding encoding = m_tokenizer->encode(texts[i], false);
    EXPECT_EQ(digest(encoding, true).substr(0, 8), hashes.substr(i * 8, 8))
        << "text " << i << " " << Json(texts[i]) << " became " << Json(encoding.ids) << " "
        << Json(flatOffsets(encoding));
  }
}

// The template's tokens have an empty range.
TEST_P(GoldenTokenizer, SpecialTokensEqualTheReference) {
  const std::string& text = test::mixedText();
  expectRow(m_tokenizer->encode(text, true), m_expected.at("special"), text);
}

TEST_P(GoldenTokenizer, CountsItsTokens) {
  EXPECT_EQ(m_tokenizer->vocabularySize(), m_expected.at("vocabulary").get<std::int64_t>());
}

// A megabyte of one thing: one piece, or a million. What is not near-linear here never ends.
TEST_P(GoldenTokenizer, LongRunsGiveTheSameTokens) {
  for (const Json& run : m_expected.at("runs")) {
    std::string text;
    for (std::int64_t i = 0; i < run.at("repeat").get<std::int64_t>(); ++i)
      text += run.at("unit").get<std::string>();
    const Encoding encoding = m_tokenizer->encode(text, false);
    EXPECT_EQ(encoding.ids.size(), run.at("tokens").get<std::size_t>()) << run.at("unit");
    EXPECT_EQ(digest(encoding, false), run.at("sha256").get<std::string>()) << run.at("unit");
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GoldenTokenizer, testing::ValuesIn(test::goldenNames()),
                         [](const auto& kind) { return kind.param; });

// Of those that have a token for every byte and leave the text as it is.
TEST(GoldenTokens, JoinToTheText) {
  for (const char* kind : {"gpt2", "llama3", "default", "inverted", "o200k", "deepseek3"}) {
    const auto tokenizer = openTokenizer(test::textData(kind));
    for (const std::string& text : goldenTexts()) {
      std::string joined;
      for (const std::int32_t id : tokenizer->encode(text, false).ids) joined += tokenizer->tokenText(id);
      EXPECT_EQ(joined, text) << kind;
    }
  }
}

}  // namespace
}  // namespace plastiscope
