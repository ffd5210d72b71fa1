#include "core/sweep/sweep_run.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <memory>
#include <optional>

#include "core/base/child_process.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/progress_event.h"
#include "core/jobs/parallel.h"
#include "core/store/capture_output.h"
#include "core/store/work_folder.h"
#include "core/sweep/sweep_library.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(100), kRetry = std::chrono::milliseconds(500);
constexpr auto kGrace = std::chrono::seconds(15);

// Resources and options of the processes of a sweep.
struct Share {
  std::string program;
  std::vector<std::string> threads;
  std::string memory;  // memory limit of captures without one; "" = free memory
  bool fresh;

  explicit Share(const SweepOptions& options) : program(options.program.string()), fresh(options.fresh) {
    const int all = options.threads > 0 ? options.threads : coreCount();
    threads = {"--threads", std::to_string(std::max(1, all / options.processes))};
    const auto processes = static_cast<unsigned long long>(options.processes);
    if (processes > 1)
      memory = std::to_string(std::max(1ULL, availableMemoryBytes() / 5 * 4 / processes >> 20)) + "MiB";
  }

  // Resumes a capture that was begun with --fresh, unless this batch itself is called with --fresh.
  std::vector<std::string> captureAgain(const CaptureRequest& request) const {
    std::vector<std::string> more{"--progress", "json"};
    if (fresh || !WorkFolder::mayReplace(request.out)) more.emplace_back("--fresh");
    return captureCommand(request, more);
  }

  // Passes the whole capture as the part: inside a cluster's job the runs are distributed, not the texts.
  std::vector<std::string> captureCommand(const CaptureRequest& request,
                                          std::vector<std::string> more) const {
    std::vector<std::string> command{program, "capture"};
    const std::vector<std::string> given = request.arguments();
    command.insert(command.end(), given.begin(), given.end());
    command.insert(command.end(), {"--part", "0/1"});
    if (request.memoryLimit == 0 && !memory.empty())
      command.insert(command.end(), {"--memory-limit", memory});
    command.insert(command.end(), threads.begin(), threads.end());
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  std::vector<std::string> analyzeCommand(const SweepRun& run, const SweepAnalysis& analysis,
                                          bool again) const {
    std::vector<std::string> command{program, "analyze", run.capture.out.string(), "--out",
                                     analysis.out.string()};
    command.insert(command.end(), analysis.arguments.begin(), analysis.arguments.end());
    command.insert(command.end(), threads.begin(), threads.end());
    command.insert(command.end(), {"--progress", "json"});
    if (again) command.emplace_back("--fresh");
    return command;
  }
};

RunOutcome failureOf(int code, const std::string& sentence) {
  const bool known =
      code >= static_cast<int>(ErrorKind::Internal) && code <= static_cast<int>(ErrorKind::Stopped);
  if (known)
    return {RunState::Failed,
            static_cast<ErrorKind>(code),
            sentence.empty() ? "it ended with code " + std::to_string(code) : sentence,
            {}};
  return {RunState::Failed,
          ErrorKind::Resources,
          "its process crashed, possibly out of memory; finished work is kept",
          {}};
}

// A run whose lock this process holds.
class RunAtWork {
 public:
  RunAtWork(const SweepRun& run, std::size_t index, OutputLock lock)
      : m_run(run), m_index(index), m_lock(std::move(lock)), m_record(run) {}

  std::size_t index() const { return m_index; }
  ChildProcess* child() const { return m_child.get(); }

  // Starts the processes of the run and polls them; returns the outcome at the end.
  std::optional<RunOutcome> look(const Share& share, Progress& progress) {
    if (m_child) {
      const std::optional<int> code = m_child->look();
      for (const std::string& line : m_child->takeErrorLines()) readEvent(line, progress);
      if (!code) return {};
      m_child.reset();
      if (*code != 0) return failureOf(*code, m_sentence);
      m_record.setDone(m_step++);
      m_part = 0;
    }
    while (m_step <= m_run.analyses.size() && m_record.isDone(m_step)) ++m_step;
    if (m_step > m_run.analyses.size())
      return RunOutcome{m_worked ? RunState::Done : RunState::WasDone, {}, {}, {}};
    // The output is still being written by a window, or by a child of a killed process.
    if (m_step == 0 && OutputLock::isHeld(m_run.capture.out)) return {};
    m_worked = true;
    m_sentence.clear();
    m_child = std::make_unique<ChildProcess>(command(share));
    return {};
  }

