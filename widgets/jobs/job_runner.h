#pragma once
// Core work in the background: what it ends with, the threads, and the way back to the GUI thread.
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

// The failure that the exception in flight stands for. Call inside a catch block.
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

// The threads behind the window. Quick work (views of a head) never waits behind long work (an analysis). On
// destruction everything that still runs is asked to stop and waited for.
enum class WorkLength { Quick, Long };

using StopFlag = std::shared_ptr<std::atomic<bool>>;

class Workers {
 public:
  Workers();
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  QThreadPool& pool(WorkLength length) { return length == WorkLength::Quick ? m_quick : m_long; }
  // Flags raised at destruction; forgotten when nobody else holds them.
  void watch(const StopFlag& flag);
  // Waits until nothing runs any more (tests).
  void waitForDone();

 private:
  QThreadPool m_quick, m_long;
  std::mutex m_mutex;
  std::vector<std::weak_ptr<std::atomic<bool>>> m_flags;
};

// Runs core work elsewhere and brings its result back to the GUI thread. A runner serves one purpose of one
// receiver ("the plane of the chosen head"): a new start overtakes the one before, which is asked to stop and
// whose result and progress are dropped. Nothing is delivered after the runner is gone.
class JobRunner : public QObject {
  Q_OBJECT
 public:
  JobRunner(Workers& workers, WorkLength length, QObject* parent = nullptr);
  ~JobRunner() override;

  // work(Progress&) -> Value runs in a worker; deliver(JobResult<Value>) runs in the GUI thread. The handle
  // (may be null) is told of progress and end and may cancel; its owner is the caller.
  template <typename Work, typename Deliver>
  void start(Work work, Deliver deliver, JobHandle* handle = nullptr);

  // Asks the running work to stop and drops its result.
  void drop();
  bool running() const { return m_run != nullptr; }

 private:
  struct Run;
  using Closure = std::function<void()>;

  // What the worker gets as Progress, what it calls, and what is posted back.
  std::shared_ptr<Run> begin(JobHandle* handle);
  static Progress& progressOf(Run& run);
  static void post(const std::shared_ptr<Run>& run, Closure onGuiThread);
  void launch(Closure inWorker);
  bool finish(const std::shared_ptr<Run>& run);  // false: overtaken
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
      progressOf(*run).throwIfStopped();  // overtaken while it waited for a thread
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
