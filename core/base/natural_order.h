#pragma once
#include <string>

namespace plastiscope {

// Digits inside names compare as numbers: "step-40000" before "step-1200000".
bool naturallyBefore(const std::string& a, const std::string& b);

}  // namespace plastiscope
