#pragma once
// Application state: settings, threads, jobs, the library, files being opened and captured. The window
// displays it; it has no widgets.
#include <QObject>
#include <QThreadPool>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "app/desktop/session_resolver.h"
#include "core/analysis/settings.h"
#include "core/jobs/capture_again.h"
#include "core/views/study.h"
#include "widgets/jobs/capture_list.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/models/library_model.h"
#include "widgets/models/study_model.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/session_state.h"
#include "widgets/state/state_file.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

class Session : public QObject {
  Q_OBJECT
 public:
  // `folder`: for settings and sessions.
  explicit Session(std::filesystem::path folder, QObject* parent = nullptr);
  ~Session() override;

  const std::filesystem::path& folder() const { return m_folder; }
  AppSettings& settings() { return m_settings; }
  SessionStore& store() { return m_store; }
  // Both save the current state asynchronously.
  void saveSettings();
  void saveState(const SessionState& state);
  // Writes a small state file after earlier ones in a worker, since disks may be slow. `problem`: message if
  // it cannot be written, %1 = reason.
  void writeLater(std::function<void()> file, const QString& problem);
  void finishWriting() { m_writing.waitForDone(); }
  StudyIndex& index() { return *m_index; }
  // Places to search for moved files; `beside` first.
  SearchPlaces searchPlaces(const std::filesystem::path& beside = {}) const;

  Workers& workers() { return m_workers; }
  PageServices pageServices() { return {m_workers, m_ranges, m_folder}; }
  NotesOrigin notesOf(const std::filesystem::path& study) const;  // notes of an opened study
  JobList& jobs() { return m_jobs; }
  LibraryModel& library() { return m_library; }
  // Library entry of an open file, also of a partial capture that the library does not list; null for others.
  const LibraryEntry* entryOf(const std::filesystem::path& file) const;
  std::filesystem::path captureFolder() const;
  // The capture folder, and folders of earlier captures: all are shown in the library.
  std::vector<std::filesystem::path> captureFolders() const;
  void keepFolder(const std::filesystem::path& folder);  // adds to captureFolders()

  // Finds models, captures and analyses in a worker.
  void refreshLibrary();
  bool searchingModels() const { return m_modelSearch.running(); }
  // True while the library is read or a file is opened.
  bool busy() const {
    return m_modelSearch.running() || m_studySearch.running() || m_captures.searching() ||
           !m_openings.empty();
  }

  // Files that are open already, for the next open() only.
  void expect(OpenStudies files) { m_expected = std::move(files); }
  // Opens files given by the user; results are sent by the signals below. `selection` is for the first file,
  // its head for all.
  void open(const std::vector<std::filesystem::path>& paths, const ViewSelection& selection = {});
  struct NewAnalysis {
    std::shared_ptr<const CaptureFile> capture;
    AnalysisSettings settings;
    std::filesystem::path out;
    std::shared_ptr<const AnalysisFile> earlier;  // an analysis of the same capture: valid results are reused
  };
  // Computes the analysis in a worker, saves and opens it.
  void analyze(NewAnalysis wanted, const ViewSelection& selection);
  // Computes 95 % intervals for a capture's study in the background, one capture at a time, unless it has
  // them, they are switched off, or they were cancelled in this run.
  void addIntervals(const std::filesystem::path& path, std::shared_ptr<const Study> study);
  // Captures the texts of `origin` again with one change, in the background; `measured` has the path. Without
  // a change (OnlyLoss) the new capture is opened.
  struct Measurement {
    std::shared_ptr<const Study> origin;
    CaptureChange change;  // clampFrom is set here
    std::filesystem::path model, out;
  };
  void measure(const Measurement& wanted);
  void addRecent(const std::filesystem::path& path, const std::string& note, const std::string& architecture);
  // Exports the tables of a study as CSV files, and the study as one HTML page.
  void exportTables(std::shared_ptr<const AnalysisFile> analysis, const std::filesystem::path& folder);
  void exportPage(std::shared_ptr<const Study> study, const std::filesystem::path& file, ApKind plasticity);

