#pragma once
// A program that runs beside this one, and what it says.
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/descriptor.h"

namespace plastiscope {

// It has no input, and a group of its own: a Ctrl-C in the terminal reaches this program alone, which stops
// it then. Should this program die, the child is asked to stop.
class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& command);  // ResourceError when it cannot be started
  ~ChildProcess();                                                 // kills and waits
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Takes what it has printed. Nothing while it runs, then its exit code: 128 + signal when one ended it.
  std::optional<int> look();
  std::vector<std::string> takeErrorLines();  // whole lines of its stderr since the last time
  const std::string& output() const { return m_output; }
  int errorDescriptor() const { return m_errorEnd.get(); }  // to wait for

  void stop();  // SIGTERM
  void kill();

 private:
  pid_t m_child = -1;
  Descriptor m_outputEnd, m_errorEnd;
  std::string m_output, m_error;
  std::optional<int> m_exit;
};

}  // namespace plastiscope
