#include "core/text/tokenizer.h"

#include <vector>

#include "core/base/error.h"
#include "core/text/gguf_vocabulary.h"
#include "core/text/hf_tokenizer.h"
#include "core/weights/gguf.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

// What else a model folder may hold instead of a tokenizer.json.
constexpr const char* kOtherTokenizers[] = {"tokenizer.model", "tekken.json", "vocab.json", "spiece.model"};

std::vector<fs::path> ggufFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".gguf") files.push_back(entry.path());
  }
  return files;
}

std::shared_ptr<const Tokenizer> openInFolder(const fs::path& folder) {
  const fs::path file = folder / "tokenizer.json";
  std::error_code code;
  if (fs::exists(file, code)) return openTokenizerJson(file);
  const auto ggufFiles = ggufFilesIn(folder);
  if (ggufFiles.size() == 1) return openGgufVocabulary(ggufFiles.front());
  std::string found = "none";
  for (const char* other : kOtherTokenizers) {
    if (fs::exists(folder / other, code)) found = std::string(other) + ", which this version does not read";
  }
  throw InputError({folder, "tokenizer", "tokenizer.json", found});
}

}  // namespace

std::shared_ptr<const Tokenizer> openTokenizer(const fs::path& modelPath) {
  std::error_code code;
  if (fs::is_directory(modelPath, code)) return openInFolder(modelPath);
  if (modelPath.extension() == ".json") return openTokenizerJson(modelPath);
  return openGgufVocabulary(modelPath);
}

}  // namespace plastiscope
