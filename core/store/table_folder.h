#pragma once
// A folder with the CSV tables of one command and provenance.json, whose "table_set" states the command, its
// inputs and settings, and the checksum of every file. A finished set is recognised, replaced only as a
// whole, and never mixed with another. Other files in the folder are kept.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/table.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

struct TableSource {
  std::string name;            // for messages
  std::string identity;        // equal for equal content: a SHA-256, or a fixed name
  std::filesystem::path file;  // never replaced; "" if it is no file
};

// Command, inputs and settings that the tables depend on.
struct TableOrigin {
  std::string command;  // "compare"
  std::vector<TableSource> inputs;
  JsonValue settings = JsonValue::object();
};

struct TableRules {
  bool otherSettings = false;  // tables of the same inputs with other settings may be replaced
  bool force = false;          // replaces tables of other commands, inputs or programs too
  std::string remedy = "choose another folder, or --force replaces them";
};

class TableFolder {
 public:
  // Checks before any work; creates the folder's parent and throws what write() would. `tables`: names that
  // may be written. InputError for tables of another origin, naming both; UsageError naming the settings that
  // differ.
  TableFolder(std::filesystem::path folder, TableOrigin origin, TableRules rules,
              const std::vector<std::string>& tables);
  // Whether the same tables by the same version exist and match their checksums; false if tables of other
  // settings may be replaced.
  bool isFinished() const;
  const std::filesystem::path& path() const { return m_folder; }
  // Writes all files or none. InputError, ResourceError.
  void write(const std::vector<Table>& tables, Json provenance) const;

 private:
  Json setThere() const;
  void requireReplaceable(const Json& there) const;
  void requireFree(const Json& there, const std::vector<std::string>& names) const;
  Json describe(const std::vector<Table>& tables) const;

  std::filesystem::path m_folder;
  TableOrigin m_origin;
  TableRules m_rules;
};

// ---- the tables of an analysis

// A capture as an input of tables: equal for the capture and all its analyses.
TableSource captureSource(const std::filesystem::path& file, const std::string& fingerprint,
                          const std::string& settingsHash, const Json& facts);
TableSource captureSource(const AnalysisProvenance& provenance);
// An analysis as an input: its settings and program version count.
TableSource analysisSource(const std::filesystem::path& file, const AnalysisProvenance& provenance);

// Origin of the tables of `analyze`, with the resolved settings.
TableOrigin analysisOrigin(const AnalysisProvenance& provenance);

// Writes one CSV per table and provenance.json.
void exportCsv(const AnalysisFile& analysis, const std::filesystem::path& folder,
               const TableRules& rules = {.otherSettings = true, .remedy = "choose another folder"});

}  // namespace plastiscope
