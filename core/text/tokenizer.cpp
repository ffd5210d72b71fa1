#include "core/text/tokenizer.h"

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/text/tokenizer_files.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMaxJsonIds = 4'000'000;

struct FileKind {
  std::string_view fileName;
  std::shared_ptr<const Tokenizer> (*open)(const fs::path& file);
};

// In order of preference.
constexpr FileKind kFileKinds[] = {
    {"tokenizer.json", openTokenizerJson},
    {"tokenizer.model", openTokenizerModel},
    {"tekken.json", openTekken},
    {"vocab.json", openVocabularyAndMerges},
};

// Formats that are recognised for messages only.
constexpr const char* kOtherTokenizers[] = {"spiece.model", "vocab.txt", "tiktoken.model"};

std::vector<fs::path> ggufFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".gguf") files.push_back(entry.path());
  }
  return files;
}

std::shared_ptr<const Tokenizer> openInFolder(const fs::path& folder) {
  std::error_code code;
  for (const FileKind& kind : kFileKinds) {
    if (fs::exists(folder / kind.fileName, code)) return kind.open(folder / kind.fileName);
  }
  const auto ggufFiles = ggufFilesIn(folder);
  if (ggufFiles.size() == 1) return openGgufVocabulary(ggufFiles.front());
  std::string found = "none";
  for (const char* other : kOtherTokenizers) {
    if (fs::exists(folder / other, code)) found = std::string(other) + ", which this version does not read";
  }
  throw InputError({folder, "tokenizer", "one of " + joined(kFileKinds, &FileKind::fileName), found});
}

// The vocabulary of the file, or the tokenizer.json beside it if that vocabulary is of an unknown kind.
std::shared_ptr<const Tokenizer> openGgufTokenizer(const fs::path& file) {
  try {
    return openGgufVocabulary(file);
  } catch (const UnknownVocabulary& unknown) {
    const fs::path beside = file.parent_path() / kFileKinds[0].fileName;
    std::error_code code;
    if (fs::exists(beside, code)) return openTokenizerJson(beside);
    throw InputError(std::string(unknown.what()) +
                     "; give the model's tokenizer.json with --tokenizer FILE, or put it beside this file");
  }
}

}  // namespace

std::int32_t tokenId(const CheckedJson& value) {
  return static_cast<std::int32_t>(value.asInteger(0, kMaxJsonIds - 1, "a token id"));
}

bool isTokenId(const Json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() < static_cast<std::uint64_t>(kMaxJsonIds);
}

std::shared_ptr<const Tokenizer> openTokenizer(const fs::path& modelPath) {
  std::error_code code;
  if (fs::is_directory(modelPath, code)) return openInFolder(modelPath);
  for (const FileKind& kind : kFileKinds) {
    if (modelPath.filename() == kind.fileName) return kind.open(modelPath);
  }
  if (modelPath.extension() == ".json") return openTokenizerJson(modelPath);
  if (modelPath.extension() == ".model") return openTokenizerModel(modelPath);
  return openGgufTokenizer(modelPath);
}

}  // namespace plastiscope
