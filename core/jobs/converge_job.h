#pragma once
// Measures convergence and seed sensitivity of an analysis by repeating it.
#include "core/analysis/settings.h"
#include "core/base/progress.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Makes one table, convergence (core/analysis/convergence.h): pairs up to the requested number, bins,
// examples, and seeds 0 to 9 if pairs are sampled. The provenance is that of the requested analysis. Throws
// as analyzeCapture().
AnalysisFile convergeCapture(const CaptureFile& capture, const AnalysisSettings& settings, int threads,
                             Progress& progress);

}  // namespace plastiscope
