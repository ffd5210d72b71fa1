#pragma once
// Joining the parts of a capture into the capture that one machine would have made (contract.md 1.5).
#include <filesystem>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope {

enum class MergeOutcome { Merged, WasMerged };

// The parts in any order. Nothing but `created` differs from the capture of one machine. Block by block: the
// vectors are never in memory. A whole capture is the only part of its kind. When `out` is that capture
// already it is left; another one is a UsageError, unless `fresh`. InputError names parts of different
// settings, repeated, missing and damaged ones.
MergeOutcome mergeCaptures(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& out,
                           bool fresh, Progress& progress);

}  // namespace plastiscope
