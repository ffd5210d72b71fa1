// Tokenizers of several files give the ids of transformers (tests/data/text/make_tokenizer_files.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include "tests/text/golden.h"
#include "tests/weights/file_builders.h"

namespace plastiscope {
namespace {

using testing::HasSubstr;

void put(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

// The vocabulary in the file that the case asks for.
void putVocabulary(const std::filesystem::path& folder, const std::string& name, const std::string& file) {
  if (file != "vocab.json") {
    std::filesystem::copy_file(test::textData(name) / file, folder / file);
    return;
  }
  const Json model = readJsonFile(test::textData(name) / "tokenizer.json").at("model");
  std::string merges = "#version: 0.2\n";
  for (const Json& merge : model.at("merges")) {
    merges += merge.is_string() ? merge.get<std::string>()
                                : merge[0].get<std::string>() + " " + merge[1].get<std::string>();
    merges += "\n";
  }
  put(folder / "vocab.json", model.at("vocab").dump());
  put(folder / "merges.txt", merges);
}

void putCase(const std::filesystem::path& folder, const Json& each) {
  putVocabulary(folder, each.at("vocabulary").get<std::string>(), each.at("file").get<std::string>());
  for (const auto& [name, content] : each.at("files").items()) put(folder / name, content.dump());
}

TEST(TokenizerFiles, TogetherGiveTheIdsOfTransformers) {
  const Json golden = readJsonFile(test::textData("tokenizer_files.json"));
  ASSERT_GT(golden.at("cases").size(), 60u);
  for (const Json& each : golden.at("cases")) {
    const test::TemporaryFolder folder;
    putCase(folder.path(), each);
    SCOPED_TRACE(each.at("vocabulary").get<std::string>() + " " + each.at("files").dump());
    const auto tokenizer = openTokenizer(folder.path());
    for (std::size_t i = 0; i < golden.at("texts").size(); ++i) {
      const auto text = golden.at("texts").at(i).get<std::string>();
      for (const bool special : {true, false}) {
        EXPECT_EQ(Json(tokenizer->encode(text, special).ids), each.at("ids").at(i).at(special ? 0 : 1))
            << Json(text) << (special ? "" : ", without special tokens");
      }
    }
  }
}

std::string refusalOf(const std::string& file, const Json& files) {
  const test::TemporaryFolder folder;
  putCase(folder.path(),
          {{"vocabulary", file == "vocab.json" ? "gpt2" : "spm_llama"}, {"file", file}, {"files", files}});
  return test::inputErrorOf([&] { openTokenizer(folder.path()); });
}

TEST(TokenizerFiles, RefusesFilesThatTransformersWouldNotRead) {
  EXPECT_THAT(
      refusalOf("tokenizer.model", {{"tokenizer_config.json", {{"tokenizer_class", "NoSuchTokenizer"}}}}),
      HasSubstr("expected one of TokenizersBackend, LlamaTokenizer"));
  EXPECT_THAT(
      refusalOf("tokenizer.model", {{"tokenizer_config.json", {{"tokenizer_class", "Qwen2Tokenizer"}}}}),
      HasSubstr("vocab.json and merges.txt are missing"));
  EXPECT_THAT(refusalOf("vocab.json", {{"tokenizer_config.json", {{"tokenizer_class", "LlamaTokenizer"}}}}),
              HasSubstr("a class that reads vocab.json and merges.txt"));
  EXPECT_THAT(refusalOf("tokenizer.model", {{"tokenizer_config.json", Json::object()},
                                            {"added_tokens.json", {{"<far>", 5000}}}}),
              HasSubstr("the next free id"));
  const test::TemporaryFolder folder;
  std::string ranks;
  for (int rank = 0; rank < 1000; ++rank) ranks += "IQ== " + std::to_string(rank) + "\n";
  put(folder / "tokenizer.model", ranks);
  EXPECT_THAT(test::inputErrorOf([&] { openTokenizer(folder.path()); }), HasSubstr("a tiktoken vocabulary"));
}

}  // namespace
}  // namespace plastiscope
