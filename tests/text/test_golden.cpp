// Ids and offsets equal those of the `tokenizers` library, for every known kind of byte-level BPE.
#include <gtest/gtest.h>

#include "core/base/hash.h"
#include "tests/text/golden.h"

namespace plastiscope {
namespace {

using test::flatOffsets;
using test::golden;

class GoldenTokenizer : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const Tokenizer> m_tokenizer = openTokenizer(test::textData(GetParam()));
  const Json& m_expected = golden().at("tokenizers").at(GetParam());
};

TEST_P(GoldenTokenizer, IdsAndOffsetsAreThoseOfTheLibrary) {
  const Json& texts = golden().at("texts");
  ASSERT_GT(texts.size(), 200u);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Encoding encoding = m_tokenizer->encode(texts[i].get<std::string>(), false);
    EXPECT_EQ(encoding.ids, m_expected.at("ids")[i].get<std::vector<std::int32_t>>()) << texts[i];
    EXPECT_EQ(flatOffsets(encoding), m_expected.at("offsets")[i].get<std::vector<std::int64_t>>())
        << texts[i];
  }
}

TEST_P(GoldenTokenizer, TheTemplateAddsItsTokensWithAnEmptyRange) {
  for (const Json& text : golden().at("texts")) {
    const Encoding plain = m_tokenizer->encode(text.get<std::string>(), false);
    const Encoding special = m_tokenizer->encode(text.get<std::string>(), true);
    if (special.ids.size() > plain.ids.size()) {
      const bool atStart = GetParam() == "llama3";
      const std::size_t added = atStart ? 0 : special.ids.size() - 1;
      EXPECT_EQ(special.ids.size(), plain.ids.size() + 1);
      EXPECT_EQ(special.offsets[added], (std::pair<std::int64_t, std::int64_t>(0, 0)));
    } else {
      EXPECT_EQ(special.ids, plain.ids);
    }
  }
}

TEST_P(GoldenTokenizer, SpecialTokensAreThoseOfTheLibrary) {
  const Json& mixed = m_expected.at("mixed_with_special");
  const std::string text = golden().at("mixed").get<std::string>();
  const Encoding encoding = m_tokenizer->encode(text, true);
  EXPECT_EQ(encoding.ids, mixed.at("ids").get<std::vector<std::int32_t>>());
  EXPECT_EQ(flatOffsets(encoding), mixed.at("offsets").get<std::vector<std::int64_t>>());
}

TEST_P(GoldenTokenizer, CountsItsTokens) {
  EXPECT_EQ(m_tokenizer->vocabularySize(), m_expected.at("vocabulary").get<std::int64_t>());
}

// Of those that have a token for every byte and leave the text as it is.
TEST(GoldenTokens, JoinToTheText) {
  for (const char* kind : {"gpt2", "llama3", "default", "inverted"}) {
    const auto tokenizer = openTokenizer(test::textData(kind));
    for (const Json& text : golden().at("texts")) {
      std::string joined;
      for (const std::int32_t id : tokenizer->encode(text.get<std::string>(), false).ids) {
        joined += tokenizer->tokenText(id);
      }
      EXPECT_EQ(joined, text.get<std::string>()) << kind;
    }
  }
}

// A megabyte of one thing: one piece, or a million. What is not near-linear here never ends.
TEST_P(GoldenTokenizer, LongRunsGiveTheSameTokens) {
  for (const Json& run : m_expected.at("runs")) {
    std::string text;
    for (std::int64_t i = 0; i < run.at("repeat").get<std::int64_t>(); ++i)
      text += run.at("unit").get<std::string>();
    const Encoding encoding = m_tokenizer->encode(text, false);
    EXPECT_EQ(encoding.ids.size(), run.at("tokens").get<std::size_t>()) << run.at("unit");
    const std::string_view bytes(reinterpret_cast<const char*>(encoding.ids.data()),
                                 encoding.ids.size() * sizeof(std::int32_t));
    EXPECT_EQ(sha256Hex(bytes), run.at("sha256").get<std::string>()) << run.at("unit");
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GoldenTokenizer,
                         testing::Values("gpt2", "gpt2_prefix", "llama3", "qwen2", "smollm", "unknown",
                                         "unknown_fused", "default", "inverted"),
                         [](const auto& kind) { return kind.param; });

}  // namespace
}  // namespace plastiscope
