#pragma once
// What the control groups of Linux leave to a process (cgroups(7); memory.max, memory.current and memory.stat
// of version 2, their counterparts of version 1).
#include <filesystem>

namespace plastiscope {

// The least that any group from the process's own up to the root leaves, in bytes: its limit less what is
// used, where pages of files that it can give back at once do not count as used. The largest number when
// nothing limits. `memberships`: a file like /proc/self/cgroup; `mount`: where the groups are, like
// /sys/fs/cgroup.
unsigned long long controlGroupMemoryLeft(const std::filesystem::path& memberships,
                                          const std::filesystem::path& mount);

}  // namespace plastiscope
