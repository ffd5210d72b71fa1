#pragma once
// A whole analysis: capture -> tables, in parallel over heads, the same bytes for any number of threads.
#include <memory>

#include "core/analysis/settings.h"
#include "core/base/progress.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Refuse: InputError for the first head whose rows cannot be read. LeaveOut: such heads are left out and
// named in the warnings, unless none can be read.
enum class DamagedHeads { Refuse, LeaveOut };

struct AnalyzeOptions {
  // An analysis of the same capture with other settings, or null: what those do not change is taken from it,
  // and the result is the same to the byte as without it.
  const AnalysisFile* earlier = nullptr;
  DamagedHeads damaged = DamagedHeads::Refuse;
};

// At most `threads` KV heads with one of their query heads each are in memory at a time (0 = all cores). A
// bootstrap of R resamples adds, to each of them, 8 R head_dim (head_dim + 5) bytes and about 100 MiB, and
// 500 R bytes a head for the samples that the means over heads are made of. UsageError for heads or layers
// that were not captured, InputError for rows outside the window, Stopped.
AnalysisFile analyzeCapture(const CaptureFile& capture, const AnalysisSettings& settings, int threads,
                            Progress& progress, const AnalyzeOptions& options = {});

}  // namespace plastiscope
