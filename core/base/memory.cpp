#include "core/base/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <mutex>
#include <sstream>
#include <string>

#include "core/base/platform.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr unsigned long long kUnlimited = std::numeric_limits<unsigned long long>::max();

unsigned long long leftOf(unsigned long long limit, unsigned long long used) {
  if (limit == kUnlimited) return kUnlimited;
  if (used == kUnlimited) return limit;
  return limit > used ? limit - used : 0;
}

// ---- control groups

// File names of a group. In version 1, counts without the prefix "total_" exclude descendants.
struct Version {
  const char *folder, *limit, *used;
  const char *inactiveFile, *activeFile;  // keys of memory.stat
};
constexpr Version kSecond{"", "memory.max", "memory.current", "inactive_file", "active_file"};
constexpr Version kFirst{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                         "total_active_file"};

unsigned long long numberIn(const fs::path& file) {
  std::ifstream stream(file);
  unsigned long long value = 0;
  return stream >> value ? value : kUnlimited;  // "max" is no number
}

// Page cache that can be reclaimed; shared memory is not included.
unsigned long long reclaimableIn(const fs::path& group, const Version& version) {
  std::ifstream stream(group / "memory.stat");
  unsigned long long sum = 0, value = 0;
  for (std::string key; stream >> key >> value;) {
    if (key == version.inactiveFile || key == version.activeFile) sum += value;
  }
  return sum;
}

unsigned long long leftIn(const fs::path& group, const Version& version) {
  const unsigned long long used = numberIn(group / version.used);
  return leftOf(numberIn(group / version.limit),
                used == kUnlimited ? used : leftOf(used, reclaimableIn(group, version)));
}

// In a container the own group may be mounted as the root under another name; groups without a folder limit
// nothing.
unsigned long long leastOnTheWay(const fs::path& mount, std::string name, const Version& version) {
  const fs::path root = mount / version.folder;
  unsigned long long least = leftIn(root, version);
  while (name.size() > 1) {
    least = std::min(least, leftIn(root / name.substr(1), version));
    name.resize(name.rfind('/'));
  }
  return least;
}

std::mutex keepersMutex;
int keepers = 0;

}  // namespace

unsigned long long availableMemoryBytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unusedMemoryBytes();
  return std::min(unusedMemoryBytes(), leftOf(limit.rlim_cur, addressSpaceBytes()));
}

unsigned long long controlGroupMemoryLeft(const fs::path& memberships, const fs::path& mount) {
  unsigned long long least = kUnlimited;
  std::ifstream stream(memberships);
  for (std::string line; std::getline(stream, line);) {  // number:controllers:/name
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0) continue;
    std::istringstream controllers(line.substr(first + 1, second - first - 1));
    const std::string name = line.substr(second + 1);
    if (second == first + 1) least = std::min(least, leastOnTheWay(mount, name, kSecond));
    for (std::string one; std::getline(controllers, one, ',');) {
      if (one == "memory") least = std::min(least, leastOnTheWay(mount, name, kFirst));
    }
  }
  return least;
}

KeepFreedMemory::KeepFreedMemory() {
  const std::lock_guard lock(keepersMutex);
  if (++keepers == 1) keepFreedMemory(true);
}

KeepFreedMemory::~KeepFreedMemory() {
  const std::lock_guard lock(keepersMutex);
  if (--keepers == 0) keepFreedMemory(false);
}

}  // namespace plastiscope
