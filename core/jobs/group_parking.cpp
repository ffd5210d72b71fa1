#include "core/jobs/group_parking.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr double kLeastSeconds = 20, kMostShare = 0.02;
constexpr double kQuickSeconds = 1;
constexpr double kAssumedBytesPerSecond = 500e6;  // hashed and durable, before the first state was timed

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void requireKnown(const CaptureGroup& group, std::size_t examples) {
  std::set<std::int64_t> seen;
  for (const std::int64_t example : group) {
    const bool known = example >= 0 && static_cast<std::size_t>(example) < examples;
    if (!known || !seen.insert(example).second)
      throw InputError({{}, "parked group", "examples of this capture, each once", std::to_string(example)});
  }
  if (group.empty()) throw InputError({{}, "parked group", "at least one example", "none"});
}

}  // namespace

GroupParking::GroupParking(const CaptureSetup& setup, const std::filesystem::path& workFolder,
                           std::optional<double> everySeconds, Progress& progress)
    : m_setup(setup),
      m_everySeconds(everySeconds),
      m_progress(progress),
      m_parked(workFolder, setup.layout),
      m_durable(Clock::now()) {}

std::optional<CaptureGroup> GroupParking::resumed(CaptureSink& sink) {
  if (!m_parked.exists()) return std::nullopt;
  try {
    m_parked.open(m_setup.settingsHash, m_progress);
    const CaptureGroup& group = m_parked.facts().examples;
    requireKnown(group, m_setup.examples.size());
    for (const std::int64_t example : group)
      sink.begin(example, m_setup.examples[static_cast<std::size_t>(example)]);
    m_parked.fill(sink, m_progress);
    return group;
  } catch (const InputError& error) {
    for (const std::int64_t example : m_parked.facts().examples) sink.drop(example);
    m_progress.warned(std::string(error.what()) + "; the texts that were half done are captured again");
    m_parked.remove();
    return std::nullopt;
  }
}

void GroupParking::begin(std::uint64_t stateBytes) {
  m_parked.remove();
  m_durable = Clock::now();
  if (m_seconds == 0) m_seconds = static_cast<double>(stateBytes) / kAssumedBytesPerSecond;
}

bool GroupParking::due() const {
  return secondsSince(m_durable) >= m_everySeconds.value_or(std::max(kLeastSeconds, m_seconds / kMostShare));
}

void GroupParking::park(const ParkedFacts& facts, const std::function<GroupState()>& state,
                        const CaptureSink& sink) {
  const auto start = Clock::now();
  try {
    m_parked.save(facts, state(), sink);
    m_seconds = secondsSince(start);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Input && error.kind() != ErrorKind::Resources) throw;
    if (!std::exchange(m_failed, true)) {
      m_progress.warned(
          std::string(error.what()) +
          "; the capture goes on, but texts that are half done will be lost when it is interrupted");
    }
  }
  m_durable = Clock::now();
}

bool GroupParking::isQuick() const {
  return m_seconds <= kQuickSeconds;
}

void GroupParking::remove() {
  m_parked.remove();
}

}  // namespace plastiscope
