#include "core/store/trial_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <new>
#include <sstream>
#include <vector>

#include "core/base/error.h"
#include "core/store/hdf5_handle.h"

namespace plastiscope {

namespace {

constexpr int kDone = 0, kFailed = 1;

void writeFully(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

// Watches whether a child still gets on. A copy of a process with threads can wait for ever for a lock that a
// thread held which was not copied; such a child sleeps and uses no processor time.
class Pulse {
 public:
  explicit Pulse(pid_t child) : m_stat("/proc/" + std::to_string(child) + "/stat") {}
  // Asked about once a second: true when the child slept through the last two.
  bool stopped() {
    std::ifstream file(m_stat);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 2)));
    std::vector<std::string> values{std::istream_iterator<std::string>(fields), {}};
    if (values.size() < 13) return false;
    const std::string now = values[11] + " " + values[12];  // user and system time, in ticks
    m_quiet = values[0] == "S" && now == m_before ? m_quiet + 1 : 0;
    m_before = now;
    return m_quiet >= 2;
  }

 private:
  std::string m_stat, m_before;
  int m_quiet = 0;
};

struct Answer {
  std::optional<std::string> text;  // nothing: no answer in time
  bool asleep = false;              // the child waited for nothing
};

// Everything up to the other end's closing, or nothing when that takes longer than `patience`.
Answer readFully(int fd, pid_t child, std::chrono::seconds patience) {
  Pulse pulse(child);
  const auto end = std::chrono::steady_clock::now() + patience;
  std::string text;
  std::array<char, 4096> block{};
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return {};
    pollfd wanted{fd, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1000)));
    if (ready == 0 && pulse.stopped()) return {{}, true};
    if (ready <= 0) continue;
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {text, false};
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

std::uint64_t addressSpace() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limitMemory(std::uint64_t more) {
  const std::uint64_t now = addressSpace();
  rlimit limit{};
  if (now == 0 || ::getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min<std::uint64_t>(limit.rlim_cur, now + more);
  ::setrlimit(RLIMIT_AS, &limit);
}

[[noreturn]] void childMain(int fd, const ChildLimits& limits, const std::function<std::string()>& work) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) ::signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM})
    ::signal(number, SIG_IGN);  // the parent decides; we are soon done
  const rlimit noCore{0, 0}, processor{limits.cpuSeconds, limits.cpuSeconds};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::setrlimit(RLIMIT_CPU, &processor);
  limitMemory(limits.memoryBytes);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);  // the last words of a library that crashes
  hdf5FreshLockInChild();
  try {
    writeFully(fd, work());
  } catch (...) {
    ::_exit(kFailed);
  }
  ::_exit(kDone);
}

bool endedWell(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return true;  // someone else took the answer; the text it wrote stands
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == kDone;
}

Answer tryInChild(const ChildLimits& limits, const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {work(), false};
  pid_t child = -1;
  {
    // No other thread is inside HDF5 while the process is copied.
    const Hdf5Lock lock = hdf5Lock();
    child = ::fork();
    if (child == 0) childMain(ends[1], limits, work);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return {work(), false};
  }
  Answer answer = readFully(ends[0], child, std::chrono::seconds(30 + 10 * limits.cpuSeconds));
  ::close(ends[0]);
  if (!answer.text) ::kill(child, SIGKILL);
  if (!endedWell(child)) answer.text.reset();
  return answer;
}

}  // namespace

std::optional<std::string> inChildProcess(const ChildLimits& limits,
                                          const std::function<std::string()>& work) {
  constexpr int kAttempts = 4;
  for (int attempt = 1;; ++attempt) {
    const Answer answer = tryInChild(limits, work);
    if (!answer.asleep || attempt == kAttempts) return answer.text;
  }
}

// A table of short texts takes many times its stored bytes; a packed file more (hdf5_storage.cpp).
ChildLimits readingLimits(const std::filesystem::path& file) {
  std::error_code code;
  const std::uintmax_t size = std::filesystem::file_size(file, code);
  const std::uint64_t bytes = code ? 0 : size;
  return {2 + static_cast<unsigned>(bytes / 20'000'000), 256'000'000 + 24 * bytes};
}

void requireHarmless(const std::filesystem::path& file, const std::function<void()>& reading) {
  const ChildLimits limits = readingLimits(file);
  const std::string tooMuch = "reading it takes more than " + byteText(limits.memoryBytes) + " of memory";
  const auto answer = inChildProcess(limits, [&]() -> std::string {
    try {
      reading();
    } catch (const InputError& error) {
      return error.what();
    } catch (const std::bad_alloc&) {
      return file.string() + ": " + tooMuch;
    } catch (const std::exception&) {
      // not about the file: whoever reads it here meets it again
    }
    return "";
  });
  if (!answer)
    throw InputError({file, "", "", "the file is damaged: reading it would crash or hang the HDF5 library"});
  if (!answer->empty()) throw InputError(*answer);
}

}  // namespace plastiscope
