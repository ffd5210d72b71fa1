#pragma once
// Inside core/store only: which of our formats a file is, and whether this program can read it.
#include <string>

#include "core/store/capture_file.h"
#include "core/store/hdf5_reader.h"

namespace plastiscope {

// Throws InputError when the root's `format` is another one, or its version is newer than this program's.
void requireFormat(const Hdf5Group& root, const std::string& format);
StoredKind storedKindOf(const Hdf5Group& root);

}  // namespace plastiscope
