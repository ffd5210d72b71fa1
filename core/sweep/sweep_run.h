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
  bool fresh = false;             // do again what is done
};

// Missing: not begun, or stopped. Again: its files are there, and stay until new ones take their place.
enum class RunState { Missing, Unfinished, Again, Done, WasDone, Failed };
struct RunOutcome {
  RunState state = RunState::Missing;
  ErrorKind kind = ErrorKind::Internal;  // of Failed
  std::string sentence;                  // of Failed
  JsonValue estimate;                    // CaptureEstimate::toJson(), of estimateRuns()
};

// Captures and analyses what is not done; one outcome a run. A run that another process works on is waited
// for, and taken over should that process die. A run that fails is told to `progress`, and the others go on.
// With `fresh` all runs are to be done again, by this call and, should it be stopped, by a later one without
// `fresh`. Stopped, after all processes have ended and kept what they had; InputError, ResourceError when the
// library cannot be written; InputError for `fresh` while another process works on one of the runs.
std::vector<RunOutcome> doRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                               Progress& progress);

// What is there, and what `capture --estimate` says of the rest. Nothing is written. Stopped.
std::vector<RunOutcome> estimateRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                                     Progress& progress);

}  // namespace plastiscope
