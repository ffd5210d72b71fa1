#include "core/base/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/error.h"
#include "core/base/platform.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxText = std::size_t{4} << 20;  // kept bytes of a child's output

struct PipeEnds {
  Descriptor read, write;
};

PipeEnds makeOutput() {
  std::array<int, 2> ends{};
  if (makePipe(ends.data()) != 0)
    throw ResourceError(std::string("a pipe cannot be made: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// A socket, because writing to one whose reader is gone raises no signal if asked so.
PipeEnds makeInput() {
  std::array<int, 2> ends{};
  if (makeSocketPair(ends.data()) != 0)
    throw ResourceError(std::string("a socket cannot be made: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void dontBlock(const Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, O_NONBLOCK);
}

// This process's environment with `added` instead of variables of the same name.
std::vector<char*> environmentWith(const std::vector<std::string>& added) {
  std::vector<char*> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view inherited = *each;
    const std::string_view name = inherited.substr(0, inherited.find('=') + 1);
    if (std::ranges::none_of(added, [&](const std::string& own) { return own.starts_with(name); }))
      all.push_back(*each);
  }
  for (const std::string& own : added) all.push_back(const_cast<char*>(own.c_str()));
  all.push_back(nullptr);
  return all;
}

// Runs in the forked process, where allocating memory is not allowed.
[[noreturn]] void becomeChild(char* const* arguments, char* const* environment, pid_t parent, int input,
                              int output, int error) {
  ::setpgid(0, 0);
  endWithParent();
  if (::getppid() != parent) ::_exit(1);
  if (input < 0) input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  ::execve(arguments[0], arguments, environment);
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

ChildProcess::ChildProcess(const std::vector<std::string>& command, const ChildOptions& options) {
  PipeEnds input, output = makeOutput(), error = makeOutput();
  if (options.takesInput) input = makeInput();
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const std::vector<char*> environment = environmentWith(options.environment);
  const pid_t self = ::getpid();
  m_child = ::fork();
  if (m_child < 0) throw ResourceError(command.front() + " cannot be started: " + std::strerror(errno));
  if (m_child == 0)
    becomeChild(arguments.data(), environment.data(), self, input.read.get(), output.write.get(),
                error.write.get());
  ::setpgid(m_child, m_child);  // the child does the same; whoever is first
  m_inputEnd = std::move(input.write);
  m_outputEnd = std::move(output.read);
  m_errorEnd = std::move(error.read);
  for (const Descriptor* end : {&m_inputEnd, &m_outputEnd, &m_errorEnd}) dontBlock(*end);
}

ChildProcess::~ChildProcess() {
  if (m_exit) return;
  kill();
  uninterrupted([this] { return ::waitpid(m_child, nullptr, 0); });
}

std::size_t ChildProcess::write(std::span<const std::byte> bytes) {
  const ssize_t taken = uninterrupted([&] { return sendQuietly(m_inputEnd.get(), bytes); });
  return taken > 0 ? static_cast<std::size_t>(taken) : 0;
}

std::optional<int> ChildProcess::exitCode() {
  if (m_exit) return m_exit;
  int status = 0;
  const pid_t ended = uninterrupted([&] { return ::waitpid(m_child, &status, WNOHANG); });
  if (ended != 0) m_exit = ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return m_exit;
}

std::optional<int> ChildProcess::look() {
  exitCode();
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
  if (!m_exit) ::kill(-m_child, SIGKILL);
}

}  // namespace plastiscope
