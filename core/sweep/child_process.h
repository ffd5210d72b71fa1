#pragma once
// A child process whose output is collected.
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/descriptor.h"

namespace plastiscope {

// Runs a command without input in a process group of its own: Ctrl-C in the terminal reaches only this
// program, which then stops the child. If this program dies, the child receives SIGTERM.
class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& command);  // ResourceError when it cannot be started
  ~ChildProcess();                                                 // kills and waits
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Reads the pending output. Returns nothing while the child runs, then its exit code, or 128 + signal.
  std::optional<int> look();
  std::vector<std::string> takeErrorLines();  // complete lines of stderr since the last call
  const std::string& output() const { return m_output; }
  int errorDescriptor() const { return m_errorEnd.get(); }  // for poll()

  void stop();  // SIGTERM
  void kill();

 private:
  pid_t m_child = -1;
  Descriptor m_outputEnd, m_errorEnd;
  std::string m_output, m_error;
  std::optional<int> m_exit;
};

}  // namespace plastiscope
