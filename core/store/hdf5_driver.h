#pragma once
// Inside core/store only: an HDF5 file driver over our own system calls. What is read is a file that is open
// already, so that what was looked at is what HDF5 sees. What is written survives a full disk, where HDF5
// does not: closing fails and the process may die at its exit. This driver remembers the first failed write,
// answers "done" from then on, and leaves the decision to whoever asks for the failure afterwards.
#include <filesystem>
#include <memory>

#include "core/base/descriptor.h"
#include "core/store/hdf5_handle.h"

namespace plastiscope {

struct DiskFailure {
  int error = 0;  // errno of the first failed call; 0 = none
};

// File access lists. `failure` must outlive the file that is written; `input` stays open as long as HDF5
// reads it.
Hdf5Handle hdf5WriteAccess(DiskFailure* failure);
Hdf5Handle hdf5ReadAccess(const std::shared_ptr<const InputFile>& input);

// Throws what writeFileAtomically would: ResourceError on a full disk, InputError otherwise. Nothing when
// error is 0.
void throwDiskFailure(const DiskFailure& failure, const std::filesystem::path& file);

}  // namespace plastiscope
