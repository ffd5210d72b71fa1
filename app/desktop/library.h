#pragma once
// The models, captures and analyses of the library: found by searches in workers, and opened in this run.
#include "app/desktop/job_set.h"
#include "app/desktop/user_state.h"
#include "widgets/jobs/capture_list.h"
#include "widgets/models/library_model.h"

namespace plastiscope {

class Library : public QObject {
  Q_OBJECT
 public:
  Library(UserState& state, CaptureList& captures, Workers& workers, JobList& jobs);

  LibraryModel& model() { return m_model; }
  void refresh();  // searches again
  bool searchingModels() const { return m_modelSearch.running(); }
  bool busy() const { return m_modelSearch.running() || m_studySearch.running() || m_reading.running(); }
  // Entry of an open file, also of a partial capture that the library does not list; null for others.
  const LibraryEntry* entryOf(const std::filesystem::path& file) const;
  void add(const LibraryEntry& entry);               // of a file that the user opened: also a recent file
  void list(const LibraryEntry& entry);              // of a file found beside it
  void addModel(const std::filesystem::path& path);  // any path that the capture dialog accepts

 Q_SIGNALS:
  void modelsChanged();
  void studiesChanged();
  void failed(const QString& sentence);

 private:
  // Adds entries that were opened after the search began.
  std::vector<LibraryEntry> withOpened(std::vector<LibraryEntry> found, bool models) const;

  UserState& m_state;
  CaptureList& m_captures;
  LibraryModel m_model;
  std::vector<LibraryEntry> m_opened;   // in this run
  std::vector<LibraryEntry> m_partial;  // unfinished captures, from their last snapshot
  JobRunner m_modelSearch, m_studySearch;
  JobSet m_reading;
};

}  // namespace plastiscope