  // Finished share of the run, 0 to 1.
  double share() const { return (m_step + m_part) / (1 + m_run.analyses.size()); }

 private:
  std::vector<std::string> command(const Share& share) const {
    const bool again = m_record.isAgain(m_step);
    if (m_step > 0) return share.analyzeCommand(m_run, m_run.analyses[m_step - 1], again);
    return again ? share.captureAgain(m_run.capture)
                 : share.captureCommand(m_run.capture, {"--progress", "json"});
  }

  void readEvent(const std::string& line, Progress& progress) {
    const auto event = parseProgressEvent(line);
    using Kind = ProgressEvent::Kind;
    if (!event) {
      if (m_sentence.empty()) m_sentence = sanitized(plainSentence(line), kLongestMessage);
    } else if (event->kind == Kind::Error) {
      m_sentence = sanitized(event->sentence, kLongestMessage);
    } else if (event->kind == Kind::Warning) {
      progress.warned(m_run.name + ": " + event->sentence);
    } else if (event->kind == Kind::Progress && event->progress.total > 0) {
      const bool main = event->progress.stage == "capture" || event->progress.stage == "analyze";
      if (main) m_part = std::clamp(event->progress.done / event->progress.total, 0.0, 0.99);
    }
  }

  const SweepRun& m_run;
  std::size_t m_index, m_step = 0;
  OutputLock m_lock;
  SweepRecord m_record;
  std::unique_ptr<ChildProcess> m_child;
  std::string m_sentence;  // the child's last error message
  double m_part = 0;       // finished share of the step
  bool m_worked = false;
};

class SweepWork {
 public:
  SweepWork(const std::vector<SweepRun>& runs, const SweepOptions& options, Progress& progress)
      : m_runs(runs),
        m_processes(options.processes),
        m_share(options),
        m_progress(progress),
        m_outcomes(runs.size()),
        m_meter(runs.size()) {
    for (std::size_t i = 0; i < runs.size(); ++i) m_waiting.push_back(i);
  }

  std::vector<RunOutcome> run() {
    m_progress.started("batch", {});
    if (m_share.fresh) beginAgain();
    while (!m_waiting.empty() || !m_working.empty()) {
      if (m_progress.stopRequested()) stopAll();
      begin();
      look();
      report();
      waitAWhile();
    }
    return std::move(m_outcomes);
  }

 private:
  // The run's lock; nothing if another process holds it.
  std::optional<OutputLock> lockOf(const SweepRun& run) const {
    const fs::path record = SweepRecord::fileFor(run);
    if (OutputLock::isHeld(record)) return {};
    try {
      return OutputLock(record);
    } catch (const InputError&) {
      if (OutputLock::isHeld(record)) return {};
      throw;
    }
  }

  void beginAgain() const {
    for (const SweepRun& run : m_runs) {
      const auto lock = lockOf(run);
      if (!lock)
        throw InputError({SweepRecord::fileFor(run), "", "",
                          "another process is working on this run, so --fresh cannot repeat it"});
      SweepRecord(run).setAgain();
    }
  }

  void begin() {
    if (Clock::now() < m_nextTry) return;
    std::deque<std::size_t> later;
    while (!m_waiting.empty() && m_working.size() < m_processes) {
      const std::size_t index = m_waiting.front();
      m_waiting.pop_front();
      if (auto lock = lockOf(m_runs[index]))
        m_working.push_back(std::make_unique<RunAtWork>(m_runs[index], index, std::move(*lock)));
      else
        later.push_back(index);
    }
    if (!later.empty()) m_nextTry = Clock::now() + kRetry;
    m_waiting.insert(m_waiting.end(), later.begin(), later.end());
  }

  void look() {
    for (auto each = m_working.begin(); each != m_working.end();) {
      const std::size_t index = (*each)->index();
      auto outcome = (*each)->look(m_share, m_progress);
      if (!outcome) {
        ++each;
        continue;
      }
      each = m_working.erase(each);
      if (outcome->state == RunState::Failed)
        m_progress.warned(m_runs[index].name + ": " + outcome->sentence);
      else
        m_progress.unitFinished(m_runs[index].name);
      m_outcomes[index] = std::move(*outcome);
      m_nextTry = {};
    }
  }

