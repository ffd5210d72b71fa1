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

// Everything up to the other end's closing, or nothing when that takes longer than `patience`.
std::optional<std::string> readFully(int fd, std::chrono::seconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::string text;
  std::array<char, 4096> block{};
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return {};
    pollfd wanted{fd, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1000)));
    if (ready <= 0) continue;
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

[[noreturn]] void childMain(int fd, unsigned cpuSeconds, const std::function<std::string()>& work) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) ::signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM})
    ::signal(number, SIG_IGN);  // the parent decides; we are soon done
  const rlimit noCore{0, 0}, processor{cpuSeconds, cpuSeconds};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::setrlimit(RLIMIT_CPU, &processor);
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

}  // namespace

std::optional<std::string> inChildProcess(unsigned cpuSeconds, const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return work();
  pid_t child = -1;
  {
    // No other thread is inside HDF5 while the process is copied.
    const Hdf5Lock lock = hdf5Lock();
    child = ::fork();
    if (child == 0) childMain(ends[1], cpuSeconds, work);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return work();
  }
  std::optional<std::string> text = readFully(ends[0], std::chrono::seconds(30 + 10 * cpuSeconds));
  ::close(ends[0]);
  if (!text) ::kill(child, SIGKILL);
  if (!endedWell(child)) return {};
  return text;
}

unsigned readingSeconds(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::uintmax_t bytes = std::filesystem::file_size(file, ignored);
  return 2 + (ignored ? 0 : static_cast<unsigned>(bytes / 20'000'000));
}

void requireHarmless(const std::filesystem::path& file, const std::function<void()>& reading) {
  const auto answer = inChildProcess(readingSeconds(file), [&]() -> std::string {
    try {
      reading();
    } catch (const std::exception&) {
      return "failed";
    }
    return "done";
  });
  if (!answer) {
    throw InputError({file, "", "", "the file is damaged: reading it would crash or hang the HDF5 library"});
  }
}

}  // namespace plastiscope
