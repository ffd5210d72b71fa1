// Vocabularies of real models, found or skipped: the ids and offsets of the reference libraries.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include "tests/text/golden.h"

namespace plastiscope {
namespace {

namespace fs = std::filesystem;

struct RealVocabulary {
  const char* name;      // large/NAME.json
  const char* variable;  // environment variable that may name the file, or the folder of the file
  const char* fileName;  // else in build/models
  const char* knownAs;   // what the file is called in a model folder; "" = as it is
  bool withOffsets;
};

fs::path fileOf(const RealVocabulary& vocabulary) {
  const char* named = std::getenv(vocabulary.variable);
  const fs::path place =
      named != nullptr ? fs::path(named) : fs::path(PLASTISCOPE_SOURCE) / "build" / "models";
  const fs::path file = fs::is_directory(place) ? place / vocabulary.fileName : place;
  return fs::exists(file) ? file : fs::path();
}

class RealVocabularies : public testing::TestWithParam<RealVocabulary> {};

TEST_P(RealVocabularies, EqualTheReference) {
  const fs::path file = fileOf(GetParam());
  if (file.empty()) {
    GTEST_SKIP() << GetParam().fileName << " is not here: lay it into build/models, or set "
                 << GetParam().variable;
  }
  const test::TemporaryFolder folder;
  fs::path model = file;
  if (*GetParam().knownAs != '\0') {
    fs::create_symlink(fs::absolute(file), folder / GetParam().knownAs);
    model = folder.path();
  }
  const auto tokenizer = openTokenizer(model);
  const Json data = readJsonFile(test::textData("large") / (std::string(GetParam().name) + ".json"));
  const auto hashes = data.at("hashes").get<std::string>();
  const auto& texts = test::goldenTexts();
  ASSERT_EQ(hashes.size(), texts.size() * 8);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Encoding encoding = tokenizer->encode(texts[i], false);
    EXPECT_EQ(test::digest(encoding, GetParam().withOffsets).substr(0, 8), hashes.substr(i * 8, 8))
        << "text " << i << " " << Json(texts[i]) << " became " << Json(encoding.ids);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealVocabularies,
                         testing::Values(RealVocabulary{"gemma3", "PLASTISCOPE_GEMMA3",
                                                        "gemma-3-270m-q4_k_m.gguf", "", true},
                                         RealVocabulary{"smollm2", "PLASTISCOPE_SMOLLM2",
                                                        "SmolLM2-135M-Instruct.Q4_1.gguf", "", false},
                                         RealVocabulary{"mistral_v1", "PLASTISCOPE_MISTRAL_COMMON",
                                                        "tokenizer.model.v1", "tokenizer.model", true},
                                         RealVocabulary{"tekken_240911", "PLASTISCOPE_MISTRAL_COMMON",
                                                        "tekken_240911.json", "tekken.json", true}),
                         [](const auto& vocabulary) { return vocabulary.param.name; });

}  // namespace
}  // namespace plastiscope
