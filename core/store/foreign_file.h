#pragma once
// What is wrong with a file before the HDF5 library is asked: it is something else, or it was cut short.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace plastiscope {

bool hasHdf5Signature(const std::filesystem::path& file);

// "an empty file", "a text file", "an HDF5 file of another program", "a file of another format": what a file
// is that is neither a capture nor an analysis.
std::string foreignContentOf(const std::filesystem::path& file);

// Where the HDF5 data end, as the first block states it; nothing when it does not (other versions, user
// blocks).
std::optional<std::uint64_t> statedEndOf(const std::filesystem::path& file);

// InputError when the file has fewer bytes than its first block states. What that block does not say is left
// to HDF5.
void requireNotCutShort(const std::filesystem::path& file, std::uint64_t bytes);

}  // namespace plastiscope
