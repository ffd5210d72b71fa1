#pragma once
// Texts to capture on: .txt (one text a file), .jsonl, .json (array of objects), .parquet, or token ids as
// .jsonl.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope {

struct CorpusOptions {
  std::vector<std::filesystem::path> files;
  std::string textField;  // "": tried in order text, context, content, document, prompt
  std::string idField;    // "": id, then _id; else the running index
  std::int64_t maxExamples = -1;
  bool strict = false;  // stop at a record without a text
  bool noSpecial = false;  // leave out what the model's template adds to a text
  // Keep records whose KEY equals VALUE; of several values of one key any may be the record's.
  std::vector<std::pair<std::string, std::string>> select;
};

// One text. `id` holds the decimal digits of an integer id if `numericId` is set, else a text. Integer ids
// seed the sampler as they are, texts by their hash.
struct CorpusText {
  std::string id;
  bool numericId = false;
  std::string text;                  // valid UTF-8
  std::vector<std::int32_t> tokens;  // only from token files; then `text` is empty
};

// Ids of .txt files: the file name without folder and ".txt". Warnings (repaired UTF-8, records without a
// text, which are left out unless `strict`) go to `progress`. InputError names file and line.
std::vector<CorpusText> readCorpus(const CorpusOptions& options, Progress& progress);
// Hands out the same texts one after the other, so that they need not be in memory together; false = no more
// are wanted.
void visitCorpus(const CorpusOptions& options, Progress& progress,
                 const std::function<bool(CorpusText)>& sink);
// One {"id": ..., "tokens": [...]} a line.
std::vector<CorpusText> readTokenFile(const std::filesystem::path& file, std::int64_t maxExamples = -1);

}  // namespace plastiscope
