#include "core/base/progress.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/error.h"

namespace plastiscope {

namespace {
double nowSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

void Progress::throwIfStopped() const {
  if (stopRequested()) throw Stopped();
}

RateMeter::RateMeter(double totalWork) : m_total(totalWork), m_startSeconds(nowSeconds()) {}

void RateMeter::add(double work) {
  m_done += work;
}

double RateMeter::elapsedSeconds() const {
  return nowSeconds() - m_startSeconds;
}

double RateMeter::etaSeconds() const {
  if (m_done <= 0) return -1;
  return std::max(0.0, (m_total - m_done) * elapsedSeconds() / m_done);
}

UnitCounter::UnitCounter(Progress& progress, std::string stage, std::string unit, std::size_t total)
    : m_progress(progress),
      m_state{std::move(stage), 0, static_cast<double>(total), std::move(unit)},
      m_meter(m_state.total) {}

void UnitCounter::finished() {
  const std::lock_guard lock(m_mutex);
  m_meter.add(1);
  ++m_state.done;
  m_state.etaSeconds = m_meter.etaSeconds();
  m_progress.advanced(m_state);
}

}  // namespace plastiscope
