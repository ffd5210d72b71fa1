#pragma once
// Inside core/store only: HDF5 can crash or loop on a damaged or crafted file (its variable-length texts
// carry no checksum), so whatever a stranger's file makes it do is tried first in a forked child.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace plastiscope {

// What a child process may use.
struct ChildLimits {
  unsigned cpuSeconds = 2;
  std::uint64_t memoryBytes = 0;  // of address space, beside what the program has when the child begins
};
// For reading a file of that size.
ChildLimits readingLimits(const std::filesystem::path& file);

// What `work` returned in a child process; nothing when the child crashed, used more than its processor
// time, or took far longer than that. Memory beyond the limit is std::bad_alloc, or an error of HDF5. `work`
// runs with the HDF5 lock free. Where no process can be forked it runs here.
std::optional<std::string> inChildProcess(const ChildLimits& limits,
                                          const std::function<std::string()>& work);

// Tries `reading` in a child first. InputError with its sentence when it fails there, and when it ends badly
// or needs too much memory: only what went well there is done again here.
void requireHarmless(const std::filesystem::path& file, const std::function<void()>& reading);

}  // namespace plastiscope
