// Vocabularies of GGUF files, made here from the same tokenizer.json files: the same ids must come out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include "tests/text/golden.h"
#include "tests/weights/file_builders.h"

namespace plastiscope {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kArray = 9, kText = 8, kInteger = 5, kFlag = 7;

struct Vocabulary {
  std::string model = "gpt2", pre;
  std::vector<std::string> tokens, merges;
  std::vector<std::int32_t> types;
  std::string extra;  // further keys
  std::uint64_t extraKeys = 0;
};

// The vocabulary of a tokenizer.json; its added tokens become control tokens.
Vocabulary fromTokenizerJson(const std::string& kind, const std::string& pre) {
  const Json json = readJsonFile(test::textData(kind) / "tokenizer.json");
  Vocabulary vocabulary;
  vocabulary.pre = pre;
  const auto set = [&](std::size_t id, const std::string& text, std::int32_t type) {
    vocabulary.tokens.resize(std::max(vocabulary.tokens.size(), id + 1));
    vocabulary.types.resize(vocabulary.tokens.size(), 1);
    vocabulary.tokens[id] = text;
    vocabulary.types[id] = type;
  };
  for (const auto& [text, id] : json.at("model").at("vocab").items()) set(id.get<std::size_t>(), text, 1);
  for (const Json& token : json.at("added_tokens")) {
    set(token.at("id").get<std::size_t>(), token.at("content").get<std::string>(), 3);
  }
  for (const Json& merge : json.at("model").at("merges")) {
    vocabulary.merges.push_back(merge.is_string()
                                    ? merge.get<std::string>()
                                    : merge[0].get<std::string>() + " " + merge[1].get<std::string>());
  }
  return vocabulary;
}

std::string arrayKey(const std::string& name, std::uint32_t type, std::size_t count) {
  return test::ggufText(name) + test::little(kArray) + test::little(type) +
         test::little<std::uint64_t>(count);
}

std::string flagKey(const std::string& name, bool value) {
  return test::ggufText(name) + test::little(kFlag) + std::string(1, static_cast<char>(value));
}

std::filesystem::path written(const test::TemporaryFolder& folder, const Vocabulary& vocabulary) {
  const bool hasPre = !vocabulary.pre.empty();
  std::string content = test::ggufHead(0, (hasPre ? 5 : 4) + vocabulary.extraKeys);
  content += test::ggufTextKey("tokenizer.ggml.model", vocabulary.model);
  if (hasPre) content += test::ggufTextKey("tokenizer.ggml.pre", vocabulary.pre);
  content += arrayKey("tokenizer.ggml.tokens", kText, vocabulary.tokens.size());
  for (const std::string& token : vocabulary.tokens) content += test::ggufText(token);
  content += arrayKey("tokenizer.ggml.merges", kText, vocabulary.merges.size());
  for (const std::string& merge : vocabulary.merges) content += test::ggufText(merge);
  content += arrayKey("tokenizer.ggml.token_type", kInteger, vocabulary.types.size());
  for (const std::int32_t type : vocabulary.types) content += test::little(type);
  return test::put(folder / "vocabulary.gguf", test::padded(content + vocabulary.extra));
}

// The ids of the tokenizer.json, which are the reference library's (test_golden.cpp).
void expectGoldenIds(const std::string& kind, const Tokenizer& tokenizer,
                     const std::vector<std::string>& without = {}) {
  const auto reference = openTokenizer(test::textData(kind));
  int compared = 0;
  for (const std::string& text : test::goldenTexts()) {
    const bool skip = std::any_of(without.begin(), without.end(), [&](const std::string& part) {
      return text.find(part) != std::string::npos;
    });
    if (skip) continue;
    ++compared;
    EXPECT_EQ(tokenizer.encode(text, false).ids, reference->encode(text, false).ids) << Json(text);
  }
  EXPECT_GT(compared, 1900);
}

TEST(GgufVocabulary, GivesTheIdsOfTheSameTokenizerJson) {
  const test::TemporaryFolder folder;
  expectGoldenIds("gpt2", *openTokenizer(written(folder, fromTokenizerJson("gpt2", "gpt-2"))));
  for (const auto& [kind, pre] : {std::pair{"default", "default"},
                                  {"o200k", "gpt-4o"},
                                  {"qwen35", "qwen35"},
                                  {"seed", "seed-coder"},
                                  {"deepseek3", "deepseek-v3"}}) {
    expectGoldenIds(kind, *openTokenizer(written(folder, fromTokenizerJson(kind, pre))));
  }
  // Here the flags of added tokens, which GGUF does not have, make a difference.
  expectGoldenIds("smollm", *openTokenizer(written(folder, fromTokenizerJson("smollm", "smollm"))),
                  {"word", "<left>", "<right>", "<both>"});
}

TEST(GgufVocabulary, LlamaRuleIgnoresMergesAndAddsBosByDefault) {
  const test::TemporaryFolder folder;
  Vocabulary vocabulary = fromTokenizerJson("llama3", "llama-bpe");
  vocabulary.extra = test::ggufIntegerKey("tokenizer.ggml.bos_token_id", 560);
  vocabulary.extraKeys = 1;
  const auto withBos = openTokenizer(written(folder, vocabulary));
  expectGoldenIds("llama3", *withBos);
  const Encoding encoding = withBos->encode("a", true);
  ASSERT_EQ(encoding.ids.size(), 2u);
  EXPECT_EQ(encoding.ids[0], 560);
  EXPECT_EQ(encoding.offsets[0], (std::pair<std::int64_t, std::int64_t>(0, 0)));
  EXPECT_EQ(withBos->tokenText(560), "<|endoftext|>");

  vocabulary.extra += flagKey("tokenizer.ggml.add_bos_token", false);
  vocabulary.extraKeys = 2;
  EXPECT_EQ(openTokenizer(written(folder, vocabulary))->encode("a", true).ids.size(), 1u);
}

TEST(GgufVocabulary, AddsTheEosTokenWhenTheFileSaysSo) {
  const test::TemporaryFolder folder;
  Vocabulary vocabulary = fromTokenizerJson("gpt2", "gpt-2");
  vocabulary.extra = flagKey("tokenizer.ggml.add_eos_token", true) +
                     test::ggufIntegerKey("tokenizer.ggml.eos_token_id", 561);
  vocabulary.extraKeys = 2;
  EXPECT_EQ(openTokenizer(written(folder, vocabulary))->encode("a", true).ids.back(), 561);
  vocabulary.extra = flagKey("tokenizer.ggml.add_eos_token", true);
  vocabulary.extraKeys = 1;
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(written(folder, vocabulary)); }),
              HasSubstr("eos_token_id"));
}

