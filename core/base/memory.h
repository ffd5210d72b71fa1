#pragma once
// Memory available to this process: the smallest of free memory, control group and address space limits.
#include <filesystem>
namespace plastiscope {
unsigned long long availableMemoryBytes();

// Smallest remaining memory in bytes over the process's control group (cgroups(7): memory.max, memory.current
// and memory.stat of version 2, their counterparts of version 1) and all its ancestors: limit minus usage,
// not counting page cache that can be reclaimed. The largest number when nothing limits. `memberships`: a
// file like /proc/self/cgroup; `mount`: the root of the groups, like /sys/fs/cgroup.
unsigned long long controlGroupMemoryLeft(const std::filesystem::path& memberships,
                                          const std::filesystem::path& mount);

// Keeps freed blocks in the process while an object lives, for work that allocates the same sizes repeatedly.
// They are returned when the last object is destroyed. No effect without glibc.
class KeepFreedMemory {
 public:
  KeepFreedMemory();
  ~KeepFreedMemory();
  KeepFreedMemory(const KeepFreedMemory&) = delete;
  KeepFreedMemory& operator=(const KeepFreedMemory&) = delete;
};
}  // namespace plastiscope
