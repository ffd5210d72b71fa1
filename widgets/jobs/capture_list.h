#pragma once
// Captures that run as child processes, those that are unfinished, and files of their finished texts.
#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/base/state_file.h"
#include "core/capture/capture_request.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"

class QMenu;
class QWidget;

namespace plastiscope {

// Captures that were begun and are unfinished: those of this program are stored with their settings and can
// be resumed after it was closed or crashed; those of the command line are found by their work folders.
struct UnfinishedCapture {
  CaptureRequest draft;
  std::int64_t finished = 0, total = 0;  // texts
  bool runsElsewhere = false;            // another process works on it
  double share = 0;                      // share of all work when half-finished texts are kept too
  QString sentence() const;
};

// Work in a folder whose settings are known.
struct FoundCaptures {
  std::vector<CaptureRequest> drafts;
  std::vector<UnfinishedCapture> running;  // captures of running processes, in their current state
};
// Reads a few small files, perhaps over a network: not for the GUI thread.
FoundCaptures findUnfinishedCaptures(const std::filesystem::path& folder);

class UnfinishedCaptures {
 public:
  explicit UnfinishedCaptures(const std::filesystem::path& file);

  void remember(const CaptureRequest& draft);  // Error as writing a file
  void forget(const CaptureRequest& draft);    // also a found one; as above
  void setFound(FoundCaptures found);
  // Captures with finished or unfinished work in their folders now. Found ones only while no process works on
  // them.
  std::vector<UnfinishedCapture> unfinished() const;
  // Found captures that other processes work on, in the state when they were found.
  const std::vector<UnfinishedCapture>& running() const { return m_running; }

 private:
  void save();

  StateFile m_file;
  std::vector<CaptureRequest> m_own, m_found;
  std::vector<UnfinishedCapture> m_running;
};

// Snapshots of unfinished captures: a child process writes the finished texts into a separate capture file,
// which stays until a later snapshot or the complete capture replaces it.
class CaptureSnapshots : public QObject {
  Q_OBJECT
 public:
  // `folder`: of the files. `program`: plastiscope-cli. Workers and jobs must outlive this.
  CaptureSnapshots(std::filesystem::path folder, QString program, Workers& workers, JobList& jobs,
                   QObject* parent = nullptr);

  void view(const CaptureRequest& draft);
  void drop(const CaptureRequest& draft);  // deletes the file of the last snapshot
  bool isSnapshot(const std::filesystem::path& file) const { return file.parent_path() == m_folder; }

 Q_SIGNALS:
  void busy(const plastiscope::CaptureRequest& draft, bool now);  // one snapshot at a time
  void ready(const std::filesystem::path& file);
  void gone(const std::filesystem::path& file);
  void failed(const QString& sentence);

 private:
  void collected(const CaptureRequest& draft, CaptureProcess* process, const CaptureEnd& end);

  std::filesystem::path m_folder;
  QString m_program;
  Workers& m_workers;
  JobList& m_jobs;
  std::map<std::filesystem::path, std::filesystem::path> m_shown;  // output -> file of its last snapshot
};

// Captures that run as child processes, and captures that were begun and are unfinished.
class CaptureList : public QObject {
  Q_OBJECT
 public:
  // `folder`: for the list and the files of partial captures. `program`: plastiscope-cli.
  CaptureList(const std::filesystem::path& folder, QString program, Workers& workers, JobList& jobs,
              QObject* parent = nullptr);
  ~CaptureList() override;  // stops the children; finished texts are kept

  void start(const CaptureRequest& draft);
  bool running() const { return !m_running.empty(); }
  // Searches periodically in a worker for captures of other processes, running or resumable; sends `found` if
  // there are resumable ones that were not announced yet.
  void search(const std::filesystem::path& folder);
  bool searching() const { return m_searching.running(); }
  std::vector<UnfinishedCapture> unfinished() const;  // begun and neither finished nor running here
  const std::vector<UnfinishedCapture>& runningElsewhere() const { return m_unfinished.running(); }
  void discard(const CaptureRequest& draft);  // deletes its finished work, in a worker
  // Makes a capture file of the finished texts; `snapshotReady` has its path.
  void view(const CaptureRequest& draft) { m_snapshots.view(draft); }
  bool isSnapshot(const std::filesystem::path& file) const { return m_snapshots.isSnapshot(file); }

 Q_SIGNALS:
  void changed();  // unfinished() or runningElsewhere()
  void found();
  void ended(const plastiscope::CaptureEnd& end, const plastiscope::CaptureRequest& draft);
  // Finished (after `ended`) or discarded: nothing is left to resume.
  void over(const plastiscope::CaptureRequest& draft);
  void snapshotReady(const std::filesystem::path& file);
  void snapshotGone(const std::filesystem::path& file);  // replaced by a later one or the complete capture
  void failed(const QString& sentence);

 private:
  struct Running {
    CaptureRequest draft;
    std::unique_ptr<CaptureProcess> process;
  };

  void finish(Running* capture, const CaptureEnd& end);
  void setViewable(const CaptureRequest& draft, bool viewable);
  bool offerNew();  // records what is unfinished now; false if nothing is new
  void keep(void (UnfinishedCaptures::*change)(const CaptureRequest&), const CaptureRequest& draft);

  QString m_program;
  JobList& m_jobs;
  UnfinishedCaptures m_unfinished;
  CaptureSnapshots m_snapshots;
  std::list<std::unique_ptr<Running>> m_running;
  std::set<std::filesystem::path> m_offered;  // outputs that were announced
  JobRunner m_discarding, m_searching;
  QTimer m_nextSearch;
};

// Actions for interrupted captures: resume, open, discard.
void fillUnfinishedMenu(QMenu& menu, CaptureList& captures, const std::vector<UnfinishedCapture>& shown);
// Asks first: finished work is lost.
void discardAfterAsking(CaptureList& captures, const CaptureRequest& draft, QWidget* parent);

}  // namespace plastiscope