TEST(GgufVocabulary, UnknownRulesAndModelsAreNamedWithTheKnownOnes) {
  const test::TemporaryFolder folder;
  Vocabulary vocabulary = fromTokenizerJson("gpt2", "no-such-rule");
  std::string text = test::inputErrorOf([&] { openTokenizer(written(folder, vocabulary)); });
  EXPECT_THAT(text, HasSubstr("tokenizer.ggml.pre: expected one of gpt-2"));
  EXPECT_THAT(text, HasSubstr("found \"no-such-rule\""));
  vocabulary.pre = "";
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(written(folder, vocabulary)); }), HasSubstr("--tokens"));
  vocabulary.model = "rwkv";
  text = test::inputErrorOf([&] { openTokenizer(written(folder, vocabulary)); });
  EXPECT_THAT(text, HasSubstr("tokenizer.ggml.model: expected one of gpt2 (byte-level BPE), llama "
                              "(SentencePiece BPE) or gemma4 (BPE of characters), found \"rwkv\""));
  EXPECT_THAT(text, HasSubstr("--tokenizer FILE"));
  // What stands beside the file is used instead.
  std::filesystem::copy_file(test::textData("gpt2") / "tokenizer.json", folder / "tokenizer.json");
  expectGoldenIds("gpt2", *openTokenizer(written(folder, vocabulary)));
}

// make_gguf_pre.py
TEST(GgufVocabulary, UsesThePreTokenizerNamedInTheFile) {
  const test::TemporaryFolder folder;
  const Json golden = readJsonFile(test::textData("gguf_pre.json"));
  for (const auto& [name, ids] : golden.at("ids").items()) {
    const bool characters = name == "gemma4";
    Vocabulary vocabulary = fromTokenizerJson(characters ? "gemma" : "gpt2", characters ? "" : name);
    if (characters) {
      vocabulary.model = name;
      vocabulary.extra = flagKey("tokenizer.ggml.add_bos_token", false);
      vocabulary.extraKeys = 1;
      vocabulary.types[0] = 2;  // <unk>
    }
    const auto tokenizer = openTokenizer(written(folder, vocabulary));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto text = golden.at("texts")[i].get<std::string>();
      EXPECT_EQ(tokenizer->encode(text).ids, ids[i].get<std::vector<std::int32_t>>())
          << name << ": " << Json(text);
    }
  }
}

TEST(GgufVocabulary, RefusesListsOfDifferentLengths) {
  const test::TemporaryFolder folder;
  Vocabulary vocabulary = fromTokenizerJson("gpt2", "gpt-2");
  vocabulary.types.pop_back();
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(written(folder, vocabulary)); }),
              HasSubstr("token_type"));
  vocabulary = fromTokenizerJson("gpt2", "gpt-2");
  vocabulary.merges[0] = "nospace";
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(written(folder, vocabulary)); }),
              HasSubstr("tokenizer.ggml.merges"));
  vocabulary.merges[0] = "qq zz";
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(written(folder, vocabulary)); }),
              HasSubstr("merge 1 (qq zz)"));
}

TEST(GgufVocabulary, OneFileInAFolderIsFound) {
  const test::TemporaryFolder folder;
  written(folder, fromTokenizerJson("gpt2", "gpt-2"));
  EXPECT_EQ(openTokenizer(folder.path())->vocabularySize(), 563);
}

}  // namespace
}  // namespace plastiscope
