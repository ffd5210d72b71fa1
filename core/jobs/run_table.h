#pragma once
// Captures and analyses in folders as a table: one row for each, its settings as columns.
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/store/stored_file.h"

namespace plastiscope {

// A capture with the analysis NAME.analysis.h5 beside it, or an analysis by itself.
struct Run {
  std::filesystem::path file;
  FileType kind = FileType::Capture;
  StudyId id;
  JsonValue values;                    // by the names of runColumns(); missing: not known
  JsonValue settings;                  // as differenceTexts() takes them
  bool ownAnalysis = false;            // a capture with its analysis
  std::vector<std::string> tags = {};  // of its notes
};

enum class RunCell { Text, Whole, Number };
struct RunColumn {
  const char *name, *title, *help;
  RunCell type = RunCell::Text;
  bool shown = false;  // unless others are chosen
};
const std::vector<RunColumn>& runColumns();

struct RunPlaces {
  std::vector<std::filesystem::path> folders, files;  // folders without their subfolders
  std::filesystem::path settingsFolder = {};          // notes of files in read-only folders; "" = none
};

// Reads headers of files, each again only after it has changed. Thread-safe.
class RunFinder {
 public:
  // In natural order of their folders and names. Warns about files that cannot be read. InputError: a folder
  // or file that does not exist. Stopped.
  std::vector<Run> find(const RunPlaces& places, Progress& progress);

 private:
  struct Kept {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type changed;
    Run run;
  };
  Run read(const std::filesystem::path& file);

  std::mutex m_mutex;
  std::map<std::filesystem::path, Kept> m_kept;
};

// The column `differs` compares all runs.
Table runTable(const std::vector<Run>& runs);
// Settings in which the runs at these places differ: [rows]
std::vector<std::string> runDifferences(const std::vector<Run>& runs, const std::vector<std::size_t>& rows);
// Places of the rows that match a filter expression, sorted by a column ("" = in order); missing values last.
// FilterError; UsageError for an unknown column.
std::vector<std::size_t> arrangedRows(const Table& runs, const std::string& filter, const std::string& sort,
                                      bool descending);

// ---- Files of a run

// The file and its companions: the capture's own analysis, and its notes.
std::vector<std::filesystem::path> filesOfRun(const Run& run);
// Renames all of them, or none; returns the new file. `name`: without ending. InputError: no valid name, a
// file of that name exists, or the folder cannot be written.
std::filesystem::path renameRun(const Run& run, const std::string& name);

}  // namespace plastiscope
