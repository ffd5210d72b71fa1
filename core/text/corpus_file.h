#pragma once
// Records of corpus files and the supported file formats. To add a format: its reader, and a line in
// corpus_file.cpp. Parquet, Arrow and CSV are read in core/parquet, if built with Arrow.
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
  Json value;         // an object; a string for a .txt file

  ~CorpusRecord() { emptyJson(value); }
};

// Takes a record and its index in the file, from 0 on; returns false to stop.
using RecordSink = std::function<bool(std::int64_t number, const CorpusRecord&)>;
using RecordSelection = std::vector<std::pair<std::string, std::string>>;  // key, value

struct CorpusFormat {
  std::string_view name;
  // The end of the file's name, such as ".jsonl.gz"; "" stands for all other files: plain text.
  std::string_view extension;
  // Passes the records that `select` keeps to the sink; returns the number of records in the file, or of
  // those read when the sink stopped.
  std::int64_t (*read)(const std::filesystem::path& file, const RecordSelection& select, Progress& progress,
                       const RecordSink& sink);
};

// By extension. InputError for formats known not to be text (archives and the like).
const CorpusFormat& corpusFormatOf(const std::filesystem::path& file);

// For .json and .jsonl files; InputError for others.
std::unique_ptr<RecordScanner> recordScannerOf(const std::filesystem::path& file);
// Parses the object in `bytes`; repairs invalid UTF-8 and lone surrogates. InputError names the line.
Json parseRecord(std::string_view bytes, const std::filesystem::path& file, std::int64_t line,
                 Progress& progress);

// ---- Finds files of records (benchmarks, corpora): in a folder, and among downloaded data sets.

// `place` itself if it is a file, else its files of records, up to three folders deep. InputError when there
// is none, or the splits of a data set that datasets.save_to_disk wrote.
std::vector<std::filesystem::path> recordFilesOf(const std::filesystem::path& place);

struct FoundRecords {
  std::string name;             // "caskcsg/LongBench-Pro"
  std::filesystem::path place;  // the file, or the folder of several
  std::size_t files = 0;
};
// Data sets with files of records in the Hugging Face caches (hubCacheFolder(), HF_DATASETS_CACHE, HF_HOME):
// long-context benchmarks first, then by name.
std::vector<FoundRecords> findRecords();

// ---- Detects and reads plain text of unknown encoding.

// Checks the first 4 KiB: valid UTF-8, no zero bytes, not empty. False for a file that cannot be read.
bool looksLikeText(const std::filesystem::path& file);

// The encoding of a text that is not UTF-8, "UTF-16 (little-endian)" for example, from its byte order mark or
// the zero byte beside its first letter; "" when unknown.
std::string foreignEncodingOf(std::string_view start);

// The content of a text file without byte order mark; bytes that are not UTF-8 are replaced, with a warning.
// InputError for UTF-16, UTF-32, zero bytes and binary data.
std::string plainTextOf(std::string bytes, const std::filesystem::path& file, Progress& progress);

// Replaces invalid UTF-8 by U+FFFD, with a warning that begins with `where`.
std::string repairedText(std::string_view bytes, const std::string& where, Progress& progress);

}  // namespace plastiscope
