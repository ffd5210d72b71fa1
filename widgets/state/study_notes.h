#pragma once
// Notes of an open study (core/views/study_notes.h): found, changed and saved. Stored beside the file, or in
// the settings folder if that folder is read-only or belongs to the program.
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/base/state_file.h"
#include "core/store/stored_file.h"
#include "core/views/study_notes.h"

namespace plastiscope {

// Capture whose notes are requested, and their place if not under the name of its file.
struct NotesOrigin {
  StudyId capture;               // unknown: notes are found by name only
  std::filesystem::path found;   // under another name or in another folder; "" = not found
  bool besideIsForeign = false;  // notes under the name of the file belong to another capture
};

// Notes of one open study, saved shortly after each change and on closing.
class NotesDocument : public QObject {
  Q_OBJECT
 public:
  // `otherFolder`: for studies in read-only folders or shipped with the program; "" = none.
  NotesDocument(const std::filesystem::path& study, const std::filesystem::path& otherFolder,
                const NotesOrigin& origin = {}, QObject* parent = nullptr);
  ~NotesDocument() override;

  const StudyNotes& notes() const { return m_notes; }
  std::string of(HeadName head) const;
  void setStudyText(const std::string& text);
  void setHeadText(HeadName head, const std::string& text);
  void setStarred(const std::set<HeadName>& heads);
  void setGroups(const HeadGroups& groups);
  void setTags(const std::vector<std::string>& tags);
  void save();  // now
  // One sentence about notes that could not be read or belong to another capture; "" = no problem.
  const std::string& problem() const { return m_problem; }

 Q_SIGNALS:
  void changed();
  void savingFailed(const QString& sentence);

 private:
  void read(const std::filesystem::path& study, const std::filesystem::path& otherFolder,
            const NotesOrigin& origin);
  void edit(const std::function<void(StudyNotes&)>& change);
  void write();

  StudyId m_capture;
  StateFile m_beside, m_other;
  bool m_hasOther, m_onlyOther;
  bool m_unnamed = false;  // stored without the capture's id, or elsewhere
  StudyNotes m_notes, m_saved;
  std::string m_problem;
  QTimer m_delay;
};

// Index of opened captures and analyses by identity: the files where each was seen and where its notes are,
// for files that were moved or renamed. Stored in the settings folder. Thread-safe; reads and writes files,
// so call it in workers.
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

// Writes the tags of the study in `file` into its notes, as a NotesDocument does. InputError if they cannot
// be saved.
void writeTags(const StudyId& id, const std::filesystem::path& file, const StudyIndex& index,
               const std::filesystem::path& settingsFolder, const std::vector<std::string>& tags);

}  // namespace plastiscope
