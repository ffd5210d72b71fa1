#pragma once
// What the library lists: models, captures and analyses, as plain values with a card. Reading them is work
// for a worker thread.
#include <QList>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope {

class StoredFile;
struct AnalysisFile;

enum class EntryKind { Model, Capture, Analysis, Published };

struct LibraryEntry {
  EntryKind kind = EntryKind::Model;
  std::filesystem::path path;
  QString name;                             // "SmolLM2-135M-Instruct"
  QString note;                             // right-aligned: "Q4_1", "4k"
  QString print;                            // of a capture: its look for life; "" = its family's
  QString architecture;                     // family mark and group; "" = unknown
  int place = 0;                            // in its group; those of one place by their names
  QString summary;                          // one line: "30 × 9 heads, Q4_1, 94 MB, GGUF"
  bool fits = true;                         // models: the weights fit into this computer's memory
  QList<std::pair<QString, QString>> card;  // "Heads" -> "30 layers × 9, 3 KV, size 64"
};

// The card of one path, whatever it is; InputError when it is nothing that the library lists.
LibraryEntry readEntry(const std::filesystem::path& path);
LibraryEntry studyEntry(const StoredFile& file);  // of a capture or an analysis
LibraryEntry analysisEntry(const std::filesystem::path& path, const AnalysisFile& analysis);

// Models of this computer (the usual places and `modelFolders`), and those of `files` that are models.
std::vector<LibraryEntry> findModelEntries(const std::vector<std::filesystem::path>& modelFolders,
                                           const std::vector<std::filesystem::path>& files,
                                           Progress& progress);
// Captures and analyses in `folders`, those of `files` that still exist, and the analyses that stand beside
// captures of `files`, also of such that are gone. Unreadable files are skipped.
std::vector<LibraryEntry> findStudyEntries(const std::vector<std::filesystem::path>& folders,
                                           const std::vector<std::filesystem::path>& files,
                                           Progress& progress);

// The models of the thesis, whose numbers are part of the program: `path` is their published: input.
std::vector<LibraryEntry> publishedEntries();

// What a dropped or chosen path is for the window.
enum class PathKind { Study, Model, Text, Session };
// InputError says why it is none of them: missing, a Parquet folder to be imported, a file of another
// program, ...
PathKind classifyPath(const std::filesystem::path& path);
// For a folder that `plastiscope-cli batch` made the session in there; any other path as it is.
std::filesystem::path sessionOfLibrary(const std::filesystem::path& path);
// The same, and the study, open.
struct OpenedPath {
  PathKind kind;
  std::shared_ptr<const StoredFile> study;
};
OpenedPath openPath(const std::filesystem::path& path);

}  // namespace plastiscope
