#pragma once
// What makes two analyses the same: the capture they were made of and the settings as resolved for it.
#include <string>

#include "core/analysis/settings.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// The settings with everything that depends on the capture filled in: what provenance states and hashes.
AnalysisSettings resolvedSettings(const AnalysisSettings& settings, const CaptureInfo& info);
std::string settingsHashOf(const AnalysisSettings& resolved);

// What an analysis remembers of its capture (AnalysisProvenance::capture).
Json captureFacts(const CaptureInfo& info);
// Whether an analysis was made of this capture.
bool belongsTo(const AnalysisProvenance& provenance, const CaptureInfo& info);

}  // namespace plastiscope
