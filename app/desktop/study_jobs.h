#pragma once
// Long work on open studies: other analyses, intervals, measurements, exported tables and pages; and what
// follows a finished capture.
#include "app/desktop/causes_dialog.h"
#include "app/desktop/file_opener.h"
#include "core/analysis/settings.h"
#include "core/jobs/capture_again.h"

namespace plastiscope {

struct SweepStart;

// An analysis of a capture with other settings.
struct NewAnalysis {
  std::shared_ptr<const CaptureFile> capture;
  AnalysisSettings settings;
  std::filesystem::path out;
  std::shared_ptr<const AnalysisFile> earlier;  // an analysis of the same capture: valid results are reused
};

// The texts of `origin` captured again with one change.
struct Measurement {
  std::shared_ptr<const Study> origin;
  CaptureChange change;  // clampFrom is set by StudyJobs::measure
  std::filesystem::path model, out;
};

class StudyJobs : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    UserState& state;
    Workers& workers;
    JobList& jobs;
    CaptureList& captures;
    Library& library;
    FileOpener& opener;
  };
  explicit StudyJobs(const Parts& parts);

  // Computes the analysis, saves and opens it.
  void analyze(NewAnalysis wanted, const ViewSelection& selection);
  // Computes 95 % intervals for a capture's study, one capture at a time, unless it has them, they are
  // switched off, or they were cancelled in this run.
  void addIntervals(const std::filesystem::path& path, std::shared_ptr<const Study> study);
  // Sends `measured` at the end. Without a change (OnlyLoss) the new capture is opened.
  void measure(const Measurement& wanted);
  // Runs probes, an intervention study or a composition, then opens the study's analysis with the results.
  void findCauses(const CausesRun& wanted);
  // Captures and analyses what the sweep's file names.
  void runSweep(const SweepStart& wanted);
  // Exports the tables of a study as CSV files, and the study as one HTML page.
  void exportTables(std::shared_ptr<const AnalysisFile> analysis, const std::filesystem::path& folder);
  void exportPage(std::shared_ptr<const Study> study, const std::filesystem::path& file, ApKind plasticity);
  bool busy() const { return m_runs.running(); }  // not for intervals

 Q_SIGNALS:
  // A job has made this file, which is opened next.
  void jobFinished(const std::filesystem::path& path);
  // The same study with intervals.
  void intervalsAdded(const std::filesystem::path& path, std::shared_ptr<const plastiscope::Study> study);
  // `effect`: on the losses, if measured, and the prediction of What-if.
  void measured(const plastiscope::Measurement& done, const QString& effect);
  void written(const QString& sentence);  // names the files
  void failed(const QString& sentence);

 private:
  void captureEnded(const CaptureEnd& end, const CaptureRequest& draft);
  void reportEffect(const Measurement& done);
  // Runs plastiscope-cli as a job; `done` follows its success.
  void startCommand(const QStringList& arguments, const std::filesystem::path& out,
                    std::function<void()> done);
  void takeCauses(const CausesRun& done);
  // Inputs of a measurement besides its model: tokens of the texts, and the analysis used for clamping.
  std::filesystem::path measurementInputs() const { return m_parts.state.folder() / "tokens"; }
  void forgetMeasurement(const CaptureRequest& over);
  void computeIntervals();  // for the first waiting study
  // Writes exported files in a worker; `done` is the message at the end.
  void write(const QString& title, const QString& done, std::function<void(Progress&)> work);

  Parts m_parts;
  JobSet m_runs, m_intervals;
  std::map<std::filesystem::path, Measurement> m_measurements;  // running, by output file
  struct Waiting {
    std::filesystem::path path;
    std::shared_ptr<const Study> study;
  };
  std::list<Waiting> m_waiting;                   // for intervals; those of the first are being computed
  std::set<std::filesystem::path> m_noIntervals;  // cancelled in this run
};

}  // namespace plastiscope
