#pragma once
// What the bytes of a file say before the HDF5 library is asked: what it is, whether it was cut short, and
// the seal of this program: a checksum of the whole file, as a last line behind the end of its HDF5 data
// (which HDF5 programs ignore): "plastiscope file sha256 <64 hex digits>\n". Any changed byte before it is
// found.
#include <filesystem>
#include <string>

#include "core/base/descriptor.h"

namespace plastiscope {

// At the beginning, or behind a user block.
bool hasHdf5Signature(const InputFile& file);

// "an empty file", "a text file", "an HDF5 file of another program", "a file of another format": what a file
// is that is neither a capture nor an analysis.
std::string foreignContentOf(const std::filesystem::path& file);

// InputError when the file has fewer bytes than its first block states. What that block does not say is left
// to HDF5.
void requireNotCutShort(const InputFile& file);

// `finalName` stands in messages.
void appendFileSeal(const std::filesystem::path& file, const std::filesystem::path& finalName);

// CutShort: behind the HDF5 data stands something that is no seal. Absent: nothing does, as in a file that
// another program wrote, or wrote again.
enum class FileSeal { Intact, Broken, CutShort, Absent };
FileSeal sealOf(const InputFile& file);  // reads it to its end; InputError when it cannot be read

}  // namespace plastiscope
