#pragma once
// Axes and slopes of heads from an analysis, for clamping their keys.
#include <filesystem>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/head_list.h"
#include "core/forward/forward.h"
#include "core/model/model.h"

namespace plastiscope {

// a and alpha_K of the heads, in the given order. Warns about an analysis of another model. InputError naming
// what the file lacks.
std::vector<KeyClamp> keyClamps(const std::filesystem::path& analysis, const std::vector<HeadName>& heads,
                                const Model& model, Progress& progress);

}  // namespace plastiscope
