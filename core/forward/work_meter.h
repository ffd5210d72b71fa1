#pragma once
// What the forward passes of this process did so far: for measurements, and to compare with what was planned.
#include <chrono>

namespace plastiscope {

enum class WorkKind { Products, Attention };

struct WorkDone {
  double flops = 0;    // floating point operations; of attention those of pairs that are seen
  double seconds = 0;  // of one thread, summed over threads
};
WorkDone workDone(WorkKind kind);

// Counts a piece of work and the time until its end. From any thread.
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
