#include "sweeps/window_watch.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace plastiscope::sweep {
namespace {

constexpr int kMostFrames = 60;
constexpr double kMebibyte = 1024.0 * 1024.0;

// Written by the watched thread when it is asked, read by the watcher.
std::array<void*, kMostFrames> frames;
std::atomic<int> frameCount = 0;

void takeStack(int) {
  frameCount = ::backtrace(frames.data(), kMostFrames);
}

std::string nameOf(void* address) {
  Dl_info info;
  if (::dladdr(address, &info) == 0) return "?";
  if (info.dli_sname == nullptr) {
    const std::string file = info.dli_fname;
    return file.substr(file.find_last_of('/') + 1);
  }
  int failed = 0;
  char* plain = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &failed);
  std::string name = failed == 0 ? plain : info.dli_sname;
  std::free(plain);
  return name.substr(0, name.find('('));
}

float share(std::vector<float> values, double part) {
  if (values.empty()) return 0;
  const auto place =
      std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
  return values[place];
}

void row(const char* what, const std::vector<float>& gaps) {
  const auto longer = [&](float limit) {
    return std::ranges::count_if(gaps, [&](float gap) { return gap > limit; });
  };
  std::printf("%-46s %9zu %8.1f %8.1f %8.1f %8.1f %7td %7td\n", what, gaps.size(), share(gaps, 0.5),
              share(gaps, 0.99), share(gaps, 0.999), share(gaps, 1), longer(16), longer(50));
}

// Our own functions of a stack, outermost last; Qt's where there is none of ours.
std::string shortStack(const std::vector<std::string>& stack, std::size_t most) {
  std::string text;
  std::size_t taken = 0;
  for (const std::string& name : stack) {
    if (taken == most) break;
    if (name.starts_with("plastiscope::test") || name.starts_with("plastiscope::sweep")) break;
    if (taken > 2 && !name.starts_with("plastiscope::") && !name.starts_with("QCP") &&
        !name.starts_with("QCustomPlot"))
      continue;
    text += (taken++ == 0 ? "" : " < ") + name;
  }
  return text;
}

}  // namespace

WindowWatch::WindowWatch() {
  m_gaps.reserve(1 << 20);
  m_own.reserve(1 << 20);
  m_statistics =
      ::open(("/proc/self/task/" + std::to_string(::gettid()) + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC);
  takeStack(0);  // loads what it needs
  struct sigaction action = {};
  action.sa_handler = takeStack;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR1, &action, nullptr);
  m_clock.start();
  m_timer.setTimerType(Qt::PreciseTimer);
  m_timer.setInterval(static_cast<int>(kBeat));
  QObject::connect(&m_timer, &QTimer::timeout, [this] { beat(); });
  m_watcher = std::thread([this, watched = ::pthread_self()] {
    while (!m_over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      const double last = m_last;
      if (!m_measuring || now() - last < kLong * 0.7 || frameCount != 0) continue;
      ::pthread_kill(watched, SIGUSR1);
    }
  });
  goOn();
}

WindowWatch::~WindowWatch() {
  m_over = true;
  m_watcher.join();
  ::close(m_statistics);
}

void WindowWatch::pause() {
  m_timer.stop();
  m_measuring = false;
}

void WindowWatch::goOn() {
  m_last = now();
  m_lastWaited = waited();
  frameCount = 0;
  m_measuring = true;
  m_timer.start();
}

void WindowWatch::beat() {
  Gap gap{now() - m_last, 0, {}, {}};
  const double waitedNow = waited();
  gap.waited = std::max(0.0, waitedNow - m_lastWaited);
  m_gaps.push_back(static_cast<float>(gap.length));
  m_own.push_back(static_cast<float>(gap.own()));
  if (gap.length > kLong) {
    gap.doing = m_doing;
    for (int i = 2; i < frameCount; ++i) gap.stack.push_back(nameOf(frames[static_cast<std::size_t>(i)]));
    m_long.push_back(std::move(gap));
  }
  frameCount = 0;
  m_last = now();
  m_lastWaited = waitedNow;
}

// "TIME-ON-CPU TIME-WAITING SLICES", nanoseconds.
double WindowWatch::waited() const {
  char text[96] = {};
  if (::pread(m_statistics, text, sizeof text - 1, 0) <= 0) return 0;
  char* end = nullptr;
  std::strtoull(text, &end, 10);
  return static_cast<double>(std::strtoull(end, nullptr, 10)) / 1e6;
}

void WindowWatch::print(std::size_t places) const {
  std::printf("\n%-46s %9s %8s %8s %8s %8s %7s %7s\n", "event loop, ms between two beats (of 5)", "beats",
              "median", "p99", "p99.9", "longest", "> 16", "> 50");
  row("as seen", m_gaps);
  row("without waiting for a processor", m_own);
  // Gaps of one place together, those that take most in front.
  struct Place {
    int count = 0;
    double longest = 0, own = 0;
    const Gap* example = nullptr;
  };
  std::map<std::string, Place> found;
  for (const Gap& gap : m_long) {
    if (gap.own() < kLong) continue;
    Place& place = found[shortStack(gap.stack, 3)];
    ++place.count;
    place.own = std::max(place.own, gap.own());
    if (gap.length < place.longest && place.example != nullptr) continue;
    place.longest = gap.length;
    place.example = &gap;
  }
  std::vector<Place> sorted;
  for (const auto& [name, place] : found) sorted.push_back(place);
  std::ranges::sort(sorted, std::greater(), [](const Place& place) { return place.count * place.own; });
  if (!sorted.empty()) std::printf("\nlong gaps by place: times, longest ms (own), stack, what was done\n");
  for (std::size_t i = 0; i < std::min(places, sorted.size()); ++i)
    std::printf("%4d %7.0f (%5.0f)  %s\n                      %s\n", sorted[i].count, sorted[i].longest,
                sorted[i].own, shortStack(sorted[i].example->stack, 14).c_str(),
                qPrintable(sorted[i].example->doing));
}

void writeStack(int descriptor) {
  std::array<void*, kMostFrames> found;
  ::backtrace_symbols_fd(found.data(), ::backtrace(found.data(), kMostFrames), descriptor);
}

double residentMegabytes(const char* kind) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(kind)) return std::strtod(line.c_str() + std::strlen(kind) + 1, nullptr) / 1024;
  }
  return 0;
}

double allocatedMegabytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / kMebibyte;
}

}  // namespace plastiscope::sweep
