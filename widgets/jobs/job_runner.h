#pragma once
// Runs core work in the background: results, threads, delivery to the GUI thread.
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "widgets/jobs/job_handle.h"

namespace plastiscope {

struct JobFailure {
  ErrorKind kind = ErrorKind::Internal;
  QString sentence;
};

template <typename Value>
struct JobResult {
  std::optional<Value> value;
  JobFailure failure;  // meaningful without a value
  bool ok() const { return value.has_value(); }
  bool stopped() const { return !ok() && failure.kind == ErrorKind::Stopped; }
};

// Converts the exception in flight to a failure. Call inside a catch block.
JobFailure failureInFlight();

// Runs `work` and turns every exception into a failure.
template <typename Value, typename Work>
JobResult<Value> resultOf(Work&& work) {
  JobResult<Value> outcome;
  try {
    outcome.value.emplace(std::forward<Work>(work)());
  } catch (...) {
    outcome.failure = failureInFlight();
  }
  return outcome;
}

// Worker threads of the window. Quick work (views of a head) never waits for long work (an analysis). The
// destructor stops all running work and waits for it.
enum class WorkLength { Quick, Long };

using StopFlag = std::shared_ptr<std::atomic<bool>>;

class Workers {
 public:
  Workers();
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  QThreadPool& pool(WorkLength length) { return length == WorkLength::Quick ? m_quick : m_long; }
  // Flags set at destruction; forgotten when there is no other owner.
  void watch(const StopFlag& flag);
  // Waits until all work has ended (tests).
  void waitForDone();

 private:
  QThreadPool m_quick, m_long;
  std::mutex m_mutex;
  std::vector<std::weak_ptr<std::atomic<bool>>> m_flags;
};

// Runs core work in a worker and delivers the result in the GUI thread. A runner serves one purpose of one
// receiver ("the plane of the chosen head"): a new start stops the previous one and drops its result and
// progress. Nothing is delivered after the runner's destruction.
class JobRunner : public QObject {
  Q_OBJECT
 public:
  JobRunner(Workers& workers, WorkLength length, QObject* parent = nullptr);
  ~JobRunner() override;

  // work(Progress&) -> Value runs in a worker; deliver(JobResult<Value>) runs in the GUI thread. The handle
  // (may be null, owned by the caller) receives progress and result and may cancel.
  template <typename Work, typename Deliver>
  void start(Work work, Deliver deliver, JobHandle* handle = nullptr);

  // Asks the running work to stop and drops its result.
  void drop();
  bool running() const { return m_run != nullptr; }

 private:
  struct Run;
  using Closure = std::function<void()>;

  // Parts of start(): the worker's Progress, its call, and the posted result.
  std::shared_ptr<Run> begin(JobHandle* handle);
  static Progress& progressOf(Run& run);
  static void post(const std::shared_ptr<Run>& run, Closure onGuiThread);
  void launch(Closure inWorker);
  bool finish(const std::shared_ptr<Run>& run);  // false: replaced by a newer run
  static void endHandle(Run& run, bool ok, const JobFailure& failure);

  Workers& m_workers;
  WorkLength m_length;
  std::shared_ptr<Run> m_run;
};

template <typename Work, typename Deliver>
void JobRunner::start(Work work, Deliver deliver, JobHandle* handle) {
  using Value = std::invoke_result_t<Work, Progress&>;
  const std::shared_ptr<Run> run = begin(handle);
  launch([this, run, work = std::move(work), deliver = std::move(deliver)]() mutable {
    auto outcome = std::make_shared<JobResult<Value>>(resultOf<Value>([&] {
      progressOf(*run).throwIfStopped();  // replaced while waiting for a thread
      return work(progressOf(*run));
    }));
    post(run, [this, run, outcome, deliver = std::move(deliver)]() mutable {
      if (!finish(run)) return;
      endHandle(*run, outcome->ok(), outcome->failure);
      deliver(std::move(*outcome));
    });
  });
}

}  // namespace plastiscope
