#pragma once
// What the inputs of a comparison are called, and how names are ordered.
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace plastiscope {

// One name an input, all different, usable as names of columns: as given, else the model's name where it is
// the only input of that model, else the file's name. Repeated names get " 2", " 3", ...
std::vector<std::string> uniqueInputNames(const std::vector<ComparisonInput>& inputs);

// As short as they can be told apart by: without the owner of a repository ("Qwen/Qwen3-0.6B") where that
// leaves them different.
std::vector<std::string> withoutOwners(const std::vector<std::string>& names);
// And without what all begin with, up to a separator: "SmolLM3-3B-lc1", "SmolLM3-3B-lc2" -> "lc1", "lc2".
std::vector<std::string> withoutCommonStart(const std::vector<std::string>& names);

// Digits inside names compare as numbers: "step-40000" before "step-1200000".
bool naturallyBefore(const std::string& a, const std::string& b);

}  // namespace plastiscope
