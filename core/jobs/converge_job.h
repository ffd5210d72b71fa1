#pragma once
// Convergence and seed sensitivity of an analysis: the same capture, analysed again and again.
#include "core/analysis/settings.h"
#include "core/base/progress.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// One table, convergence (core/analysis/convergence.h): pairs up to the number asked for, bins, examples, and
// seeds 0 to 9 where anything is drawn. The provenance is that of the analysis as asked for. Throws what
// analyzeCapture() throws.
AnalysisFile convergeCapture(const CaptureFile& capture, const AnalysisSettings& settings, int threads,
                             Progress& progress);

}  // namespace plastiscope
