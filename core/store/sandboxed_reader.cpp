#include "core/store/sandboxed_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/platform.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

using Clock = std::chrono::steady_clock;

// Settings to start a program without input, whose output goes to `output`.
class SpawnSettings {
 public:
  explicit SpawnSettings(int output) {
    posix_spawn_file_actions_init(&m_actions);
    posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&m_actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&m_actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&m_attributes);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int number : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM}) sigaddset(&usual, number);
    posix_spawnattr_setsigmask(&m_attributes, &none);
    posix_spawnattr_setsigdefault(&m_attributes, &usual);
    posix_spawnattr_setpgroup(&m_attributes, 0);
    posix_spawnattr_setflags(&m_attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&m_attributes);
    posix_spawn_file_actions_destroy(&m_actions);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  // Starts the command; -1 if that fails.
  pid_t start(const std::vector<std::string>& command) const {
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t child = -1;
    const int error = posix_spawn(&child, arguments[0], &m_actions, &m_attributes, arguments.data(), environ);
    return error == 0 ? child : -1;
  }

 private:
  posix_spawn_file_actions_t m_actions{};
  posix_spawnattr_t m_attributes{};
};

constexpr int kStopMilliseconds = 20;  // between checks for a requested stop

constexpr std::chrono::milliseconds kMaxWait{100};

// Reads until the other end closes; nothing if that takes longer than `patience` or a stop is requested. A
// wait longer than kMaxWait counts as kMaxWait, because this process may have been suspended.
std::optional<std::string> readWithin(int fd, Clock::duration patience, const Progress& progress) {
  std::string text;
  std::array<char, 4096> block{};
  auto begin = Clock::now();
  while (patience.count() > 0 && !progress.stopRequested()) {
    pollfd wanted{fd, POLLIN, 0};
    const bool isThere = ::poll(&wanted, 1, kStopMilliseconds) > 0;
    const auto end = Clock::now();
    patience -= std::min<Clock::duration>(end - std::exchange(begin, end), kMaxWait);
    if (!isThere) continue;
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), got);
  }
  return {};
}

SandboxAnswer::End endOf(pid_t child, bool answered) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    // The exit status was collected elsewhere; its output is still valid.
    return answered ? SandboxAnswer::End::Answered : SandboxAnswer::End::Crashed;
  }
  if (!WIFEXITED(status)) return SandboxAnswer::End::Crashed;
  if (WEXITSTATUS(status) == static_cast<int>(ErrorKind::Resources)) return SandboxAnswer::End::OutOfMemory;
  return WEXITSTATUS(status) == 0 ? SandboxAnswer::End::Answered : SandboxAnswer::End::Crashed;
}

// Path of plastiscope-cli; empty if it is not found.
fs::path inspectingProgram() {
  const fs::path folder = ownProgram().parent_path();
  for (const char* place : {".", "../bin", "../../bin"}) {
    fs::path program = (folder / place / "plastiscope-cli").lexically_normal();
    if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

}  // namespace

// Short texts need many times their stored bytes in memory; compressed files more (hdf5_storage.cpp).
SandboxLimits readingLimits(std::uint64_t fileBytes) {
  return {2 + static_cast<unsigned>(fileBytes / 20'000'000), 256'000'000 + 24 * fileBytes};
}

void limitThisProcess(const SandboxLimits& limits) {
  const rlimit noCore{0, 0}, processor{limits.cpuSeconds, limits.cpuSeconds};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::setrlimit(RLIMIT_CPU, &processor);
  const unsigned long long now = addressSpaceBytes();
  rlimit memory{};
  if (now == 0 || ::getrlimit(RLIMIT_AS, &memory) != 0) return;
  memory.rlim_cur = std::min<std::uint64_t>(memory.rlim_cur, now + limits.memoryBytes);
  ::setrlimit(RLIMIT_AS, &memory);
}

SandboxAnswer runInSandbox(const std::vector<std::string>& command, std::chrono::milliseconds patience,
                           const Progress& progress) {
  std::array<int, 2> ends{};
  if (makePipe(ends.data()) != 0) throw ResourceError("no pipe to " + command.front() + " can be made");
  const Descriptor in(ends[0]);
  Descriptor out(ends[1]);
  const pid_t child = SpawnSettings(out.get()).start(command);
  out.close();
  if (child < 0) throw ResourceError(command.front() + " cannot be started");
  const std::optional<std::string> text = readWithin(in.get(), patience, progress);
  if (!text) ::kill(child, SIGKILL);
  const SandboxAnswer::End end = endOf(child, text && !text->empty());
  if (!text) progress.throwIfStopped();
  return {text ? end : SandboxAnswer::End::Crashed, text.value_or("")};
}

const char* nameOf(SandboxTask task) {
  return task == SandboxTask::Open ? "open" : "verify";
}

std::optional<SandboxAnswer> tryInSandbox(const fs::path& file, std::uint64_t fileBytes, SandboxTask task,
                                          const Progress& progress) {
  const fs::path program = inspectingProgram();
  if (program.empty()) return {};
  const std::chrono::seconds patience(30 + 10 * readingLimits(fileBytes).cpuSeconds);
  return runInSandbox({program.string(), "verify", "--json", "--sandbox", nameOf(task), "--", file.string()},
                      patience, progress);
}

std::optional<std::string> openInSandbox(const fs::path& file, std::uint64_t fileBytes) {
  const std::optional<SandboxAnswer> answer = tryInSandbox(file, fileBytes, SandboxTask::Open);
  if (!answer) return {};
  if (answer->end == SandboxAnswer::End::Answered) return answer->text.substr(0, answer->text.rfind('\n'));
  throw InputError(
      {file, "", "",
       answer->end == SandboxAnswer::End::OutOfMemory
           ? "reading it takes more than " + byteText(readingLimits(fileBytes).memoryBytes) + " of memory"
           : "the file is damaged: reading it would crash or hang the HDF5 library"});
}

}  // namespace plastiscope
