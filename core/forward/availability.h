#pragma once
// Why this program has no forward pass, or runs it on the CPU although libtorch supports GPUs.
#include <string>

namespace plastiscope {

// Replaces the general reason in the error of a program without the forward pass. "": the general one.
inline std::string& missingForwardReason() {
  static std::string reason;
  return reason;
}

// Why the part of libtorch for GPUs cannot be used, if it is installed, else "". The first call loads it.
const std::string& gpuProblem();

}  // namespace plastiscope
