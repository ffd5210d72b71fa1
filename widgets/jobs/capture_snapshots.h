#pragma once
// Looks at captures that are not finished: a child process writes what is there into a capture file of its
// own, which stays until a later look or the whole capture takes its place.
#include <QObject>
#include <filesystem>
#include <list>
#include <map>
#include <memory>

#include "widgets/jobs/capture_process.h"
#include "widgets/jobs/job_list.h"
#include "widgets/jobs/job_relay.h"
#include "widgets/state/capture_command.h"

namespace plastiscope {

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

}  // namespace plastiscope
