#pragma once
// Executes the runs of a sweep in child processes, several at a time.
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
  int processes = 1;              // at most, at the same time
  int threads = 0;                // for all processes together; 0 = all cores
  bool fresh = false;             // repeat finished runs
};

// Missing: not begun, or stopped. Again: finished files exist and are kept until new ones replace them.
enum class RunState { Missing, Unfinished, Again, Done, WasDone, Failed };
struct RunOutcome {
  RunState state = RunState::Missing;
  ErrorKind kind = ErrorKind::Internal;  // of Failed
  std::string sentence;                  // of Failed
  JsonValue estimate;                    // CaptureEstimate::toJson(), from estimateRuns()
};

// Executes all unfinished runs and returns one outcome per run. Waits for a run that another process works
// on, and takes it over if that process dies. A failed run is reported to `progress`; the others go on.
// `fresh` marks all runs to be done again, also for later calls without it if this one is stopped. Stopped,
// after all processes have ended and saved their work; InputError or ResourceError if the library cannot be
// written; InputError for `fresh` while another process works on one of the runs.
std::vector<RunOutcome> doRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                               Progress& progress);

// States of the runs, with the output of `capture --estimate` for the missing ones. Writes nothing. Stopped.
std::vector<RunOutcome> estimateRuns(const std::vector<SweepRun>& runs, const SweepOptions& options,
                                     Progress& progress);

}  // namespace plastiscope
