#pragma once
// Entries of the library: models, captures and analyses, as plain values with a table of properties. Reading
// them is slow: call it in a worker.
#include <QList>
#include <QString>
#include <filesystem>
#include <memory>
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
  QString digest;                           // fingerprint of a capture, for its look; "" = look of its family
  QString architecture;                     // family mark and group; "" = unknown
  int place = 0;                            // order within its group; equal values are sorted by name
  QString summary;                          // one line: "30 × 9 heads, Q4_1, 94 MB, GGUF"
  bool fits = true;                         // models: the weights fit into this computer's memory
  QList<std::pair<QString, QString>> card;  // "Heads" -> "30 layers × 9, 3 KV, size 64"
};

// The entry for a path; InputError if it is nothing that the library lists. A model of a family that this
// program does not know is asked for through `python` (engine_choice.h), or listed without a card.
LibraryEntry readEntry(const std::filesystem::path& path);
LibraryEntry readEntry(const std::filesystem::path& path, const std::string& python, Progress& progress);
LibraryEntry studyEntry(const StoredFile& file);  // a capture or an analysis
LibraryEntry analysisEntry(const std::filesystem::path& path, const AnalysisFile& analysis);

// Models of this computer (default folders and `modelFolders`), and the models among `files`.
std::vector<LibraryEntry> findModelEntries(const std::vector<std::filesystem::path>& modelFolders,
                                           const std::vector<std::filesystem::path>& files,
                                           Progress& progress);
// Captures and analyses in `folders`, existing ones among `files`, and analyses beside captures of `files`,
// even if these are missing. Skips unreadable files.
std::vector<LibraryEntry> findStudyEntries(const std::vector<std::filesystem::path>& folders,
                                           const std::vector<std::filesystem::path>& files,
                                           Progress& progress);

// Models of the thesis, with numbers built into the program: `path` is their published: input.
std::vector<LibraryEntry> publishedEntries();

// Kind of a dropped or chosen path. Studies: a folder of captures and analyses.
enum class PathKind { Study, Model, Text, Session, Studies };
// InputError with the reason if it is none of these: missing, a Parquet folder to be imported, a file of
// another program, ...
PathKind classifyPath(const std::filesystem::path& path);
// The session file in a folder made by `plastiscope-cli batch`; other paths unchanged.
std::filesystem::path sessionOfLibrary(const std::filesystem::path& path);
// Kind of a path, and the opened study, or the files of a folder of studies: each capture by its analysis if
// that lies beside it, in the order of the numbers in the names, which is that of training steps.
struct OpenedPath {
  PathKind kind;
  std::shared_ptr<const StoredFile> study = {};
  std::vector<std::filesystem::path> studies = {};
};
OpenedPath openPath(const std::filesystem::path& path);

}  // namespace plastiscope
