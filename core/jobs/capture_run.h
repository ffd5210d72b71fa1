#pragma once
// Runs the remaining examples of a capture, group by group: every example becomes a unit, and half-finished
// groups are parked.
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/jobs/capture_groups.h"
#include "core/store/parked_group.h"
#include "core/store/work_folder.h"

namespace plastiscope {

// Parks the running group in the work folder at intervals and resumes an interrupted one: a cancel, crash or
// power failure loses only the work since the last state.
class GroupParking {
 public:
  // `everySeconds`: work between two states; not set: 20, or more if writing would take over 2 % of the time.
  GroupParking(const CaptureSetup& setup, const std::filesystem::path& workFolder,
               std::optional<double> everySeconds, Progress& progress);

  // The half-finished group of an earlier run, with its vectors restored in `sink`. Nothing if there is none;
  // a damaged one, or one of another capture, is removed with a warning.
  std::optional<CaptureGroup> resumed(CaptureSink& sink);
  const KeptState& state() const { return m_parked.state(); }

  void begin(std::uint64_t stateBytes);  // a group without a saved state
  bool due() const;
  // Warns once if a state cannot be written; the run goes on.
  void park(const ParkedFacts& facts, const std::function<GroupState()>& state, const CaptureSink& sink);
  // Whether writing a state is fast enough to do before stopping.
  bool isQuick() const;
  void remove();  // the group is finished or abandoned

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

class CaptureRun : private GroupWatch {
 public:
  CaptureRun(const CaptureSetup& setup, WorkFolder& work, const CaptureRequest& request,
             std::uint64_t memoryLimit, Progress& progress);
  static CaptureGroup remainingOf(const CaptureSetup& setup, const WorkFolder& work);
  void run();

 private:
  const KeptState* keptState() override { return m_resumed; }
  std::size_t textsToRun(const FirstLayerCost& cost) override;
  void textDone(std::int64_t example) override;
  void stepDone(double flops, const std::function<GroupState()>& state) override;
  void stopping(const std::function<GroupState()>& state) override;

  const CaptureExample& example(std::int64_t number) const;
  std::int64_t rowsRead(std::int64_t number) const;
  double flopsOfKept(const CaptureGroup& group) const;
  void setGroup(const CaptureGroup& group);
  void goOnWith(const CaptureGroup& group);
  bool runGroup(const CaptureGroup& group);
  bool forward();
  double tokensRunning() const;
  void park(const std::function<GroupState()>& state);
  void report(bool always = false);

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

}  // namespace plastiscope
