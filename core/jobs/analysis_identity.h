#pragma once
// What makes two analyses, and two sets of tables, the same: what they were made of, and the settings as
// resolved for it.
#include <filesystem>
#include <string>

#include "core/analysis/settings.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/table_folder.h"

namespace plastiscope {

// The settings with everything that depends on the capture filled in: what provenance states and hashes.
AnalysisSettings resolvedSettings(const AnalysisSettings& settings, const CaptureInfo& info);
std::string settingsHashOf(const AnalysisSettings& resolved);

// Whether an analysis was made by this version, with every setting that it knows.
bool isOfThisVersion(const AnalysisProvenance& provenance);

// What an analysis remembers of its capture (AnalysisProvenance::capture).
Json captureFacts(const CaptureInfo& info);
// Whether an analysis was made of this capture.
bool belongsTo(const AnalysisProvenance& provenance, const CaptureInfo& info);

// What tables are made of, for the folder that keeps them (core/store/table_folder.h).

TableSource sourceOf(const CaptureFile& capture);
// A capture, as analysed with default settings, or an analysis. InputError for others.
TableSource sourceOfStudy(const std::filesystem::path& file);
// Any other file, by its bytes.
TableSource sourceOfFile(const std::filesystem::path& file);
// A benchmark that comes with the program, or the CSV file of a person.
TableSource sourceOfScores(const std::string& nameOrFile);
// Something that comes with the program.
TableSource shippedSource(const std::string& name);

}  // namespace plastiscope
