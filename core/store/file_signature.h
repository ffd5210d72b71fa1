#pragma once
// Checks the bytes of a file before the HDF5 library opens it: file type, truncation, and the seal of this
// program. The seal is a checksum of the whole file, as a last line after the end of the HDF5 data (where
// HDF5 ignores it): "plastiscope file sha256 <64 hex digits>\n". It detects any changed byte before it.
#include <filesystem>
#include <string>

#include "core/base/descriptor.h"

namespace plastiscope {

// Whether the HDF5 signature is at the beginning, or after a user block.
bool hasHdf5Signature(const InputFile& file);

// Describes a file that is neither a capture nor an analysis: "an empty file", "a text file", "an HDF5 file
// of another program", "a file of another format".
std::string foreignContentOf(const std::filesystem::path& file);

// InputError if the file is shorter than its superblock states. Files whose superblock does not state it are
// left to HDF5.
void requireNotCutShort(const InputFile& file);

// SHA-256 of the first `count` bytes. `finalName` is used in messages: InputError if it cannot be read.
std::string sha256OfStart(const InputFile& input, std::uint64_t count,
                          const std::filesystem::path& finalName);

// `finalName` is used in messages.
void appendFileSeal(const std::filesystem::path& file, const std::filesystem::path& finalName);

// CutShort: the bytes after the HDF5 data are no seal. Absent: there are none, as in a file written or
// rewritten by another program.
enum class FileSeal { Intact, Broken, CutShort, Absent };
FileSeal sealOf(const InputFile& file);  // reads the whole file; InputError if it cannot

}  // namespace plastiscope
