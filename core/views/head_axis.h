#pragma once
// The direction of one axis of a head, from the table axes.
#include <cstdint>
#include <string>
#include <vector>

#include "core/views/study_facts.h"

namespace plastiscope {

// [head_dim]; empty when one of its numbers is missing.
std::vector<double> axisOf(const Table& axes, HeadName head, const std::string& name, std::int64_t headDim);

}  // namespace plastiscope
