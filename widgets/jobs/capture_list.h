#pragma once
// The captures that run as child processes, and those that were begun and are not finished.
#include <QObject>
#include <filesystem>
#include <list>
#include <memory>
#include <set>
#include <vector>

#include "widgets/jobs/begun_captures.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/capture_snapshots.h"
#include "widgets/jobs/job_list.h"
#include "widgets/jobs/job_relay.h"

namespace plastiscope {

class CaptureList : public QObject {
  Q_OBJECT
 public:
  // `folder`: where the list and the files of partial captures are kept. `program`: plastiscope-cli.
  CaptureList(const std::filesystem::path& folder, QString program, Workers& workers, JobList& jobs,
              QObject* parent = nullptr);
  ~CaptureList() override;  // stops the children; finished texts are kept

  void start(const CaptureRequest& draft);
  bool running() const { return !m_running.empty(); }
  // Looks in a worker for captures of others that can be resumed; `found` says that there are some that
  // nobody was told of.
  void search(const std::filesystem::path& folder);
  bool searching() const { return m_searching.running(); }
  std::vector<UnfinishedCapture> unfinished() const;  // begun and neither finished nor running here
  void discard(const CaptureRequest& draft);          // what is finished of it is removed, in a worker
  // Makes a capture file of the texts that are finished; `snapshotReady` says where it is.
  void view(const CaptureRequest& draft) { m_snapshots.view(draft); }
  bool isSnapshot(const std::filesystem::path& file) const { return m_snapshots.isSnapshot(file); }

 Q_SIGNALS:
  void changed();  // what unfinished() says
  void found();
  void ended(const plastiscope::CaptureEnd& end, const plastiscope::CaptureRequest& draft);
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
  void keep(void (BegunCaptures::*change)(const CaptureRequest&), const CaptureRequest& draft);

  QString m_program;
  JobList& m_jobs;
  BegunCaptures m_begun;
  CaptureSnapshots m_snapshots;
  std::list<std::unique_ptr<Running>> m_running;
  std::set<std::filesystem::path> m_offered;  // outputs that a person was told of
  JobRelay m_discarding, m_searching;
};

}  // namespace plastiscope
