#pragma once
// The captures that run as child processes, and those that were begun and are not finished: they are
// remembered with their settings, so that they can go on after the program was closed or died.
#include <QObject>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/job_list.h"
#include "widgets/jobs/job_relay.h"
#include "widgets/state/capture_draft.h"
#include "widgets/state/state_file.h"

namespace plastiscope {

struct UnfinishedCapture {
  CaptureDraft draft;
  std::int64_t finished = 0, total = 0;  // texts
  bool runsElsewhere = false;            // another process works on it
  QString sentence() const;
};

class CaptureList : public QObject {
  Q_OBJECT
 public:
  // `folder`: where the list and the files of partial captures are kept. `program`: plastiscope-cli.
  CaptureList(std::filesystem::path folder, QString program, Workers& workers, JobList& jobs,
              QObject* parent = nullptr);
  ~CaptureList() override;  // stops the children; finished texts are kept

  void start(const CaptureDraft& draft);
  bool running() const { return !m_running.empty(); }
  std::vector<UnfinishedCapture> unfinished() const;  // begun and neither finished nor running here
  void discard(const CaptureDraft& draft);            // what is finished of it is removed, in a worker
  // Makes a capture file of the texts that are finished; `snapshotReady` says where it is.
  void view(const CaptureDraft& draft);
  bool isSnapshot(const std::filesystem::path& file) const;

 Q_SIGNALS:
  void changed();  // what unfinished() says
  void ended(const plastiscope::CaptureEnd& end, const plastiscope::CaptureDraft& draft);
  void snapshotReady(const std::filesystem::path& file);
  void snapshotGone(const std::filesystem::path& file);  // a later one or the whole capture takes its place
  void failed(const QString& sentence);

 private:
  struct Running {
    CaptureDraft draft;
    std::unique_ptr<CaptureProcess> process;
  };
  struct Snapshot {
    explicit Snapshot(Workers& workers) : relay(workers, WorkLength::Quick) {}
    CaptureDraft draft;
    std::unique_ptr<CaptureProcess> process;
    JobRelay relay;
  };

  void finish(Running* capture, const CaptureEnd& end);
  void collected(Snapshot* snapshot, const CaptureEnd& end);
  void removeLater(Snapshot* snapshot);
  void dropSnapshot(const CaptureDraft& draft);
  void setViewable(const CaptureDraft& draft, bool viewable);
  void remember(const CaptureDraft& draft);
  void forget(const CaptureDraft& draft);
  void save();

  std::filesystem::path m_folder;
  QString m_program;
  Workers& m_workers;
  JobList& m_jobs;
  StateFile m_file;
  std::vector<CaptureDraft> m_begun;
  std::list<std::unique_ptr<Running>> m_running;
  std::list<std::unique_ptr<Snapshot>> m_snapshots;
  std::map<std::filesystem::path, std::filesystem::path> m_shown;  // output -> file of the last look at it
  JobRelay m_discarding;
};

}  // namespace plastiscope
