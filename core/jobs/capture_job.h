#pragma once
// A whole capture: model + texts + plan -> one sealed file. Also what --estimate prints.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/capture_part.h"
#include "core/capture/capture_plan.h"
#include "core/text/corpus.h"

namespace plastiscope {

struct CaptureRequest {
  std::string model;             // path or cached name
  CorpusOptions corpus;          // texts, or
  std::filesystem::path tokens;  // a token file
  CapturePlan plan;
  std::filesystem::path clampFrom;  // the analysis that says how the keys of plan.clampBias drift
  std::filesystem::path out;
  int threads = 0;
  std::uint64_t memoryLimit = 0;  // bytes; 0 = 80 % of what is free
  CapturePart part;               // of the examples; the window and the settings are those of all
  bool fresh = false;
  bool storeTexts = true;  // tokens and their words, beside the vectors
  // Seconds of work after which texts that are half done are made durable; none: 20, and more where writing
  // would cost more than 2 % of the time.
  std::optional<double> checkpointSeconds;
};

struct CaptureEstimate {
  std::int64_t examples = 0, tokens = 0, tokensAfterCut = 0, heads = 0, keyHeads = 0;
  double rowsPerHead = 0;  // expected, per kind
  double seconds = 0;      // from a short probe of this computer
  std::uint64_t memoryBytes = 0, memoryLimit = 0, freeDisk = 0;
  std::uint64_t diskBytes = 0, fileBytes = 0;  // at most while it runs; of the finished file
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

}  // namespace plastiscope
