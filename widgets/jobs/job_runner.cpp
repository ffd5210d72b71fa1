#include "widgets/jobs/job_runner.h"

#include <QPointer>
#include <algorithm>

#include "widgets/state/file_text.h"

namespace plastiscope {

JobFailure failureInFlight() {
  const Failure failure = caughtFailure();
  return {failure.kind, QString::fromStdString(failure.sentence)};
}

Workers::Workers() {
  m_quick.setMaxThreadCount(std::max(2, QThread::idealThreadCount()));
  m_long.setMaxThreadCount(4);  // each long job starts its own threads for arithmetic
}

Workers::~Workers() {
  {
    const std::lock_guard lock(m_mutex);
    for (const auto& weak : m_flags) {
      if (const auto flag = weak.lock()) flag->store(true);
    }
  }
  waitForDone();
}

void Workers::watch(const StopFlag& flag) {
  const std::lock_guard lock(m_mutex);
  std::erase_if(m_flags, [](const auto& weak) { return weak.expired(); });
  m_flags.push_back(flag);
}

void Workers::waitForDone() {
  m_quick.waitForDone();
  m_long.waitForDone();
}

// Shared by the GUI thread and one worker. `target` is the receiver of events; null once there is none.
struct JobRunner::Run : Progress, std::enable_shared_from_this<JobRunner::Run> {
  StopFlag stop = std::make_shared<std::atomic<bool>>(false);
  std::mutex mutex;
  QObject* target = nullptr;    // guarded by mutex
  ProgressState latest;         // guarded by mutex
  bool progressPosted = false;  // guarded by mutex
  QPointer<JobHandle> handle;   // GUI thread only

  bool stopRequested() const override { return stop->load(std::memory_order_relaxed); }

  void advanced(const ProgressState& state) override {
    {
      const std::lock_guard lock(mutex);
      latest = state;
      if (progressPosted) return;  // one queued event suffices: it takes the latest state
      progressPosted = true;
    }
    post(shared_from_this(), [self = shared_from_this()] { self->showProgress(); });
  }

  void warned(std::string_view sentence) override {
    post(shared_from_this(), [self = shared_from_this(), text = sanitizedText(std::string(sentence))] {
      if (self->handle && !self->dropped()) self->handle->warn(text);
    });
  }

  void showProgress() {
    ProgressState state;
    {
      const std::lock_guard lock(mutex);
      state = latest;
      progressPosted = false;
    }
    if (handle && !dropped()) handle->report(state);
  }

  bool dropped() {
    const std::lock_guard lock(mutex);
    return target == nullptr;
  }

  void leave() {
    stop->store(true);
    const std::lock_guard lock(mutex);
    target = nullptr;
  }
};

JobRunner::JobRunner(Workers& workers, WorkLength length, QObject* parent)
    : QObject(parent), m_workers(workers), m_length(length) {}

JobRunner::~JobRunner() {
  drop();
}

Progress& JobRunner::progressOf(Run& run) {
  return run;
}

std::shared_ptr<JobRunner::Run> JobRunner::begin(JobHandle* handle) {
  drop();
  m_run = std::make_shared<Run>();
  m_run->target = this;
  m_run->handle = handle;
  m_workers.watch(m_run->stop);
  if (handle) {
    connect(handle, &JobHandle::cancelRequested, this, [stop = m_run->stop] { stop->store(true); });
  }
  return m_run;
}

void JobRunner::drop() {
  if (!m_run) return;
  const std::shared_ptr<Run> run = std::exchange(m_run, nullptr);
  run->leave();
  if (run->handle) run->handle->end(JobHandle::State::Stopped);
}

void JobRunner::launch(Closure inWorker) {
  m_workers.pool(m_length).start(std::move(inWorker));
}

void JobRunner::post(const std::shared_ptr<Run>& run, Closure onGuiThread) {
  // The lock keeps the runner alive while the event is posted; Qt drops events of destroyed objects.
  const std::lock_guard lock(run->mutex);
  if (run->target) QMetaObject::invokeMethod(run->target, std::move(onGuiThread), Qt::QueuedConnection);
}

bool JobRunner::finish(const std::shared_ptr<Run>& run) {
  if (m_run != run) return false;
  m_run.reset();
  return true;
}

void JobRunner::endHandle(Run& run, bool ok, const JobFailure& failure) {
  if (!run.handle) return;
  if (ok) {
    run.handle->end(JobHandle::State::Done);
  } else {
    run.handle->end(failure.kind == ErrorKind::Stopped ? JobHandle::State::Stopped : JobHandle::State::Failed,
                    failure.sentence);
  }
}

}  // namespace plastiscope

#include "moc_job_runner.cpp"
