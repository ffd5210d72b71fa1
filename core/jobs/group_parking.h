#pragma once
// When the running group is parked in the work folder, and where an interrupted one goes on: a cancel, a
// crash or a power cut costs the work since the last state and no more.
#include <chrono>
#include <functional>
#include <optional>

#include "core/jobs/capture_groups.h"
#include "core/store/parked_group.h"

namespace plastiscope {

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

}  // namespace plastiscope
