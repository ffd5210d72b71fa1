#pragma once
// Runs a built program with arguments, input and environment.
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

namespace plastiscope::test {

struct ProgramResult {
  int exitCode = -1;  // 128 + signal when a signal ended it
  std::string out, err;
};

struct ProgramOptions {
  std::string input = {};                     // standard input
  long fileSizeLimit = -1;                    // bytes a file may grow to (stands in for a full disk)
  std::string workingFolder = {};             // "" = this process's
  std::vector<std::string> environment = {};  // "NAME=value", added to this process's
  std::chrono::milliseconds killAfter{-1};    // SIGKILL after that time
  // Called with everything on stderr so far; when it returns true the program gets a signal, once.
  std::function<bool(const std::string& err)> interruptWhen = {};
  int signal = SIGINT;
};

// `program`: a name inside PLASTISCOPE_BIN, or an absolute path.
ProgramResult runProgram(const std::string& program, const std::vector<std::string>& arguments,
                         const ProgramOptions& options = {});

}  // namespace plastiscope::test
