#pragma once
// Reads texts for a capture: .txt (one text per file), .jsonl (also .gz, .zst), .json (array of objects),
// .parquet, .arrow, .csv, folders of datasets.save_to_disk; or token ids in .jsonl.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"

namespace plastiscope {

struct CorpusOptions {
  std::vector<std::filesystem::path> files;
  std::string textField;  // "": the first of text, context, content, document, prompt
  std::string idField;    // "": id or _id, else the running index
  std::int64_t maxExamples = -1;
  bool strict = false;     // a record without a text is an error
  bool noSpecial = false;  // do not add tokens of the model's template
  // Keep records whose KEY equals VALUE; for several values of one key, any of them.
  std::vector<std::pair<std::string, std::string>> select;
  std::string form = {};  // "{context}\n\n{question}": the text made of several fields; excludes textField
  bool chat = false;      // read messages, too, for the model's chat template
};

inline constexpr std::size_t kKeptFields = 32, kLongestKeptField = 256;

// One text. `id` holds the digits of an integer id if `numericId` is set, else a string. An integer id seeds
// the sampler directly, a string through its hash.
struct CorpusText {
  std::string id;
  bool numericId = false;
  std::string text;                  // valid UTF-8
  std::vector<std::int32_t> tokens;  // for token files; `text` is then empty
  // JSON object of further texts, numbers and booleans of the record: the first kKeptFields by name, of at
  // most kLongestKeptField bytes; "" without any.
  std::string fields = {};
  JsonValue messages = {};  // with options.chat: a list, and `text` the same as JSON; null for a text alone
};

// The id of a .txt file is its name without folder and ".txt". Reports repaired UTF-8 and left-out records as
// warnings to `progress`. InputError names file and line.
std::vector<CorpusText> readCorpus(const CorpusOptions& options, Progress& progress);
// Passes the same texts to `sink` one at a time, without keeping them in memory; stops when it returns false.
void visitCorpus(const CorpusOptions& options, Progress& progress,
                 const std::function<bool(CorpusText)>& sink);
// One {"id": ..., "tokens": [...]} per line.
std::vector<CorpusText> readTokenFile(const std::filesystem::path& file, std::int64_t maxExamples = -1);

}  // namespace plastiscope
