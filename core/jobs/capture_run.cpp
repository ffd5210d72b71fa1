#include "core/jobs/capture_run.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/store/parked_group.h"

namespace plastiscope {

namespace {

// ---- parking

constexpr double kLeastSeconds = 20, kMaxShare = 0.02;
constexpr double kQuickSeconds = 1;
constexpr double kAssumedBytesPerSecond = 500e6;  // assumed until the first state is timed

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void requireKnown(const CaptureGroup& group, std::size_t examples) {
  std::set<std::int64_t> seen;
  for (const std::int64_t example : group) {
    const bool known = example >= 0 && static_cast<std::size_t>(example) < examples;
    if (!known || !seen.insert(example).second)
      throw InputError(
          {{}, "saved unfinished texts", "examples of this capture, each once", std::to_string(example)});
  }

  if (group.empty()) throw InputError({{}, "saved unfinished texts", "at least one example", "none"});
}

// Parks the running group in the work folder at intervals and resumes an interrupted one: a cancel, crash or
// power failure loses only the work since the last state.
class GroupParking {
 public:
  // `everySeconds`: work between two states; not set: 20, or more if writing would take over 2 % of the time.
  GroupParking(const CaptureSetup& setup, const std::filesystem::path& workFolder,
               std::optional<double> everySeconds, Progress& progress)
      : m_setup(setup),
        m_everySeconds(everySeconds),
        m_progress(progress),
        m_parked(workFolder, setup.layout),
        m_durable(Clock::now()) {}

  // The half-finished group of an earlier run, with its vectors restored in `sink`. Nothing if there is none;
  // a damaged one, or one of another capture, is removed with a warning.
  std::optional<CaptureGroup> resumed(CaptureSink& sink) {
    if (!m_parked.exists()) return std::nullopt;
    try {
      m_parked.open(m_setup.settingsHash, m_progress);
      const CaptureGroup& group = m_parked.facts().examples;
      requireKnown(group, m_setup.facts.size());
      for (const std::int64_t example : group) sink.begin(example, m_setup.text(example));
      m_parked.fill(sink, m_progress);
      return group;
    } catch (const InputError& error) {
      for (const std::int64_t example : m_parked.facts().examples) sink.drop(example);
      m_progress.warned(std::string(error.what()) +
                        "; the unfinished texts are captured again from their start");
      m_parked.remove();
      return std::nullopt;
    }
  }

  const KeptState& state() const { return m_parked.state(); }

  // A group without a saved state.
  void begin(std::uint64_t stateBytes) {
    m_parked.remove();
    m_durable = Clock::now();
    if (m_seconds == 0) m_seconds = stateBytes / kAssumedBytesPerSecond;
  }

  bool due() const {
    return secondsSince(m_durable) >= m_everySeconds.value_or(std::max(kLeastSeconds, m_seconds / kMaxShare));
  }

  // Warns once if a state cannot be written; the run goes on.
  void park(const ParkedFacts& facts, const std::function<GroupState()>& state, const CaptureSink& sink) {
    const auto start = Clock::now();
    try {
      m_parked.save(facts, state(), sink);
      m_seconds = secondsSince(start);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Input && error.kind() != ErrorKind::Resources) throw;
      if (!std::exchange(m_failed, true)) {
        m_progress.warned(std::string(error.what()) +
                          "; the capture continues, but unfinished texts will be lost if it is interrupted");
      }
    }
    m_durable = Clock::now();
  }

  // Whether writing a state is fast enough to do before stopping.
  bool isQuick() const { return m_seconds <= kQuickSeconds; }
  void remove() { m_parked.remove(); }  // the group is finished or abandoned

 private:
  using Clock = std::chrono::steady_clock;

  const CaptureSetup& m_setup;
  std::optional<double> m_everySeconds;
  Progress& m_progress;
  ParkedGroup m_parked;
  Clock::time_point m_durable;  // time of the last state, or of the group's start
  double m_seconds = 0;         // expected for the next state
  bool m_failed = false;        // already warned
};

// ---- the run

constexpr double kMaxLoading = 0.02;  // of the time of a group
// A group computes at least this multiple of the time that reading the weights takes.
constexpr double kHidesReading = 1.25;
constexpr double kMaxGroupTokens = 1 << 20;  // memory allows fewer

class CaptureRun : private GroupWatch {
 public:
  CaptureRun(const CaptureSetup& setup, WorkFolder& work, const CaptureRequest& request,
             std::uint64_t memoryLimit, Progress& progress)
      : m_setup(setup),
        m_work(work),
        m_progress(progress),
        m_memoryLimit(memoryLimit),
        m_planner(setup),
        m_parking(setup, WorkFolder::pathFor(request.out), request.checkpointSeconds, progress),
        m_sink(setup.plan, setup.layout),
        m_runner(setup.engine->makeRunner(setup.model, setup.lastLayer, setup.forward)),
        m_meter(0),
        m_enoughTokens(m_planner.enoughTokens()) {
    m_state.total = setup.examples.size();
    for (const UnitFacts& each : setup.facts) m_tokensInAll += m_planner.tokens(each.example);
  }

