#include "sweeps/window_watch.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <ranges>

namespace plastiscope::sweep {
namespace {

constexpr int kMaxFrames = 60;
constexpr double kMebibyte = 1024.0 * 1024.0;

// Written by the watched thread on a signal, read by the watcher.
std::array<void*, kMaxFrames> frames;
std::atomic<int> frameCount = 0;

void takeStack(int) {
  frameCount = ::backtrace(frames.data(), kMaxFrames);
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

// Plastiscope's functions of a stack, outermost last; Qt's if there are none.
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
  takeStack(0);  // loads libraries for later calls
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
  const double length = now() - m_last, waitedNow = waited();
  const double own = length - std::max(0.0, waitedNow - m_lastWaited);
  m_gaps.push_back(static_cast<float>(length));
  m_own.push_back(static_cast<float>(own));
  if (own > kLong) noteLong(length, own);
  frameCount = 0;
  m_last = now();
  m_lastWaited = waitedNow;
}

void WindowWatch::noteLong(double length, double own) {
  std::vector<std::string> stack;  // innermost first; from the middle of the gap
  for (int i = 2; i < frameCount; ++i) stack.push_back(nameOf(frames[static_cast<std::size_t>(i)]));
  Place& place = m_long[shortStack(stack, 3)];
  ++place.count;
  place.own = std::max(place.own, own);
  if (length < place.longest) return;
  place.longest = length;
  place.stack = shortStack(stack, 14);
  place.doing = m_doing;
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
  std::vector<Place> sorted;
  for (const auto& [name, place] : m_long) sorted.push_back(place);
  std::ranges::sort(sorted, std::greater(), [](const Place& place) { return place.count * place.own; });
  if (!sorted.empty()) std::printf("\nlong gaps by place: times, longest ms (own), stack, what was done\n");
  for (const Place& place : sorted | std::views::take(places))
    std::printf("%4d %7.0f (%5.0f)  %s\n                      %s\n", place.count, place.longest, place.own,
                place.stack.c_str(), qPrintable(place.doing));
}

void writeStack(int descriptor) {
  std::array<void*, kMaxFrames> found;
  ::backtrace_symbols_fd(found.data(), ::backtrace(found.data(), kMaxFrames), descriptor);
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
