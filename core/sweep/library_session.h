#pragma once
#include <filesystem>
#include <vector>

#include "core/sweep/sweep_file.h"

namespace plastiscope {

// Writes library.json of a sweep's folder: a session of the window with one comparison for each kind of
// analysis that exists. Models are in natural order of their names, so that checkpoints of one training run
// form a trajectory; with a single model its texts and settings are compared. InputError, ResourceError.
void writeLibrarySession(const std::vector<SweepRun>& runs, const std::filesystem::path& library);

}  // namespace plastiscope
