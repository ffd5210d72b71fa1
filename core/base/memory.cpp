#include "core/base/memory.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "core/base/control_group.h"

namespace plastiscope {

namespace {

constexpr unsigned long long kUnlimited = std::numeric_limits<unsigned long long>::max();

unsigned long long lineOf(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::istringstream rest(line.substr(key.size()));
    unsigned long long kilobytes = 0;
    if (rest >> kilobytes) return kilobytes * 1024;
  }
  return kUnlimited;
}

unsigned long long leftOf(unsigned long long limit, unsigned long long used) {
  if (limit == kUnlimited) return kUnlimited;
  if (used == kUnlimited) return limit;
  return limit > used ? limit - used : 0;
}

}  // namespace

unsigned long long availableMemoryBytes() {
  unsigned long long least = lineOf("/proc/meminfo", "MemAvailable:");
  least = std::min(least, controlGroupMemoryLeft("/proc/self/cgroup", "/sys/fs/cgroup"));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    least = std::min(least, leftOf(limit.rlim_cur, lineOf("/proc/self/status", "VmSize:")));
  }
  return least;
}

unsigned long long peakResidentBytes() {
  const unsigned long long peak = lineOf("/proc/self/status", "VmHWM:");
  return peak == kUnlimited ? 0 : peak;
}

void tuneAllocator() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that it takes: rows of a head lie below
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace plastiscope
