#pragma once
// The records of a benchmark file (LongBench-Pro and the like) as a list to choose from: what each says about
// itself, without its text. Reading is work for a worker thread.
#include <QString>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/progress.h"

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

}  // namespace plastiscope
