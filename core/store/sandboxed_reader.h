#pragma once
// Inside core/store and its tests: HDF5 can crash or loop on a damaged or crafted file (its variable-length
// texts carry no checksum), so whatever a stranger's file makes it do is tried first by another process with
// limits: plastiscope-cli verify --json. Never by a copy of this one, which may have threads.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope {

// What a process may use.
struct SandboxLimits {
  unsigned cpuSeconds = 2;
  std::uint64_t memoryBytes = 0;  // of address space, beside what the process has already
};
// For reading a file of that size.
SandboxLimits readingLimits(std::uint64_t fileBytes);
// From now on: more processor time ends this process, more memory is std::bad_alloc or an error of HDF5.
void limitThisProcess(const SandboxLimits& limits);

struct SandboxAnswer {
  enum class End { Answered, OutOfMemory, Crashed } end = End::Crashed;
  std::string text;  // what it printed
};

// Program and arguments, run apart from this process group (Ctrl-C does not reach it) until it ends; Crashed
// when that takes longer than `patience`, or it ends in any other way than with code 0 (done) or 4 (memory).
// It is killed, and Stopped thrown, when progress asks for a stop.
SandboxAnswer runInSandbox(const std::vector<std::string>& command, std::chrono::milliseconds patience,
                           const Progress& progress = Progress());

// What plastiscope-cli is to try of a file.
enum class SandboxTask {
  Open,   // what opening the file touches; the answer is what is wrong with it, in one sentence
  Verify  // everything; the answer is the report (verify.h)
};
// Its name on the command line.
const char* nameOf(SandboxTask task);
// Nothing where there is no such program: it is looked for beside the running one, and in the folder bin
// above that. A program that embeds core alone (a fuzzer, say) then reads every file itself, unprotected.
std::optional<SandboxAnswer> tryInSandbox(const std::filesystem::path& file, std::uint64_t fileBytes,
                                          SandboxTask task, const Progress& progress = Progress());

// What is wrong with the file when it is opened there, "" when nothing is; nothing where there is no such
// program. InputError when it cannot be opened without harm.
std::optional<std::string> openInSandbox(const std::filesystem::path& file, std::uint64_t fileBytes);

}  // namespace plastiscope
