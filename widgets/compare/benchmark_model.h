#pragma once
// Data of the benchmarks tab: reads scores and analyses and correlates them in a worker after each change;
// outdated results are dropped.
#include <QObject>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/compare/benchmark_data.h"
#include "core/views/study.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/state/session_state.h"

namespace plastiscope {

class BenchmarkModel : public QObject {
  Q_OBJECT
 public:
  // Both must outlive the model.
  BenchmarkModel(Workers& workers, JobList& jobs, QObject* parent = nullptr);
  ~BenchmarkModel() override;

  const BenchmarkChoices& choices() const { return m_choices; }
  void setChoices(const BenchmarkChoices& choices);
  // Adds captures and analyses; ignores known ones.
  void add(const std::vector<std::filesystem::path>& files);
  void remove(const std::filesystem::path& file);
  const std::vector<std::filesystem::path>& files() const { return m_files; }
  // Loaded studies, in the order of the files.
  std::vector<std::shared_ptr<const Study>> studies() const;

  const std::shared_ptr<const BenchmarkData>& data() const { return m_data; }
  bool settled() const { return !m_runner.running(); }
  bool failed() const { return !m_problem.isEmpty(); }
  const QString& problem() const { return m_problem; }  // error of the last run; empty if it succeeded

 Q_SIGNALS:
  void filesChanged();
  void choicesChanged();
  void dataReady(std::shared_ptr<const plastiscope::BenchmarkData> data);
  // One sentence; the previous display stays.
  void complained(const QString& sentence);

 private:
  using Known = std::map<std::filesystem::path, std::shared_ptr<const Study>>;
  struct Result {
    Known studies;
    std::map<std::filesystem::path, QString> problems;
    std::shared_ptr<const BenchmarkData> data;
    QString scoresProblem;  // reason why there are no data
  };
  static Result compute(const BenchmarkChoices& choices, const std::vector<std::filesystem::path>& files,
                        Known known, Progress& progress);
  void start();
  void deliver(Result result);
  void complain(const QString& sentence);

  JobList& m_jobs;
  BenchmarkChoices m_choices, m_shown;
  std::vector<std::filesystem::path> m_files;
  Known m_studies;
  std::shared_ptr<const BenchmarkData> m_data;
  QString m_problem;
  std::unique_ptr<JobHandle> m_handle;  // while files are opened
  JobRunner m_runner;
};

}  // namespace plastiscope
