// Damaged and unknown tokenizers: what was found is named, with what would be known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/base/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/text/golden.h"
#include "tests/weights/file_builders.h"

namespace plastiscope {
namespace {

using testing::HasSubstr;

// tokenizer.json of `kind`, changed.
std::string complaint(const std::function<void(Json&)>& change, const std::string& kind = "gpt2") {
  const test::TemporaryFolder folder;
  Json json = readJsonFile(test::textData(kind) / "tokenizer.json");
  change(json);
  writeFileAtomically(folder / "tokenizer.json", json.dump());
  return test::inputErrorOf([&] { openTokenizer(folder.path()); });
}

TEST(TokenizerRefusal, UnknownKindsAreNamedWithTheKnownOnes) {
  EXPECT_THAT(complaint([](Json& json) { json["model"]["type"] = "Unigram"; }),
              HasSubstr("model: expected one of BPE, found Unigram"));
  EXPECT_THAT(complaint([](Json& json) {
                json["normalizer"] = {{"type", "Lowercase"}};
              }),
              HasSubstr("normalizer: expected one of NFC, found Lowercase"));
  EXPECT_THAT(complaint([](Json& json) {
                json["pre_tokenizer"] = {{"type", "Metaspace"}};
              }),
              HasSubstr("pre_tokenizer: expected one of Split, Digits, ByteLevel, found Metaspace"));
  EXPECT_THAT(
      complaint([](Json& json) {
        json["post_processor"] = {{"type", "BertProcessing"}};
      }),
      HasSubstr("post_processor: expected one of ByteLevel, TemplateProcessing, found BertProcessing"));
}

TEST(TokenizerRefusal, AnUnknownPatternIsNamed) {
  const std::string text = complaint(
      [](Json& json) { json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "(a+)+b"; }, "llama3");
  EXPECT_THAT(text, HasSubstr("pre_tokenizer.pretokenizers[0].pattern"));
  EXPECT_THAT(text, HasSubstr("gpt2, llama3, qwen2"));
  EXPECT_THAT(text, HasSubstr("(a+)+b"));
}

TEST(TokenizerRefusal, OtherUsesOfAKnownPatternAreRefused) {
  EXPECT_THAT(
      complaint([](Json& json) { json["pre_tokenizer"]["pretokenizers"][0]["behavior"] = "MergedWithNext"; },
                "llama3"),
      HasSubstr("MergedWithNext"));
  EXPECT_THAT(complaint([](Json& json) { json["pre_tokenizer"]["pretokenizers"].erase(1); }, "llama3"),
              HasSubstr("ends in ByteLevel"));
  EXPECT_THAT(complaint([](Json& json) { json["pre_tokenizer"] = nullptr; }), HasSubstr("ends in ByteLevel"));
}

TEST(TokenizerRefusal, ModelOptionsOfOtherVocabulariesAreRefused) {
  EXPECT_THAT(complaint([](Json& json) { json["model"]["byte_fallback"] = true; }),
              HasSubstr("byte_fallback"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["dropout"] = 0.1; }), HasSubstr("dropout"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["end_of_word_suffix"] = "</w>"; }),
              HasSubstr("end_of_word_suffix"));
}

TEST(TokenizerRefusal, DamagedVocabulariesAreRefused) {
  EXPECT_THAT(complaint([](Json& json) { json["model"].erase("vocab"); }), HasSubstr("\"vocab\""));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = -1; }), HasSubstr("\"a\""));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = 1e9; }), HasSubstr("a token id"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = 4'000'000; }),
              HasSubstr("a token id"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["vocab"]["a"] = json["model"]["vocab"]["b"]; }),
              HasSubstr("which another entry has"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["merges"][3] = "qq zz"; }),
              HasSubstr("merge 4 (qq zz)"));
  EXPECT_THAT(complaint([](Json& json) { json["model"]["merges"][3] = "nospace"; }),
              HasSubstr("model.merges[3]"));
  EXPECT_THAT(complaint([](Json& json) {
                json["model"]["merges"][3] = {"a", "b", "c"};
              }),
              HasSubstr("model.merges[3]: expected two tokens"));
  EXPECT_THAT(complaint([](Json& json) { json["added_tokens"][0]["content"] = std::string(2000, 'x'); }),
              HasSubstr("1,000 bytes"));
  EXPECT_THAT(complaint([](Json& json) { json["added_tokens"][0]["id"] = "one"; }),
              HasSubstr("added_tokens[0].id"));
}

TEST(TokenizerRefusal, TemplatesWithoutTheTextAreRefused) {
  EXPECT_THAT(
      complaint([](Json& json) { json["post_processor"]["processors"][1]["single"].erase(1); }, "llama3"),
      HasSubstr("the text once"));
  EXPECT_THAT(complaint([](Json& json) { json["post_processor"]["processors"][1]["special_tokens"].clear(); },
                        "llama3"),
              HasSubstr("special_tokens"));
}

TEST(TokenizerRefusal, BrokenFilesAndMissingOnesAreNamed) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(folder.path()); }),
              HasSubstr("expected tokenizer.json, found none"));
  writeFileAtomically(folder / "tokenizer.model", "x");
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(folder.path()); }),
              HasSubstr("tokenizer.model, which this version does not read"));
  const std::string whole = readFile(test::textData("gpt2") / "tokenizer.json");
  writeFileAtomically(folder / "tokenizer.json", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(folder.path()); }), HasSubstr("not valid JSON"));
}

// Whatever is cut off or changed, the answer is a sentence or a working tokenizer.
TEST(TokenizerRefusal, ChangedBytesNeverCrash) {
  const std::string whole = readFile(test::textData("smollm") / "tokenizer.json");
  const test::TemporaryFolder folder;
  std::uint32_t state = 7;
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string changed = whole;
    for (int i = 0; i < 3; ++i) {
      state = state * 1664525 + 1013904223;
      changed[state % changed.size()] = "{}[]\",:0x \\\xff"[state >> 28 & 7];
    }
    writeFileAtomically(folder / "tokenizer.json", changed);
    try {
      openTokenizer(folder.path())->encode("It's 12 <|end|> \xE4\xB8\xAD", true);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(TokenizerDescription, SaysWhatTheTemplateAddsAndWhoDisagrees) {
  EXPECT_EQ(openTokenizer(test::textData("gpt2"))->description(), "byte-level BPE, 563 tokens, no BOS added");
  EXPECT_EQ(openTokenizer(test::textData("llama3"))->description(),
            "byte-level BPE, 563 tokens, adds <|endoftext|> at the start");
  const test::TemporaryFolder folder;
  std::filesystem::copy(test::textData("gpt2") / "tokenizer.json", folder / "tokenizer.json");
  writeFileAtomically(folder / "tokenizer_config.json", R"({"add_bos_token": true})");
  EXPECT_THAT(
      openTokenizer(folder.path())->description(),
      HasSubstr("tokenizer_config.json says add_bos_token = true, the template of tokenizer.json wins"));
  writeFileAtomically(folder / "tokenizer_config.json", R"({"add_bos_token": false})");
  EXPECT_EQ(openTokenizer(folder.path())->description(), "byte-level BPE, 563 tokens, no BOS added");
}

}  // namespace
}  // namespace plastiscope
