#pragma once
// Background work of one receiver: any number of runs at a time.
#include <list>
#include <memory>

#include "widgets/jobs/job_runner.h"

namespace plastiscope {

class JobSet : public QObject {
 public:
  JobSet(Workers& workers, JobList& jobs) : m_workers(workers), m_jobs(jobs) {}
  bool running() const { return !m_runs.empty(); }

  // work(Progress&) -> Value runs in a worker, deliver(JobResult<Value>) in the GUI thread. Listed as a job
  // if it has a title.
  template <typename Work, typename Deliver>
  JobHandle& run(const QString& title, Work work, Deliver deliver) {
    using Value = std::invoke_result_t<Work, Progress&>;
    m_runs.push_back(std::make_unique<Run>(title, m_workers));
    Run* run = m_runs.back().get();
    if (!title.isEmpty()) m_jobs.add(&run->handle);
    const auto deliverOnce = [this, run, deliver = std::move(deliver)](JobResult<Value> result) mutable {
      deliver(std::move(result));
      // Deferred: a runner must not be deleted inside its own delivery.
      QMetaObject::invokeMethod(
          this, [this, run] { std::erase_if(m_runs, [run](const auto& each) { return each.get() == run; }); },
          Qt::QueuedConnection);
    };
    run->runner.start(std::move(work), deliverOnce, &run->handle);
    return run->handle;
  }

 private:
  struct Run {
    Run(const QString& title, Workers& workers) : handle(title), runner(workers, WorkLength::Long) {}
    JobHandle handle;
    JobRunner runner;
  };
  Workers& m_workers;
  JobList& m_jobs;
  std::list<std::unique_ptr<Run>> m_runs;
};

}  // namespace plastiscope
