#pragma once
// A checksum of a whole file, as a last line behind the end of its HDF5 data (which HDF5 programs ignore):
// "plastiscope file sha256 <64 hex digits>\n". Any changed byte before it is found.
#include <filesystem>

namespace plastiscope {

// `finalName` stands in messages.
void appendFileSeal(const std::filesystem::path& file, const std::filesystem::path& finalName);

enum class FileSeal { Intact, Broken, Absent };
FileSeal checkFileSeal(const std::filesystem::path& file);  // InputError when it cannot be read

}  // namespace plastiscope
