#pragma once
// Opens files of any kind in workers, and reports what they are.
#include <map>
#include <set>

#include "app/desktop/library.h"
#include "core/views/study.h"
#include "widgets/state/selection.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

class FileOpener : public QObject {
  Q_OBJECT
 public:
  FileOpener(UserState& state, Library& library, CaptureList& captures, Workers& workers, JobList& jobs);

  // Files that are open already, for the next open() only.
  void expect(OpenStudies files) { m_expected = std::move(files); }
  // Opens files given by the user. `selection` is for the first file, its head for all.
  void open(const std::vector<std::filesystem::path>& paths, const ViewSelection& selection = {});
  // Opens a capture or analysis. `file`: already open, or null.
  void openStudyFile(const std::filesystem::path& path, std::shared_ptr<const StoredFile> file,
                     const ViewSelection& selection);
  NotesOrigin notesOf(const std::filesystem::path& study) const;  // notes of an opened study
  bool busy() const { return m_opening.running(); }

 Q_SIGNALS:
  void openingStarted(const std::filesystem::path& path, plastiscope::JobHandle* handle);
  void studyOpened(const std::filesystem::path& path, std::shared_ptr<const plastiscope::Study> study,
                   const plastiscope::ViewSelection& selection);
  void modelFound(const plastiscope::LibraryEntry& entry);
  void textsOffered(const std::vector<std::filesystem::path>& texts);
  void sessionFound(const std::filesystem::path& file, const plastiscope::ViewSelection& selection);
  void studiesFound(const std::vector<std::filesystem::path>& files,
                    const plastiscope::ViewSelection& selection);                  // of one folder
  void openingFailed(const std::filesystem::path& path, const QString& sentence);  // "": cancelled
  void failed(const QString& sentence);

 private:
  // Kind of an opened path.
  struct Checked {
    std::filesystem::path path;
    JobResult<OpenedPath> content;
  };
  void openChecked(const std::vector<Checked>& paths, const ViewSelection& selection);
  void openModelFile(const std::filesystem::path& path);

  UserState& m_state;
  Library& m_library;
  CaptureList& m_captures;
  JobSet m_opening;
  OpenStudies m_expected;
  std::set<std::filesystem::path> m_looking;             // files whose kind is not known yet
  std::map<std::filesystem::path, NotesOrigin> m_notes;  // of opened studies
};

}  // namespace plastiscope
