#include "core/sweep/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxText = std::size_t{4} << 20;  // kept bytes of a child's output

struct PipeEnds {
  Descriptor read, write;
};

PipeEnds makePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw ResourceError(std::string("a pipe cannot be made: ") + std::strerror(errno));
  PipeEnds made{Descriptor(ends[0]), Descriptor(ends[1])};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return made;
}

// Runs in the forked process, where allocating memory is not allowed.
[[noreturn]] void becomeChild(char* const* arguments, pid_t parent, int output, int error) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  const int input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  ::execv(arguments[0], arguments);
  ::_exit(127);
}

void takeAll(const Descriptor& from, std::string& text) {
  std::array<char, 4096> block{};
  while (true) {
    const ssize_t got = uninterrupted([&] { return ::read(from.get(), block.data(), block.size()); });
    if (got <= 0) return;
    if (text.size() < kMaxText) text.append(block.data(), got);
  }
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  PipeEnds output = makePipe(), error = makePipe();
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t self = ::getpid();
  m_child = ::fork();
  if (m_child < 0) throw ResourceError(command.front() + " cannot be started: " + std::strerror(errno));
  if (m_child == 0) becomeChild(arguments.data(), self, output.write.get(), error.write.get());
  m_outputEnd = std::move(output.read);
  m_errorEnd = std::move(error.read);
}

ChildProcess::~ChildProcess() {
  if (m_exit) return;
  kill();
  uninterrupted([this] { return ::waitpid(m_child, nullptr, 0); });
}

std::optional<int> ChildProcess::look() {
  if (!m_exit) {
    int status = 0;
    const pid_t ended = uninterrupted([&] { return ::waitpid(m_child, &status, WNOHANG); });
    if (ended != 0) m_exit = ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  takeAll(m_outputEnd, m_output);
  takeAll(m_errorEnd, m_error);
  return m_exit;
}

std::vector<std::string> ChildProcess::takeErrorLines() {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = m_error.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(m_error.substr(begin, end - begin));
  m_error.erase(0, begin);
  return lines;
}

void ChildProcess::stop() {
  if (!m_exit) ::kill(m_child, SIGTERM);
}

void ChildProcess::kill() {
  if (!m_exit) ::kill(m_child, SIGKILL);
}

}  // namespace plastiscope
