#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace plastiscope::test {

// Everything an HDF5 file holds: "/path" or "/path@attribute" -> type, shape and bytes. Only the attribute
// `created` is left out.
std::map<std::string, std::string> hdf5Content(const std::filesystem::path& file);

}  // namespace plastiscope::test
