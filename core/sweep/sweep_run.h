#pragma once
// Runs of a sweep, each as processes of its own, several side by side.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_value.h"
#include "core/base/progress.h"
#include "core/sweep/sweep_file.h"

namespace plastiscope {

struct SweepOptions {
  std::filesystem::path program;  // plastiscope-cli
  int processes = 1;              // at most, at a time
  int threads = 0;                // of all of them; 0 = all cores
};

// Missing: not begun, or stopped.
enum class RunState { Missing, Unfinished, Done, WasDone, Failed };
struct RunOutcome {
  RunState state = RunState::Missing;
  ErrorKind kind = ErrorKind::Internal;  // of Failed
  std::string sentence;                  // of Failed
  JsonValue estimate;                    // CaptureEstimate::toJson(), of estimateRuns()
};

// Captures and analyses what is not done; one outcome a run. A run that another process works on is waited
// for, and taken over should that process die. A run that fails is told to `progress`, and the others go on.
// Stopped, after all processes have ended and kept what they had; InputError, ResourceError when the library
// cannot be written.
std::vector<RunOutcome> doRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                               Progress& progress);

// What is there, and what `capture --estimate` says of the rest. Nothing is written. Stopped.
std::vector<RunOutcome> estimateRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                                     Progress& progress);

}  // namespace plastiscope
