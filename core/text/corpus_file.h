#pragma once
// One record of a corpus file, and the kinds of files they come from. To add a kind: its reader, and a line
// in corpus_file.cpp. Parquet is read by core/parquet, which says so where it was built without Arrow.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/record_scan.h"

namespace plastiscope {

struct CorpusRecord {
  std::filesystem::path file;
  std::string place;  // "line 12", "row 3"; empty for a whole file
  Json value;         // an object; for a .txt file a text

  ~CorpusRecord() { emptyJson(value); }
};

// Takes a record and its number in the file, from 0 on; false = no more are wanted.
using RecordSink = std::function<bool(std::int64_t number, const CorpusRecord&)>;
using Selection = std::vector<std::pair<std::string, std::string>>;  // key, value

struct CorpusFormat {
  std::string_view name;
  // "" in the list stands for every other file: plain text.
  std::string_view extension;
  // Hands out the records that `select` keeps; returns how many records there are, or how many were looked at
  // when the sink wanted no more.
  std::int64_t (*read)(const std::filesystem::path& file, const Selection& select, Progress& progress,
                       const RecordSink& sink);
};

// By the extension. InputError for kinds that are known not to be text (archives and the like).
const CorpusFormat& corpusFormatOf(const std::filesystem::path& file);

// Of a .json or .jsonl file. InputError for others.
std::unique_ptr<RecordScanner> recordScannerOf(const std::filesystem::path& file);
// The object in `bytes`, whose UTF-8 may be invalid and whose escapes may hold lone surrogates. InputError
// names the line.
Json parseRecord(std::string_view bytes, const std::filesystem::path& file, std::int64_t line,
                 Progress& progress);

}  // namespace plastiscope
