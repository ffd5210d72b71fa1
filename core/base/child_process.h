#pragma once
// A child process with pipes.
#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/descriptor.h"

namespace plastiscope {

struct ChildOptions {
  bool takesInput = false;               // its standard input is a pipe instead of empty
  std::vector<std::string> environment;  // "NAME=value", added to this process's
};

// Runs a command in a process group of its own: Ctrl-C in the terminal reaches only this program, which then
// stops the child. If this program dies, the child receives SIGTERM.
class ChildProcess {
 public:
  // ResourceError when it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command, const ChildOptions& options = {});
  ~ChildProcess();  // kills and waits
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Nothing while the child runs, then its exit code, or 128 + signal. look() also reads the pending output.
  std::optional<int> exitCode();
  std::optional<int> look();
  std::vector<std::string> takeErrorLines();  // complete lines of stderr since the last call
  const std::string& output() const { return m_output; }
  // Writes to its input without waiting; returns how many bytes were taken: 0 when it is full or closed.
  std::size_t write(std::span<const std::byte> bytes);
  // This program's ends of the pipes, which do not block.
  int inputDescriptor() const { return m_inputEnd.get(); }
  int outputDescriptor() const { return m_outputEnd.get(); }
  int errorDescriptor() const { return m_errorEnd.get(); }

  void stop();  // SIGTERM
  void kill();  // with the processes of its group

 private:
  pid_t m_child = -1;
  Descriptor m_inputEnd, m_outputEnd, m_errorEnd;
  std::string m_output, m_error;
  std::optional<int> m_exit;
};

}  // namespace plastiscope
