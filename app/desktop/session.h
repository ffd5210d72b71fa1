#pragma once
// The one object that knows all: settings, threads, jobs, the library, what is being opened and captured. The
// window shows it; it holds no widgets.
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
#include "widgets/state/session_store.h"
#include "widgets/state/state_file.h"
#include "widgets/state/study_index.h"

namespace plastiscope {

class Session : public QObject {
  Q_OBJECT
 public:
  // `folder`: where settings and the session are kept.
  explicit Session(std::filesystem::path folder, QObject* parent = nullptr);
  ~Session() override;

  const std::filesystem::path& folder() const { return m_folder; }
  AppSettings& settings() { return m_settings; }
  SessionStore& store() { return m_store; }
  // Both write later what is the case now.
  void saveSettings();
  void saveState(const SessionState& state);
  // A small file of the program's own, after those before it: a disk may take its time, and the window does
  // not wait. `problem`: the sentence when it cannot be written, %1 = why.
  void writeLater(std::function<void()> file, const QString& problem);
  void finishWriting() { m_writing.waitForDone(); }
  StudyIndex& index() { return *m_index; }
  // Where files are looked for that are not where they were; `beside` first.
  SearchPlaces searchPlaces(const std::filesystem::path& beside = {}) const;

  Workers& workers() { return m_workers; }
  PageServices pageServices() { return {m_workers, m_ranges, m_folder}; }
  NotesOrigin notesOf(const std::filesystem::path& study) const;  // of one that was opened
  JobList& jobs() { return m_jobs; }
  LibraryModel& library() { return m_library; }
  // The card of an open file, also of a partial capture, which the library does not list; null for others.
  const LibraryEntry* entryOf(const std::filesystem::path& file) const;
  std::filesystem::path captureFolder() const;
  // That folder, and those where captures were saved before: the library shows them all.
  std::vector<std::filesystem::path> captureFolders() const;
  void keepFolder(const std::filesystem::path& folder);  // among them

  // Finds models, captures and analyses in a worker.
  void refreshLibrary();
  bool searchingModels() const { return m_modelSearch.running(); }
  // The library is being read or a file opened.
  bool busy() const {
    return m_modelSearch.running() || m_studySearch.running() || m_captures.searching() ||
           !m_openings.empty();
  }

  // Files that are open already: the next open() takes them. The others are forgotten.
  void expect(OpenStudies files) { m_expected = std::move(files); }
  // Whatever a person opens or drops; the answers are the signals below. `selection` is for the first file,
  // its head for all.
  void open(const std::vector<std::filesystem::path>& paths, const ViewSelection& selection = {});
  struct NewAnalysis {
    std::shared_ptr<const CaptureFile> capture;
    AnalysisSettings settings;
    std::filesystem::path out;
    std::shared_ptr<const AnalysisFile> earlier;  // of the same capture: what still holds is taken from it
  };
  // Computes it in a worker, keeps it and opens it.
  void analyze(NewAnalysis wanted, const ViewSelection& selection);
  // The 95 % intervals of a capture's study, unless it has them, the person does not want them, or cancelled
  // them since the start. One capture after the other, in the background; nothing waits for them.
  void addIntervals(const std::filesystem::path& path, std::shared_ptr<const Study> study);
  // Captures its texts again with one thing changed, in the background; `measured` says where it is. Where
  // nothing is changed (OnlyLoss) the new capture is opened.
  struct Measurement {
    std::shared_ptr<const Study> origin;
    CaptureChange change;  // clampFrom: filled in
    std::filesystem::path model, out;
  };
  void measure(const Measurement& wanted);
  void addRecent(const std::filesystem::path& path, const std::string& note, const std::string& architecture);
  // The tables of a study as CSV files; the study as one HTML page.
  void exportTables(std::shared_ptr<const AnalysisFile> analysis, const std::filesystem::path& folder);
  void exportPage(std::shared_ptr<const Study> study, const std::filesystem::path& file, ApKind plasticity);

  CaptureList& captures() { return m_captures; }

 Q_SIGNALS:
  void openingStarted(const std::filesystem::path& path, plastiscope::JobHandle* handle);
  void studyOpened(const std::filesystem::path& path, std::shared_ptr<const plastiscope::Study> study,
                   const plastiscope::ViewSelection& selection);
  // A job made this file, which is opened next.
  void jobFinished(const std::filesystem::path& path);
  // The same study with intervals.
  void intervalsAdded(const std::filesystem::path& path, std::shared_ptr<const plastiscope::Study> study);
  void openingFailed(const std::filesystem::path& path, const QString& sentence);
  void modelFound(const plastiscope::LibraryEntry& entry);
  void textsOffered(const std::vector<std::filesystem::path>& texts);
  void sessionFound(const std::filesystem::path& file, const plastiscope::ViewSelection& selection);
  void written(const QString& sentence);  // where the files are
  // A changed capture is finished. `effect`: on the losses where there are some, and what What-if predicts.
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
  // What a path turned out to be.
  struct Checked {
    std::filesystem::path path;
    JobResult<OpenedPath> content;
  };

  // Work of its own, and the job that a person sees of it where it has a title.
  template <typename Work, typename Deliver>
  JobHandle& run(const QString& title, Work work, Deliver deliver);
  // Files that a person asked for, in a worker; `done` is said at the end.
  void write(const QString& title, const QString& done, std::function<void(Progress&)> work);
  void openChecked(const std::vector<Checked>& paths, const ViewSelection& selection);
  // `file`: open already, or null.
  void openStudyFile(const std::filesystem::path& path, std::shared_ptr<const StoredFile> file,
                     const ViewSelection& selection);
  void openModelFile(const std::filesystem::path& path);
  void listModel(const std::filesystem::path& path);
  void tellMeasured(const Measurement& done);
  // What a measurement reads besides its model: tokens of the texts, and the analysis that it clamps by.
  std::filesystem::path measurementInputs() const { return m_folder / "tokens"; }
  void forgetMeasurement(const CaptureRequest& over);
  void computeIntervals();  // of the first that waits
  void finish(Opening* opening);
  // What a search that began earlier could not know of is kept.
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
  std::vector<LibraryEntry> m_opened;   // since the start
  std::vector<LibraryEntry> m_partial;  // captures that are not finished, as far as they were looked at
  JobRunner m_modelSearch, m_studySearch;
  std::list<std::unique_ptr<Opening>> m_openings;
  OpenStudies m_expected;
  std::set<std::filesystem::path> m_looking;  // files of which it is not known yet what they are
  std::map<std::filesystem::path, Measurement> m_measurements;  // that run, by the file they make
  std::map<std::filesystem::path, NotesOrigin> m_notes;         // of the studies that were opened
  CaptureList m_captures;
  struct Waiting {
    std::filesystem::path path;
    std::shared_ptr<const Study> study;
  };
  std::list<Waiting> m_waiting;                   // for intervals; those of the first are computed
  std::unique_ptr<Opening> m_intervals;           // null: none are
  std::set<std::filesystem::path> m_noIntervals;  // cancelled since the start
  QThreadPool m_writing;                          // of one thread; the first to go
};

}  // namespace plastiscope
