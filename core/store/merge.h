#pragma once
// Joins the parts of a capture into the capture that one machine would have written
// (resources/help/many-machines.md).
#include <filesystem>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope {

enum class MergeOutcome { Merged, WasMerged };

// Accepts the parts in any order; a complete capture counts as a single part. Only `created` differs from the
// capture of one machine. Copies block by block, without holding the vectors in memory. Does nothing if `out`
// is that capture already; UsageError if it is another one, unless `fresh`. InputError names parts with
// different settings, and repeated, missing or damaged parts.
MergeOutcome mergeCaptures(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& out,
                           bool fresh, Progress& progress);

}  // namespace plastiscope
