#pragma once
// Runs a capture: model + texts + plan -> one sealed file. Also estimates one, and writes a snapshot of
// finished examples.
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/capture/capture_request.h"

namespace plastiscope {

struct CaptureEstimate {
  std::int64_t examples = 0, tokens = 0, tokensAfterCut = 0, heads = 0, keyHeads = 0;
  double rowsPerHead = 0;  // expected, per kind
  double seconds = 0;      // from a short probe of this computer
  std::uint64_t memoryBytes = 0, memoryLimit = 0, freeDisk = 0;
  std::uint64_t cardBytes = 0;  // GPU memory; 0 on a CPU
  std::optional<std::uint64_t> cardFree;
  std::uint64_t diskBytes = 0, fileBytes = 0;  // at most during the run; size of the finished file
  std::int64_t denseHeads = 0;                 // captured at every position
  std::uint64_t denseBytes = 0;                // in the finished file, for these heads
  bool fits = true;
  std::string advice;   // what to change if it does not fit; else ""
  std::string caution;  // about too few rows or positions beyond training; else ""
  JsonValue settings;   // as resolved
  Json toJson() const;
};

CaptureEstimate estimateCapture(const CaptureRequest& request, Progress& progress);
enum class CaptureOutcome { Captured, WasFinished };
// Resumes unfinished work of the same output and settings; does nothing if the finished file has the same
// settings; UsageError naming the differences otherwise. Stopped, ResourceError and InputError keep finished
// units.
CaptureOutcome runCapture(const CaptureRequest& request, Progress& progress);

// Snapshot of a running or interrupted capture: its finished examples as a capture file.
struct CaptureSnapshot {
  std::int64_t examples = 0, total = 0;  // in the file; in the whole capture
};

// Reads the work folder of request.out without changing it and writes `file`, whose settings have
// "partial_of". `request`: as the capture was started. UsageError if the work was begun with other settings,
// InputError if nothing is finished yet.
CaptureSnapshot snapshotCapture(const CaptureRequest& request, const std::filesystem::path& file,
                                Progress& progress);

}  // namespace plastiscope
