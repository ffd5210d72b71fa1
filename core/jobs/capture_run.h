#pragma once
// Runs what is left of a capture, group by group: every example becomes a unit, and a group that is half done
// is parked.
#include <chrono>
#include <map>
#include <memory>

#include "core/capture/capture_sink.h"
#include "core/jobs/capture_groups.h"
#include "core/jobs/group_parking.h"
#include "core/store/work_folder.h"

namespace plastiscope {

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

  // The running group; its examples that are not finished and their tokens, at the beginning and now.
  CaptureGroup m_group;
  std::map<std::int64_t, std::int64_t> m_left;
  const KeptState* m_resumed = nullptr;
  double m_groupTokens = 0, m_groupFlops = 0, m_flopsRunning = 0;
  bool m_anyStep = false, m_writing = false;

  // Tokens of all examples, of those finished before the running group, and since the start.
  double m_tokensInAll = 0, m_tokensKept = 0, m_tokensDone = 0;
  ProgressState m_state{"capture", 0, 0, "example", -1, -1};
  std::chrono::steady_clock::time_point m_lastReport{};
};

}  // namespace plastiscope
