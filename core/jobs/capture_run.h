#pragma once
// Runs what is left of a capture, group by group: every example becomes a unit, and a group that is half done
// is parked.
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/jobs/capture_groups.h"
#include "core/store/parked_group.h"
#include "core/store/work_folder.h"

namespace plastiscope {

// When the running group is parked in the work folder, and where an interrupted one goes on: a cancel, a
// crash or a power cut costs the work since the last state and no more.
class GroupParking {
 public:
  // `everySeconds`: of work between two states; none: 20, and more where writing would cost more than 2 %.
  GroupParking(const CaptureSetup& setup, const std::filesystem::path& workFolder,
               std::optional<double> everySeconds, Progress& progress);

  // The group that an earlier run left half done, whose texts `sink` then has as that run left it. Nothing
  // when there is none; one that is damaged or belongs to something else is removed, and said.
  std::optional<CaptureGroup> resumed(CaptureSink& sink);
  const KeptState& state() const { return m_parked.state(); }

  void begin(std::uint64_t stateBytes);  // a group of which nothing is durable
  bool due() const;
  // A state that cannot be written is said once; the run goes on.
  void park(const ParkedFacts& facts, const std::function<GroupState()>& state, const CaptureSink& sink);
  // Whether a state is written so fast that a stop may wait for it.
  bool isQuick() const;
  void remove();  // the group is finished or given up

 private:
  using Clock = std::chrono::steady_clock;

  const CaptureSetup& m_setup;
  std::optional<double> m_everySeconds;
  Progress& m_progress;
  ParkedGroup m_parked;
  Clock::time_point m_durable;  // when the last state was, or the group began
  double m_seconds = 0;         // that the next state will take
  bool m_failed = false;        // has been said
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
  std::size_t m_mostExamples = SIZE_MAX;  // of a group, since memory did not suffice for more
  std::int64_t m_enoughTokens;            // of a group, as reading and computing were measured

  // The running group; its examples that are not finished and their tokens, at the beginning and now.
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
