#pragma once
// Computes an analysis: capture -> tables, in parallel over heads, with the same bytes for any number of
// threads.

#include "core/analysis/settings.h"
#include "core/base/progress.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Refuse: InputError for the first head whose rows cannot be read. LeaveOut: skips such heads and names them
// in the warnings, unless no head can be read.
enum class DamagedHeads { Refuse, LeaveOut };

struct AnalyzeOptions {
  // An analysis of the same capture with other settings, or null. Stages that do not depend on the
  // differences are taken from it; the result is byte for byte the same as without it.
  const AnalysisFile* earlier = nullptr;
  DamagedHeads damaged = DamagedHeads::Refuse;
};

// Holds at most `threads` KV heads with one of their query heads each in memory (0 = all cores). A bootstrap
// of R resamples adds 8 R head_dim (head_dim + 5) bytes and about 100 MiB to each of them, and 500 R bytes
// per head for the samples of the means over heads. UsageError for heads or layers that were not captured,
// InputError for rows outside the window, Stopped.
AnalysisFile analyzeCapture(const CaptureFile& capture, const AnalysisSettings& settings, int threads,
                            Progress& progress, const AnalyzeOptions& options = {});

}  // namespace plastiscope
