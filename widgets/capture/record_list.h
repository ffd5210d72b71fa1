#pragma once
// The records of a benchmark file (LongBench-Pro and the like) as a list to choose from: what each says about
// itself, without its text. Reading is work for a worker thread.
#include <QString>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "widgets/capture/text_source.h"

namespace plastiscope {

// A field of which many records share few values: one to filter by.
struct RecordField {
  std::string name;
  QString title;
  std::vector<std::string> values;  // in natural order: 8k before 16k
};

struct RecordEntry {
  std::string id;           // as in the capture
  std::vector<int> values;  // [fields] index into RecordField::values; -1 = the record has none
};

struct RecordList {
  std::vector<std::filesystem::path> files;
  std::string idField;  // "": records are numbered
  std::vector<RecordField> fields;
  std::vector<RecordEntry> records;
};

// A .json, .jsonl, .ndjson or .parquet file, or a folder with such files (three folders deep). InputError
// names file and line; Stopped.
RecordList readRecordList(const std::vector<std::filesystem::path>& places, Progress& progress);

// The fields to filter by of records with these values, those of well known benchmarks first.
std::vector<RecordField> filterFields(const std::vector<std::map<std::string, std::string>>& records);

// Tokens of the records of a large file, counted in a worker and looked up by the window while it goes on.
// What is counted is kept when the choice of records changes.
// Any member may be called from any thread.
class RecordCounts {
 public:
  void add(const std::string& id, std::int64_t tokens);
  std::optional<std::int64_t> of(const std::string& id) const;

 private:
  mutable std::mutex m_mutex;
  std::map<std::string, std::int64_t> m_tokens;
};

// Counts the texts of `corpus` that `counts` does not know yet; returns the first text with its pieces.
// Reports texts of `total`. InputError, Stopped.
TextCount countRecords(const Tokenizer& tokenizer, const CorpusOptions& corpus, std::int64_t total,
                       RecordCounts& counts, Progress& progress);

// Which records of a list are wanted: chosen values of its fields, and single records left out. Plain values,
// pure functions.
struct RecordChoice {
  std::vector<std::set<int>> wanted;  // [fields] chosen values; none chosen = all
  std::set<std::size_t> left;         // records left out by hand
};

// Whether the values of a record are wanted; `except`: a field that is not asked (-1 = none).
bool passes(const RecordEntry& record, const RecordChoice& choice, int except = -1);

// Records of each value of a field that the filters of the other fields let through.
std::vector<std::int64_t> countsOf(const RecordList& list, const RecordChoice& choice, int field);

// The `--select` pairs that say the same: the filters, or a list of ids where records were left out by hand.
std::vector<std::pair<std::string, std::string>> selectionOf(const RecordList& list,
                                                             const RecordChoice& choice);

}  // namespace plastiscope
