#include "core/forward/work_meter.h"

#include <array>
#include <atomic>

namespace plastiscope {

namespace {

struct Totals {
  std::atomic<double> flops = 0, seconds = 0;
};

Totals& totalsOf(WorkKind kind) {
  static std::array<Totals, 2> totals;
  return totals[static_cast<std::size_t>(kind)];
}

}  // namespace

WorkDone workDone(WorkKind kind) {
  const Totals& totals = totalsOf(kind);
  return {totals.flops, totals.seconds};
}

WorkTimer::WorkTimer(WorkKind kind, double flops, int threads)
    : m_kind(kind), m_flops(flops), m_threads(threads), m_start(std::chrono::steady_clock::now()) {}

WorkTimer::~WorkTimer() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_start;
  totalsOf(m_kind).flops += m_flops;
  totalsOf(m_kind).seconds += elapsed.count() * m_threads;
}

}  // namespace plastiscope
