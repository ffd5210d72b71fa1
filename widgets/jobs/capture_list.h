#pragma once
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/jobs/unfinished_captures.h"

namespace plastiscope {

// Looks at captures that are not finished: a child process writes what is there into a capture file of its
// own, which stays until a later look or the whole capture takes its place.
class CaptureSnapshots : public QObject {
  Q_OBJECT
 public:
  // `folder`: of the files. `program`: plastiscope-cli. Workers and jobs must outlive this.
  CaptureSnapshots(std::filesystem::path folder, QString program, Workers& workers, JobList& jobs,
                   QObject* parent = nullptr);
  ~CaptureSnapshots() override;

  void view(const CaptureRequest& draft);
  void drop(const CaptureRequest& draft);  // the file of the last look
  bool isSnapshot(const std::filesystem::path& file) const { return file.parent_path() == m_folder; }

 Q_SIGNALS:
  void busy(const plastiscope::CaptureRequest& draft, bool now);  // one look at a time
  void ready(const std::filesystem::path& file);
  void gone(const std::filesystem::path& file);
  void failed(const QString& sentence);

 private:
  struct Look;
  void collected(Look* look, const CaptureEnd& end);
  void removeLater(Look* look);

  std::filesystem::path m_folder;
  QString m_program;
  Workers& m_workers;
  JobList& m_jobs;
  std::list<std::unique_ptr<Look>> m_looks;
  std::map<std::filesystem::path, std::filesystem::path> m_shown;  // output -> file of the last look at it
};

// The captures that run as child processes, and those that were begun and are not finished.
class CaptureList : public QObject {
  Q_OBJECT
 public:
  // `folder`: where the list and the files of partial captures are kept. `program`: plastiscope-cli.
  CaptureList(const std::filesystem::path& folder, QString program, Workers& workers, JobList& jobs,
              QObject* parent = nullptr);
  ~CaptureList() override;  // stops the children; finished texts are kept

  void start(const CaptureRequest& draft);
  bool running() const { return !m_running.empty(); }
  // Looks in a worker for captures of others, those that run and those that can be resumed, now and again;
  // `found` says that there are some of the latter that nobody was told of.
  void search(const std::filesystem::path& folder);
  bool searching() const { return m_searching.running(); }
  std::vector<UnfinishedCapture> unfinished() const;  // begun and neither finished nor running here
  const std::vector<UnfinishedCapture>& runningElsewhere() const { return m_unfinished.running(); }
  void discard(const CaptureRequest& draft);  // what is finished of it is removed, in a worker
  // Makes a capture file of the texts that are finished; `snapshotReady` says where it is.
  void view(const CaptureRequest& draft) { m_snapshots.view(draft); }
  bool isSnapshot(const std::filesystem::path& file) const { return m_snapshots.isSnapshot(file); }

 Q_SIGNALS:
  void changed();  // what unfinished() and runningElsewhere() say
  void found();
  void ended(const plastiscope::CaptureEnd& end, const plastiscope::CaptureRequest& draft);
  // Finished, which `ended` told, or discarded: nothing is left to go on with.
  void over(const plastiscope::CaptureRequest& draft);
  void snapshotReady(const std::filesystem::path& file);
  void snapshotGone(const std::filesystem::path& file);  // a later one or the whole capture takes its place
  void failed(const QString& sentence);

 private:
  struct Running {
    CaptureRequest draft;
    std::unique_ptr<CaptureProcess> process;
  };

  void finish(Running* capture, const CaptureEnd& end);
  void setViewable(const CaptureRequest& draft, bool viewable);
  bool offerNew();  // remembers what is unfinished now: false when all of it was known
  void keep(void (UnfinishedCaptures::*change)(const CaptureRequest&), const CaptureRequest& draft);

  QString m_program;
  JobList& m_jobs;
  UnfinishedCaptures m_unfinished;
  CaptureSnapshots m_snapshots;
  std::list<std::unique_ptr<Running>> m_running;
  std::set<std::filesystem::path> m_offered;  // outputs that a person was told of
  JobRunner m_discarding, m_searching;
  QTimer m_nextSearch;
};

}  // namespace plastiscope
