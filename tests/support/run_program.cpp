#include "tests/support/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace plastiscope::test {

namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    closeRead();
    closeWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void closeRead() { closeEnd(read); }
  void closeWrite() { closeEnd(write); }
  static void closeEnd(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

[[noreturn]] void becomeProgram(const std::string& path, const std::vector<std::string>& arguments,
                                const ProgramOptions& options, const Pipe& in, const Pipe& out,
                                const Pipe& err) {
  ::dup2(in.read, STDIN_FILENO);
  ::dup2(out.write, STDOUT_FILENO);
  ::dup2(err.write, STDERR_FILENO);
  if (!options.workingFolder.empty() && ::chdir(options.workingFolder.c_str()) != 0) ::_exit(126);
  for (const std::string& variable : options.environment) ::putenv(const_cast<char*>(variable.c_str()));
  if (options.fileSizeLimit >= 0) {
    const rlimit limit{static_cast<rlim_t>(options.fileSizeLimit),
                       static_cast<rlim_t>(options.fileSizeLimit)};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(path.c_str(), argv.data());
  ::_exit(127);
}

// Appends available bytes; false at the end of the stream.
bool drain(int fd, std::string& text) {
  std::array<char, 4096> block{};
  const ssize_t got = ::read(fd, block.data(), block.size());
  if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

ProgramResult runProgram(const std::string& program, const std::vector<std::string>& arguments,
                         const ProgramOptions& options) {
  const std::string path = (std::filesystem::path(PLASTISCOPE_BIN) / program).string();
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in, out, err;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) becomeProgram(path, arguments, options, in, out, err);
  in.closeRead();
  out.closeWrite();
  err.closeWrite();
  if (!options.input.empty() && ::write(in.write, options.input.data(), options.input.size()) < 0)
    in.closeWrite();
  in.closeWrite();

  ProgramResult result;
  const auto start = std::chrono::steady_clock::now();
  bool interrupted = false, killed = options.killAfter.count() < 0;
  std::array<pollfd, 2> streams{pollfd{out.read, POLLIN, 0}, pollfd{err.read, POLLIN, 0}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    const auto left = killed ? 1000 : std::clamp<std::int64_t>((options.killAfter - passed).count(), 0, 1000);
    ::poll(streams.data(), streams.size(), static_cast<int>(left));
    if (!killed && passed >= options.killAfter) {
      ::kill(child, SIGKILL);
      killed = true;
    }
    if (streams[0].revents != 0 && !drain(out.read, result.out)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !drain(err.read, result.err)) streams[1].fd = -1;
    if (!interrupted && options.interruptWhen && options.interruptWhen(result.err)) {
      ::kill(child, options.signal);
      interrupted = true;
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace plastiscope::test
