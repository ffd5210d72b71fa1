#pragma once
// A folder with the CSV tables of one command and provenance.json, whose "table_set" says which command wrote
// them, of which inputs, with which settings, and the checksum of every file. So a finished set is
// recognised, is replaced as a whole, and is never mixed with another. Files that are no part of it stay.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/table.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

struct TableSource {
  std::string name;            // for sentences
  std::string identity;        // equal for equal content: a SHA-256, or a name that the program gives
  std::filesystem::path file;  // never replaced; "" where it is none
};

// What decides the tables.
struct TableOrigin {
  std::string command;  // "compare"
  std::vector<TableSource> inputs;
  JsonValue settings = JsonValue::object();
};

struct TableRules {
  bool otherSettings = false;  // tables of the same inputs with other settings may be replaced
  bool force = false;          // those of another command or of other inputs, and foreign tables too
  std::string wayOut = "choose another folder, or --force replaces them";
};

class TableFolder {
 public:
  // Asked before any work: makes the folder's parent, and refuses what write() would. `tables`: names that
  // may be written. InputError for a foreign or another set, naming both; UsageError naming the settings that
  // differ.
  TableFolder(std::filesystem::path folder, TableOrigin origin, TableRules rules,
              const std::vector<std::string>& tables);
  // The same tables by the same version of the program are there, each as its checksum says.
  bool isFinished() const;
  // All or nothing. InputError, ResourceError.
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

// ---- the tables of an analysis, whichever command or window writes them

// A capture among the inputs of tables: the same for the capture and for every analysis of it.
TableSource captureSource(const std::filesystem::path& file, const std::string& fingerprint,
                          const std::string& settingsHash, const Json& facts);
TableSource captureSource(const AnalysisProvenance& provenance);
// An analysis as an input: its settings and its program belong to it.
TableSource analysisSource(const std::filesystem::path& file, const AnalysisProvenance& provenance);

// Tables of `analyze`, with the settings as resolved.
TableOrigin analysisOrigin(const AnalysisProvenance& provenance);

// One CSV per table and provenance.json.
void exportCsv(const AnalysisFile& analysis, const std::filesystem::path& folder,
               const TableRules& rules = {.otherSettings = true, .wayOut = "choose another folder"});

}  // namespace plastiscope
