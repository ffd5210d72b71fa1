#pragma once
// Peak memory of this process, on Linux.
#include <fstream>
#include <string>

namespace plastiscope {

// The most bytes that were resident at once; 0 if unknown.
inline unsigned long long peakResidentBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::stoull(line.substr(6));
  }
  return 0;
}

}  // namespace plastiscope
