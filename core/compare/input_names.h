#pragma once
// What the inputs of a comparison are called, and how names are ordered.
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace plastiscope {

// One name an input, all different, usable as names of columns: as given, else the model's name where it is
// the only input of that model, else the file's name. Repeated names get " 2", " 3", ...
std::vector<std::string> uniqueInputNames(const std::vector<ComparisonInput>& inputs);

// Digits inside names compare as numbers: "step-40000" before "step-1200000".
bool naturallyBefore(const std::string& a, const std::string& b);

}  // namespace plastiscope
