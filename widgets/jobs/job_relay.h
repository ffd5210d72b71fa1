#pragma once
// Runs core work elsewhere and brings its result back to the GUI thread. A relay serves one purpose of one
// receiver
// ("the plane of the chosen head"): a new start overtakes the one before, which is asked to stop and whose
// result and progress are dropped. Nothing is delivered after the relay is gone.
#include <QObject>
#include <functional>
#include <memory>
#include <mutex>

#include "core/base/progress.h"
#include "widgets/jobs/job_ticket.h"
#include "widgets/jobs/outcome.h"
#include "widgets/jobs/workers.h"

namespace plastiscope {

class JobRelay : public QObject {
  Q_OBJECT
 public:
  JobRelay(Workers& workers, WorkLength length, QObject* parent = nullptr);
  ~JobRelay() override;

  // work(Progress&) -> Value runs in a worker; deliver(Outcome<Value>) runs in the GUI thread. The ticket
  // (may be null) is told of progress and end and may cancel; its owner is the caller.
  template <typename Work, typename Deliver>
  void start(Work work, Deliver deliver, JobTicket* ticket = nullptr);

  // Asks the running work to stop and drops its result.
  void drop();
  bool running() const { return m_run != nullptr; }

 private:
  struct Run;
  using Closure = std::function<void()>;

  // What the worker gets as Progress, what it calls, and what is posted back.
  std::shared_ptr<Run> begin(JobTicket* ticket);
  static Progress& progressOf(Run& run);
  static void post(const std::shared_ptr<Run>& run, Closure onGuiThread);
  void launch(Closure inWorker);
  bool finish(const std::shared_ptr<Run>& run);  // false: overtaken
  static void endTicket(Run& run, bool ok, const JobFailure& failure);

  Workers& m_workers;
  WorkLength m_length;
  std::shared_ptr<Run> m_run;
};

template <typename Work, typename Deliver>
void JobRelay::start(Work work, Deliver deliver, JobTicket* ticket) {
  using Value = std::invoke_result_t<Work, Progress&>;
  const std::shared_ptr<Run> run = begin(ticket);
  launch([this, run, work = std::move(work), deliver = std::move(deliver)]() mutable {
    auto outcome = std::make_shared<Outcome<Value>>(outcomeOf<Value>([&] {
      progressOf(*run).throwIfStopped();  // overtaken while it waited for a thread
      return work(progressOf(*run));
    }));
    post(run, [this, run, outcome, deliver = std::move(deliver)]() mutable {
      if (!finish(run)) return;
      endTicket(*run, outcome->ok(), outcome->failure);
      deliver(std::move(*outcome));
    });
  });
}

}  // namespace plastiscope
