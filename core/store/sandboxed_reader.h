#pragma once
// Inside core/store and its tests: opens files in another process with resource limits (plastiscope-cli
// verify --json) first, because HDF5 can crash or loop on a damaged or crafted file (its variable-length
// texts have no checksum). Never forks this process, which may have threads.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope {

// Resource limits of a process.
struct SandboxLimits {
  unsigned cpuSeconds = 2;
  std::uint64_t memoryBytes = 0;  // of address space, in addition to the current use
};
// Limits for reading a file of that size.
SandboxLimits readingLimits(std::uint64_t fileBytes);
// Limits this process: more processor time ends it, more memory is std::bad_alloc or an error of HDF5.
void limitThisProcess(const SandboxLimits& limits);

struct SandboxAnswer {
  enum class End { Answered, OutOfMemory, Crashed } end = End::Crashed;
  std::string text;  // output of the process
};

// Runs program and arguments in a process group of its own (not reached by Ctrl-C) until it ends. Crashed if
// that takes longer than `patience` or the exit code is neither 0 (done) nor 4 (memory). Kills it and throws
// Stopped if progress asks for a stop.
SandboxAnswer runInSandbox(const std::vector<std::string>& command, std::chrono::milliseconds patience,
                           const Progress& progress = Progress());

// Task of the sandboxed plastiscope-cli.
enum class SandboxTask {
  Open,   // reads what opening the file reads; answers with an error message or ""
  Verify  // reads everything; answers with the report (verify.h)
};
// Name of the task on the command line.
const char* nameOf(SandboxTask task);
// Runs the task; nothing if plastiscope-cli is found neither next to the running program nor in the folder
// bin above that. A program that embeds only core (a fuzzer, say) then reads every file itself, unprotected.
std::optional<SandboxAnswer> tryInSandbox(const std::filesystem::path& file, std::uint64_t fileBytes,
                                          SandboxTask task, const Progress& progress = Progress());

// Error message of opening the file in the sandbox, "" if there is none; nothing without that program.
// InputError if it crashes or exceeds the limits.
std::optional<std::string> openInSandbox(const std::filesystem::path& file, std::uint64_t fileBytes);

}  // namespace plastiscope
