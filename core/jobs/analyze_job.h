#pragma once
// A whole analysis: capture -> tables, in parallel over heads, the same bytes for any number of threads.
#include <memory>

#include "core/analysis/settings.h"
#include "core/base/progress.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope {

AnalysisFile analyzeCapture(const CaptureFile& capture, const AnalysisSettings& settings, int threads,
                            Progress& progress);

}  // namespace plastiscope
