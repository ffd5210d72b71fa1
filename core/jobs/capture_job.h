#pragma once
// A whole capture: model + texts + plan -> one sealed file. Also what --estimate prints, and a look at what
// is finished.
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
  std::uint64_t cardBytes = 0;  // of a card's memory; 0 on a processor
  std::optional<std::uint64_t> cardFree;
  std::uint64_t diskBytes = 0, fileBytes = 0;  // at most while it runs; of the finished file
  std::int64_t denseHeads = 0;                 // kept at every position
  std::uint64_t denseBytes = 0;                // of the finished file, for these
  bool fits = true;
  std::string advice;   // what to change when it does not fit; else ""
  std::string caution;  // what will be missing from analyses or was never trained; else ""
  JsonValue settings;   // as resolved
  Json toJson() const;
};

CaptureEstimate estimateCapture(const CaptureRequest& request, Progress& progress);
enum class CaptureOutcome { Captured, WasFinished };
// Resumes unfinished work of the same output and settings, and leaves a finished file of the same settings as
// it is; UsageError naming the differing settings otherwise. Stopped, ResourceError and InputError leave
// finished units in place.
CaptureOutcome runCapture(const CaptureRequest& request, Progress& progress);

// The finished examples of a capture that runs, or was interrupted, as a capture file of their own.
struct CaptureSnapshot {
  std::int64_t examples = 0, total = 0;  // in the file; of the whole capture
};

// Reads the work folder of request.out, which it leaves as it is, and writes `file`; its settings say
// "partial_of". `request` as the capture was started. UsageError when the work was begun with other settings,
// InputError when nothing is finished yet.
CaptureSnapshot snapshotCapture(const CaptureRequest& request, const std::filesystem::path& file,
                                Progress& progress);

}  // namespace plastiscope
