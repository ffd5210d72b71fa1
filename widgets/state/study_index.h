#pragma once
// Index of opened captures and analyses by identity: the files where each was seen and where its notes are,
// for files that were moved or renamed. Stored in the settings folder.
#include <filesystem>
#include <mutex>
#include <vector>

#include "core/store/stored_file.h"
#include "widgets/state/state_file.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

// Thread-safe; reads and writes files, so call it in workers.
class StudyIndex {
 public:
  static constexpr std::size_t kMaximum = 500;

  explicit StudyIndex(const std::filesystem::path& settingsFolder);

  // Puts the entry first and keeps entries of other windows. Write errors are ignored.
  void remember(const StudyId& id, const std::filesystem::path& file);
  std::vector<std::filesystem::path> filesOf(const StudyId& id) const;  // newest first, also missing files
  // Where to look for the notes of the study in `file`: under its name, beside it under any name, and where
  // its capture was seen before.
  NotesOrigin notesOf(const StudyId& id, const std::filesystem::path& file) const;

 private:
  struct Entry {
    StudyId id;
    std::filesystem::path file;
  };
  std::vector<Entry> read() const;

  mutable std::mutex m_mutex;
  StateFile m_file;
};

}  // namespace plastiscope
