#pragma once
// Identity of analyses and of sets of tables: their inputs, and the settings as resolved for them.
#include <filesystem>
#include <string>

#include "core/analysis/settings.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/table_folder.h"

namespace plastiscope {

// The settings with all values that depend on the capture filled in; provenance states and hashes them.
AnalysisSettings resolvedSettings(const AnalysisSettings& settings, const CaptureInfo& info);
std::string settingsHashOf(const AnalysisSettings& resolved);

// Whether an analysis was made by this version and states every setting of it.
bool isOfThisVersion(const AnalysisProvenance& provenance);

// Facts about the capture that an analysis stores (AnalysisProvenance::capture).
Json captureFacts(const CaptureInfo& info);
// Whether an analysis was made of this capture.
bool belongsTo(const AnalysisProvenance& provenance, const CaptureInfo& info);

// A capture as an input of tables, for the folder that keeps them (core/store/table_folder.h).

TableSource sourceOf(const CaptureFile& capture);
// A capture (analysed with default settings) or an analysis. InputError for other files.
TableSource sourceOfStudy(const std::filesystem::path& file);
// Any other file, identified by its bytes.
TableSource sourceOfFile(const std::filesystem::path& file);
// A benchmark shipped with the program, or a user's CSV file.
TableSource sourceOfScores(const std::string& nameOrFile);
// Data shipped with the program.
TableSource shippedSource(const std::string& name);

}  // namespace plastiscope
