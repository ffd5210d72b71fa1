#pragma once
// Reads and writes analyses: every table (resources/help/metrics.md) as a group of one-dimensional datasets
// (/tables/NAME/COLUMN: int64, float64, or UTF-8 text padded with zero bytes), with provenance as root
// attributes (text; settings, capture and warnings as JSON).
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/table.h"
#include "core/store/stored_file.h"
#include "core/store/table_columns.h"

namespace plastiscope {

struct AnalysisProvenance {
  std::string programVersion, created;
  std::string captureFile, captureFingerprint,
      captureSettingsHash;   // file: as given; fingerprint: of the model
  JsonValue settings;        // as resolved; names: core/analysis/settings_list.cpp
  std::string settingsHash;  // SHA-256 of canonicalJson(settings)
  JsonValue capture;  // what views need without the capture: model name, architecture, window, bucket size,
                      // layers, query_heads, key_heads, head_dim, score_scale, examples, layer kinds
  std::vector<std::string> warnings;
  // Columns of heads.csv that were imported: [{file, sha256, columns}] (core/jobs/head_metrics.h); null
  // without.
  JsonValue imported;
  Json toJson() const;
};

// The large tables of an open file, each read at its first use. Thread-safe.
class UnreadTables;

struct AnalysisFile {
  AnalysisProvenance provenance;
  std::vector<Table> tables;
  std::map<std::string, std::string> leftOut;  // error messages of damaged tables, by name
  std::shared_ptr<const UnreadTables> unread;  // null: all tables are in `tables`
  HeadIndex headIndex;                         // of the tables
  // Null if the analysis has no such table; InputError if it is damaged.
  const Table* find(std::string_view name) const;
  // Number of rows of every table by name, unread ones included.
  std::map<std::string, std::int64_t> rowsOfTables() const;
};

void writeAnalysis(const AnalysisFile& analysis, const std::filesystem::path& file);  // atomically
// The same analysis with all tables read; Refuse: InputError for a damaged one.
AnalysisFile wholeAnalysis(AnalysisFile analysis, DamagedTables damaged = DamagedTables::Refuse);
// Reads all tables. InputError as StoredFile (stored_file.h).
AnalysisFile readAnalysis(const std::filesystem::path& file, DamagedTables damaged = DamagedTables::Refuse);

}  // namespace plastiscope
