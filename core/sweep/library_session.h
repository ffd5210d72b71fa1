#pragma once
#include <filesystem>
#include <vector>

#include "core/sweep/sweep_file.h"

namespace plastiscope {

// The file library.json of a sweep's folder: a session of the window, with a comparison for each kind of
// analysis that is there. Models in natural order of their names, so that checkpoints of one training run
// make its trajectory; where there is one model, its texts and settings. InputError, ResourceError.
void writeLibrarySession(const std::vector<SweepRun>& runs, const std::filesystem::path& library);

}  // namespace plastiscope
