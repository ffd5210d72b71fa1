#pragma once
// Inside core/store only: an HDF5 file driver over our own system calls. Reads from a file that is already
// open, so that HDF5 sees the file that was checked. Survives a full disk when writing, where HDF5 itself
// fails to close the file and the process may crash at exit: the driver remembers the first failed write,
// reports success from then on, and the caller asks for the failure afterwards.
#include <filesystem>
#include <memory>

#include "core/base/descriptor.h"
#include "core/store/hdf5_handle.h"

namespace plastiscope {

struct DiskFailure {
  int error = 0;  // errno of the first failed call; 0 = none
};

// File access lists. `failure` must outlive the written file; `input` stays open as long as HDF5 reads it.
Hdf5Handle hdf5WriteAccess(DiskFailure* failure);
Hdf5Handle hdf5ReadAccess(const std::shared_ptr<const InputFile>& input);

// Throws the error of writeFileAtomically: ResourceError on a full disk, InputError otherwise. Does nothing
// if error is 0.
void throwDiskFailure(const DiskFailure& failure, const std::filesystem::path& file);

}  // namespace plastiscope