  void run() {
    CaptureGroup remaining = remainingOf(m_setup, m_work);
    m_tokensKept = m_tokensInAll - m_planner.tokens(remaining);
    m_meter = RateMeter(m_planner.flops(remaining));
    if (const std::optional<CaptureGroup> parked = m_parking.resumed(m_sink)) {
      m_meter = RateMeter(m_planner.flops(remaining) - flopsOfKept(*parked));
      goOnWith(*parked);
      remaining = remainingOf(m_setup, m_work);
    }
    report(true);
    for (std::size_t begun = 0; begun < remaining.size();) {
      const auto rest = std::span<const std::int64_t>(remaining).subspan(begun);
      CaptureGroup group = m_planner.first(rest, m_enoughTokens, m_memoryLimit);
      group.resize(std::min(group.size(), m_mostExamples));
      if (runGroup(group)) begun += m_group.size();
    }
  }

 private:
  const KeptState* keptState() override { return m_resumed; }
  // The smallest number of texts that keeps loading below its share of the time, so that texts finish sooner.
  // If even the whole group computes less than reading the weights takes, later groups get more tokens.
  std::size_t textsToRun(const FirstLayerCost& cost) override {
    if (cost.flops <= 0 || cost.loadedShare <= 0) return m_group.size();
    const double loading = cost.loadSeconds / cost.loadedShare;
    const double flopsPerSecond = cost.flops / std::max(cost.runSeconds, 1e-9);
    const double enough = loading / kMaxLoading * flopsPerSecond;
    const double hiding =
        kHidesReading * loading * flopsPerSecond / std::max(m_groupFlops, 1.0) * m_groupTokens;
    m_enoughTokens = std::max(m_enoughTokens, static_cast<std::int64_t>(std::min(hiding, kMaxGroupTokens)));
    double flops = 0;
    std::size_t texts = 0;
    while (texts < m_group.size() && flops < enough) flops += m_planner.flops(m_group[texts++]);
    texts = std::max<std::size_t>(1, texts);
    for (std::size_t i = texts; i < m_group.size(); ++i) m_sink.drop(m_group[i]);
    setGroup({m_group.begin(), m_group.begin() + texts});
    return texts;
  }

  void textDone(std::int64_t number) override {
    if (m_left.erase(number) == 0) return;  // finished by an earlier run
    m_writing = true;
    m_work.add(m_setup.layout, m_sink.finish(number), m_setup.facts[number]);
    m_writing = false;
    if (!m_setup.isProbe(number)) m_progress.unitFinished(example(number).id);
  }

  void stepDone(double flops, const std::function<GroupState()>& state) override {
    m_anyStep = m_isUnparked = true;
    m_meter.add(flops);
    m_flopsRunning += flops;
    m_tokensDone += m_groupTokens * flops / m_groupFlops;
    report();
    if (state && !m_left.empty() && m_parking.due()) park(state);
  }

  void stopping(const std::function<GroupState()>& state) override {
    report(true);
    if (!m_left.empty() && m_isUnparked && m_parking.isQuick()) park(state);
  }

  const CaptureExample& example(std::int64_t number) const { return m_setup.text(number); }
  // Rows of the last layer; they determine what the layer before it computes.
  std::int64_t rowsRead(std::int64_t number) const {
    if (hasDense(m_setup.layout, m_setup.lastLayer) || example(number).scoresLastLayer)
      return m_planner.tokens(number);
    std::vector<std::int32_t> rows, both;
    for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
      if (m_sink.heads(m_setup.lastLayer, kind).empty()) continue;
      const auto positions = m_sink.positions(m_setup.lastLayer, kind, number);
      both.clear();
      std::ranges::set_union(rows, positions, std::back_inserter(both));
      rows.swap(both);
    }
    return std::ssize(rows);
  }

  double flopsOfKept(const CaptureGroup& group) const {
    std::vector<TextSize> texts;
    for (const std::int64_t number : group) texts.push_back({m_planner.tokens(number), rowsRead(number)});
    return m_setup.engine->flops(m_setup.model->spec, texts, m_setup.lastLayer, m_parking.state().next());
  }

  void setGroup(const CaptureGroup& group) {
    m_group = group;
    m_groupFlops = m_planner.flops(group);
    m_left.clear();
    m_groupTokens = 0;
    for (const std::int64_t number : group) {
      if (m_work.units().contains(number)) continue;
      m_left[number] = m_planner.tokens(number);
      m_groupTokens += m_left[number];
    }
  }

  // Resumes the group of an earlier run; captures it from the beginning if that fails.
  void goOnWith(const CaptureGroup& group) {
    setGroup(group);
    m_flopsRunning = flopsOfKept(group);
    m_resumed = &m_parking.state();
    report(true);
    if (!m_left.empty()) forward();
    m_resumed = nullptr;
    m_parking.remove();
  }

