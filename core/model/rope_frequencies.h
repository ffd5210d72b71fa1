#pragma once
// The frequencies of rotary position embedding in float64, for comparing them with what vectors do. The
// forward pass forms its own in float32, operation by operation as the published models do (core/forward).
#include <cstdint>
#include <vector>

#include "core/model/model_spec.h"

namespace plastiscope {

// rad / token of each pair, rotaryDim / 2 of them; `tokens`: length of the examples, which dynamic and
// longrope depend on. Empty for a kind that is not known.
std::vector<double> ropePairFrequencies(const RopeSpec& rope, std::int64_t tokens);

}  // namespace plastiscope