  CaptureList& captures() { return m_captures; }

 Q_SIGNALS:
  void openingStarted(const std::filesystem::path& path, plastiscope::JobHandle* handle);
  void studyOpened(const std::filesystem::path& path, std::shared_ptr<const plastiscope::Study> study,
                   const plastiscope::ViewSelection& selection);
  // A job has made this file, which is opened next.
  void jobFinished(const std::filesystem::path& path);
  // The same study with intervals.
  void intervalsAdded(const std::filesystem::path& path, std::shared_ptr<const plastiscope::Study> study);
  void openingFailed(const std::filesystem::path& path, const QString& sentence);
  void modelFound(const plastiscope::LibraryEntry& entry);
  void textsOffered(const std::vector<std::filesystem::path>& texts);
  void sessionFound(const std::filesystem::path& file, const plastiscope::ViewSelection& selection);
  void written(const QString& sentence);  // names the files
  // A changed capture is finished. `effect`: on the losses, if measured, and the prediction of What-if.
  void measured(const plastiscope::Session::Measurement& done, const QString& effect);
  void failed(const QString& sentence);
  void modelsChanged();
  void recentChanged();

 private:
  struct Opening {
    Opening(const QString& title, Workers& workers) : handle(title), runner(workers, WorkLength::Long) {}
    JobHandle handle;
    JobRunner runner;
  };
  // Kind of an opened path.
  struct Checked {
    std::filesystem::path path;
    JobResult<OpenedPath> content;
  };

  // Starts work in a separate runner, with a visible job if it has a title.
  template <typename Work, typename Deliver>
  JobHandle& run(const QString& title, Work work, Deliver deliver);
  // Writes exported files in a worker; `done` is the message at the end.
  void write(const QString& title, const QString& done, std::function<void(Progress&)> work);
  void openChecked(const std::vector<Checked>& paths, const ViewSelection& selection);
  // `file`: already open, or null.
  void openStudyFile(const std::filesystem::path& path, std::shared_ptr<const StoredFile> file,
                     const ViewSelection& selection);
  void openModelFile(const std::filesystem::path& path);
  void listModel(const std::filesystem::path& path);
  void tellMeasured(const Measurement& done);
  // Inputs of a measurement besides its model: tokens of the texts, and the analysis used for clamping.
  std::filesystem::path measurementInputs() const { return m_folder / "tokens"; }
  void forgetMeasurement(const CaptureRequest& over);
  void computeIntervals();  // for the first waiting study
  void finish(Opening* opening);
  // Adds entries that were opened after the search began.
  std::vector<LibraryEntry> withOpened(std::vector<LibraryEntry> found, bool models) const;
  void addEntry(const LibraryEntry& entry);
  void listEntry(const LibraryEntry& entry);

  std::filesystem::path m_folder;
  StateFile m_settingsFile;
  SessionStore m_store;
  std::shared_ptr<StudyIndex> m_index;
  AppSettings m_settings;
  Workers m_workers;
  LockedRanges m_ranges;
  JobList m_jobs;
  LibraryModel m_library;
  std::vector<LibraryEntry> m_opened;   // in this run
  std::vector<LibraryEntry> m_partial;  // unfinished captures, from their last snapshot
  JobRunner m_modelSearch, m_studySearch;
  std::list<std::unique_ptr<Opening>> m_openings;
  OpenStudies m_expected;
  std::set<std::filesystem::path> m_looking;                    // files whose kind is not known yet
  std::map<std::filesystem::path, Measurement> m_measurements;  // running measurements, by output file
  std::map<std::filesystem::path, NotesOrigin> m_notes;         // notes of opened studies
  CaptureList m_captures;
  struct Waiting {
    std::filesystem::path path;
    std::shared_ptr<const Study> study;
  };
  std::list<Waiting> m_waiting;                   // for intervals; those of the first are being computed
  std::unique_ptr<Opening> m_intervals;           // null: none
  std::set<std::filesystem::path> m_noIntervals;  // cancelled in this run
  QThreadPool m_writing;                          // one thread; destroyed first
};

}  // namespace plastiscope