  bool runGroup(const CaptureGroup& group) {
    for (const std::int64_t number : group) m_sink.begin(number, example(number));
    setGroup(group);
    m_flopsRunning = 0;
    m_parking.begin(m_planner.stateBytes(group));
    const bool done = forward();
    m_parking.remove();
    return done;
  }

  // Runs the current group. False if memory did not suffice for it but may for fewer examples (a GPU may have
  // less than planned), or if the saved state belongs to another group.
  bool forward() {
    std::vector<TokenSequence> sequences;
    for (const std::int64_t number : m_group) sequences.push_back({number, example(number).tokens});
    const double tokensBefore = m_tokensDone;
    const RateMeter meterBefore = m_meter;
    bool done = true;
    m_anyStep = false;
    try {
      m_runner->run(sequences, m_sink, m_progress, *this);
    } catch (const ResourceError& error) {
      if (m_group.size() == 1 || m_writing) throw;
      m_mostExamples = m_group.size() / 2;
      m_progress.warned(std::string(error.what()) + "; continuing with smaller groups of examples");
      done = false;
    } catch (const NotFinite& error) {
      refuseWeightsNotFinite(*m_setup.model, m_setup.plan.loss);
      if (m_setup.plan.dtype == "float32") throw;
      throw InputError(std::string(error.what()) +
                       (m_setup.model->weights ? ", although all weights are finite" : "") +
                       "; --dtype float32 may help");
    } catch (const InputError& error) {
      if (m_resumed == nullptr || m_anyStep) throw;
      m_progress.warned(std::string(error.what()) +
                        "; the unfinished texts are captured again from their start");
      done = false;
    }
    if (!done) {
      m_meter = meterBefore;
      m_tokensDone = tokensBefore;
    }
    m_tokensKept += m_groupTokens;
    for (const auto& [number, tokens] : m_left) m_tokensKept -= tokens;
    for (const std::int64_t number : m_group) m_sink.drop(number);
    m_groupTokens = 0;
    report(true);
    return done;
  }

  double tokensRunning() const {
    if (m_groupTokens <= 0 || m_groupFlops <= 0) return 0;
    return m_groupTokens * std::min(1.0, m_flopsRunning / m_groupFlops);
  }

  void park(const std::function<GroupState()>& state) {
    const double share = (m_tokensKept + tokensRunning()) / m_tokensInAll;
    m_parking.park({m_setup.settingsHash, m_group, share}, state, m_sink);
    m_isUnparked = false;
  }

  // Reports at most ten times a second. Progress is the share of the tokens, expressed in examples, because
  // the first layers of a group finish no example.
  void report(bool always = false) {
    const auto now = std::chrono::steady_clock::now();
    if (!always && now - m_lastReport < std::chrono::milliseconds(100)) return;
    m_lastReport = now;
    m_state.done = std::max(m_state.done, m_state.total * (m_tokensKept + tokensRunning()) / m_tokensInAll);
    m_state.etaSeconds = m_meter.etaSeconds();
    if (m_tokensDone > 0) m_state.tokensPerSecond = m_tokensDone / std::max(m_meter.elapsedSeconds(), 1e-9);
    m_progress.advanced(m_state);
  }

  const CaptureSetup& m_setup;
  WorkFolder& m_work;
  Progress& m_progress;
  std::uint64_t m_memoryLimit;
  GroupPlanner m_planner;
  GroupParking m_parking;
  CaptureSink m_sink;
  std::unique_ptr<ForwardRunner> m_runner;
  RateMeter m_meter;
  std::size_t m_mostExamples = SIZE_MAX;  // per group, reduced when memory is short
  std::int64_t m_enoughTokens;            // per group, from measured times

  // The running group; its unfinished examples and their tokens, at the start and now.
  CaptureGroup m_group;
  std::map<std::int64_t, std::int64_t> m_left;
  const KeptState* m_resumed = nullptr;
  double m_groupTokens = 0, m_groupFlops = 0, m_flopsRunning = 0;
  bool m_anyStep = false, m_writing = false;
  bool m_isUnparked = false;  // a step was done since the last state

  // Tokens of all examples, of those finished before the running group, and since the start.
  double m_tokensInAll = 0, m_tokensKept = 0, m_tokensDone = 0;
  ProgressState m_state{"capture", 0, 0, "example", -1, -1};
  std::chrono::steady_clock::time_point m_lastReport{};
};

}  // namespace

CaptureGroup remainingOf(const CaptureSetup& setup, const WorkFolder& work) {
  CaptureGroup remaining;
  for (const UnitFacts& facts : setup.facts) {
    if (!work.units().contains(facts.example)) remaining.push_back(facts.example);
  }
  // The probe runs with the first group, but not as its first text, whose first layer is timed.
  if (remaining.size() > 2 && setup.isProbe(remaining.back()))
    std::rotate(remaining.begin() + 1, remaining.end() - 1, remaining.end());
  return remaining;
}

void runRemaining(const CaptureSetup& setup, WorkFolder& work, const CaptureRequest& request,
                  std::uint64_t memoryLimit, Progress& progress) {
  CaptureRun(setup, work, request, memoryLimit, progress).run();
}

}  // namespace plastiscope
