#include "core/base/memory.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <mutex>
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

constexpr int kLargestHeld = 32 << 20;  // glibc's maximum; the rows of a head are smaller
// glibc starts lower and adapts to freed blocks until the threshold is set, which cannot be undone.
constexpr int kUsuallyHeld = 1 << 20;

std::mutex keepersMutex;
int keepers = 0;

// Maps blocks of at least `block` bytes separately; keeps up to `top` free bytes at the end of the heap.
void handBackFrom([[maybe_unused]] int block, [[maybe_unused]] int top) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, block);
  mallopt(M_TRIM_THRESHOLD, top);
#endif
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

KeepFreedMemory::KeepFreedMemory() {
  const std::lock_guard lock(keepersMutex);
  if (++keepers == 1) handBackFrom(kLargestHeld, 8 * kLargestHeld);
}

KeepFreedMemory::~KeepFreedMemory() {
  const std::lock_guard lock(keepersMutex);
  if (--keepers > 0) return;
  handBackFrom(kUsuallyHeld, kUsuallyHeld);
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace plastiscope
