#pragma once
// Inside core/store only: a capture of an HDF5 file that is open already. What is known of its datasets holds
// for the capture too.
#include <memory>

#include "core/store/capture_file.h"
#include "core/store/hdf5_reader.h"

namespace plastiscope {
std::shared_ptr<const CaptureFile> captureIn(Hdf5Group root);  // InputError
}  // namespace plastiscope
