#pragma once
// Work done by forward passes of this process, for measurements and comparison with the plan.
#include <array>
#include <atomic>
#include <chrono>

namespace plastiscope {

enum class WorkKind { Products, Attention };

struct WorkDone {
  double flops = 0;    // floating point operations; attention: visible pairs only
  double seconds = 0;  // summed over threads
};

struct WorkTotals {
  std::atomic<double> flops = 0, seconds = 0;
};
inline std::array<WorkTotals, 2> theWork;  // by kind

inline WorkTotals& workOf(WorkKind kind) {
  return theWork[static_cast<std::size_t>(kind)];
}
inline WorkDone workDone(WorkKind kind) {
  return {workOf(kind).flops, workOf(kind).seconds};
}

// Counts a piece of work, and its time until destruction. Thread-safe.
class WorkTimer {
 public:
  WorkTimer(WorkKind kind, double flops, int threads = 1)
      : m_kind(kind), m_flops(flops), m_threads(threads) {}
  ~WorkTimer() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
    workOf(m_kind).flops += m_flops;
    workOf(m_kind).seconds += elapsed.count() * m_threads;
  }
  WorkTimer(const WorkTimer&) = delete;
  WorkTimer& operator=(const WorkTimer&) = delete;

 private:
  WorkKind m_kind;
  double m_flops;
  int m_threads;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

}  // namespace plastiscope
