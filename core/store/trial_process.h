#pragma once
// Inside core/store only: HDF5 can crash or loop on a damaged or crafted file (its variable-length texts
// carry no checksum), so whatever a stranger's file makes it do is tried first in a forked child.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace plastiscope {

// What `work` returned in a child process; nothing when the child crashed, used more than its processor
// time, or took far longer than that. `work` runs with the HDF5 lock free and must not throw. Where no
// process can be forked it runs here.
std::optional<std::string> inChildProcess(unsigned cpuSeconds, const std::function<std::string()>& work);

// Processor time that reading a file of that size may take in a child.
unsigned readingSeconds(const std::filesystem::path& file);

// Tries `reading` in a child; InputError when that ends badly. What it throws there does not count: it will
// be thrown again by whoever then reads the file here.
void requireHarmless(const std::filesystem::path& file, const std::function<void()>& reading);

}  // namespace plastiscope
