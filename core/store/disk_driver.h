#pragma once
// Inside core/store only: an HDF5 file driver over our own system calls. HDF5 does not survive a full disk:
// closing fails and the process may die at its exit. This driver remembers the first failed call, answers
// "done" from then on, and leaves the decision to whoever asks failure() afterwards.
#include <filesystem>
#include <memory>

#include "core/store/hdf5_handle.h"

namespace plastiscope {

struct DiskFailure {
  int error = 0;  // errno of the first failed call; 0 = none
};

// A file access list whose files are written by this driver. `failure` must outlive the file.
Hdf5Handle diskDriverAccess(DiskFailure* failure);

// Throws what writeFileAtomically would: ResourceError on a full disk, InputError otherwise. Nothing when
// error is 0.
void throwDiskFailure(const DiskFailure& failure, const std::filesystem::path& file);

}  // namespace plastiscope