  void report() {
    double done = m_runs.size() - m_waiting.size() - m_working.size();
    for (const auto& each : m_working) done += each->share();
    // Runs that were finished before took no time and are left out of the estimate.
    const auto quick =
        static_cast<double>(std::count_if(m_outcomes.begin(), m_outcomes.end(),
                                          [](const auto& each) { return each.state == RunState::WasDone; }));
    const double worked = done - quick, rest = m_runs.size() - done;
    const double eta = worked > 0 ? m_meter.elapsedSeconds() * rest / worked : -1;
    m_progress.advanced({"batch", done, static_cast<double>(m_runs.size()), "runs", -1, eta});
  }

  void waitAWhile() {
    std::vector<pollfd> streams;
    for (const auto& each : m_working) {
      if (each->child() != nullptr) streams.push_back({each->child()->errorDescriptor(), POLLIN, 0});
    }
    if (m_working.empty() && (m_waiting.empty() || m_nextTry <= Clock::now())) return;
    ::poll(streams.data(), streams.size(), static_cast<int>(kLook.count()));
    // poll() reports an ended stream as ready at once.
    const bool ended = std::any_of(streams.begin(), streams.end(), [](const pollfd& each) {
      return (each.revents & POLLIN) == 0 && each.revents != 0;
    });
    if (ended) ::poll(nullptr, 0, 5);
  }

  // Asks all children to stop and save their work; kills those that do not stop in time.
  [[noreturn]] void stopAll() {
    for (const auto& each : m_working) {
      if (each->child() != nullptr) each->child()->stop();
    }
    const auto end = Clock::now() + kGrace;
    const auto running = [](const auto& each) { return each->child() != nullptr && !each->child()->look(); };
    while (Clock::now() < end && std::any_of(m_working.begin(), m_working.end(), running))
      ::poll(nullptr, 0, 20);
    m_working.clear();
    throw Stopped("stopped on request; finished work is kept: run the same command again to continue");
  }

  const std::vector<SweepRun>& m_runs;
  std::size_t m_processes;
  Share m_share;
  Progress& m_progress;
  std::vector<RunOutcome> m_outcomes;
  RateMeter m_meter;
  std::deque<std::size_t> m_waiting;
  std::list<std::unique_ptr<RunAtWork>> m_working;
  Clock::time_point m_nextTry{};
};

bool hasBegun(const SweepRun& run) {
  std::error_code ignored;
  return fs::exists(run.capture.out, ignored) || WorkFolder::summaryOf(run.capture.out).has_value();
}

// Outcome from the output of an estimate's process that ended with `code`.
RunOutcome estimateOf(ChildProcess& child, int code) {
  Json estimate = Json::parse(child.output(), nullptr, false);
  if (estimate.is_object()) return {RunState::Missing, {}, {}, estimate};  // also if the capture does not fit
  const std::vector<std::string> lines = child.takeErrorLines();
  return failureOf(code, lines.empty() ? "" : sanitized(plainSentence(lines.back()), kLongestMessage));
}

}  // namespace

std::vector<RunOutcome> doRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                               Progress& progress) {
  return SweepWork(runs, options, progress).run();
}

std::vector<RunOutcome> estimateRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                                     Progress& progress) {
  const Share share(options);
  std::vector<RunOutcome> outcomes;
  for (const SweepRun& run : runs) {
    progress.throwIfStopped();
    progress.advanced(
        {"estimate", static_cast<double>(outcomes.size()), static_cast<double>(runs.size()), "runs", -1, -1});
    const SweepRecord record(run);
    if (!options.fresh && record.isDone()) {
      outcomes.push_back({RunState::WasDone, {}, {}, {}});
      continue;
    }
    ChildProcess child(share.captureCommand(run.capture, {"--estimate", "--json", "--progress", "none"}));
    std::optional<int> code;
    while (!(code = child.look())) {
      progress.throwIfStopped();
      ::poll(nullptr, 0, 10);
    }
    outcomes.push_back(estimateOf(child, *code));
    const bool again =
        options.fresh || record.isAgain(run.analyses.size());  // the last step is marked longest
    if (outcomes.back().state == RunState::Missing && hasBegun(run))
      outcomes.back().state = again ? RunState::Again : RunState::Unfinished;
  }
  return outcomes;
}

}  // namespace plastiscope
