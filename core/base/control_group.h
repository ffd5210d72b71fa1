#pragma once
// Memory limits of Linux control groups (cgroups(7); memory.max, memory.current and memory.stat of version 2,
// their counterparts of version 1).
#include <filesystem>

namespace plastiscope {

// Smallest remaining memory in bytes over the process's group and all its ancestors: limit minus usage, not
// counting page cache that can be reclaimed. The largest number when nothing limits. `memberships`: a file
// like /proc/self/cgroup; `mount`: the root of the groups, like /sys/fs/cgroup.
unsigned long long controlGroupMemoryLeft(const std::filesystem::path& memberships,
                                          const std::filesystem::path& mount);

}  // namespace plastiscope
