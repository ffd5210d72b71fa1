#pragma once
// What a person wrote about a capture and its heads, and which heads are starred. Kept as NAME.notes.json
// beside the file, so that it travels with it, and with the id of its capture, so that it is found when that
// is renamed; where that folder cannot be written or is the program's own, in the settings folder.
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "core/base/json_value.h"
#include "core/capture/head_choice.h"
#include "core/store/stored_file.h"
#include "widgets/state/state_file.h"

namespace plastiscope {

struct StudyNotes {
  std::string study;                      // about the capture as a whole
  std::map<HeadName, std::string> heads;  // never empty texts
  std::set<HeadName> starred;
  bool operator==(const StudyNotes&) const = default;
  bool empty() const { return *this == StudyNotes(); }

  Json toJson() const;
  static StudyNotes fromJson(const Json& value);  // what is not understood is left out
};

inline constexpr const char* kNotesSuffix = ".notes.json";
// "study.h5" and "study.analysis.h5" share "study.notes.json".
std::filesystem::path notesFileOf(const std::filesystem::path& study);
// The capture that a file of notes names; not known when it names none or is no such file.
StudyId captureOfNotes(const std::filesystem::path& notes);

// Whose notes are asked for, and where they are when that is not under the name of its file.
struct NotesOrigin {
  StudyId capture;               // not known: they are found by name alone
  std::filesystem::path found;   // under another name or in another folder; "" = nowhere else
  bool besideIsForeign = false;  // those under the name of the file are of another capture
};

// The notes of one open study, saved a moment after each change and when it closes.
class NotesDocument : public QObject {
  Q_OBJECT
 public:
  // `otherFolder`: for studies in folders that cannot be written or came with the program; "" = there is
  // none.
  NotesDocument(const std::filesystem::path& study, const std::filesystem::path& otherFolder,
                const NotesOrigin& origin = {}, QObject* parent = nullptr);
  ~NotesDocument() override;

  const StudyNotes& notes() const { return m_notes; }
  std::string of(HeadName head) const;
  void setStudyText(const std::string& text);
  void setHeadText(HeadName head, const std::string& text);
  void setStarred(const std::set<HeadName>& heads);
  // One sentence about notes that could not be read, or are of another capture; "" = all is well.
  const std::string& problem() const { return m_problem; }

 Q_SIGNALS:
  void changed();
  void savingFailed(const QString& sentence);

 private:
  void read(const std::filesystem::path& study, const std::filesystem::path& otherFolder,
            const NotesOrigin& origin);
  void change(const StudyNotes& next);
  void save();

  void write();

  StudyId m_capture;
  StateFile m_beside, m_other;
  bool m_hasOther, m_onlyOther;
  bool m_unnamed = false;  // they stand there without their capture's id, or elsewhere
  StudyNotes m_notes, m_saved;
  std::string m_problem;
  QTimer m_delay;
};

}  // namespace plastiscope
