#pragma once
// Work done by forward passes of this process, for measurements and comparison with the plan.
#include <chrono>

namespace plastiscope {

enum class WorkKind { Products, Attention };

struct WorkDone {
  double flops = 0;    // floating point operations; attention: visible pairs only
  double seconds = 0;  // summed over threads
};
WorkDone workDone(WorkKind kind);

// Counts a piece of work, and its time until destruction. Thread-safe.
class WorkTimer {
 public:
  WorkTimer(WorkKind kind, double flops, int threads = 1);
  ~WorkTimer();
  WorkTimer(const WorkTimer&) = delete;
  WorkTimer& operator=(const WorkTimer&) = delete;

 private:
  WorkKind m_kind;
  double m_flops;
  int m_threads;
  std::chrono::steady_clock::time_point m_start;
};

}  // namespace plastiscope
