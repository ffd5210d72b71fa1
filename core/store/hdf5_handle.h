#pragma once
// Inside core/store only: owners of HDF5 identifiers, the lock for all use of HDF5, error texts, types, and
// the access to files.
#include <hdf5.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/descriptor.h"

namespace plastiscope {

// HDF5 has a global lock, but its error settings are per thread and some calls belong together. Hold this
// lock for every use of an identifier, destruction included. Locking also switches off HDF5's error printing
// in this thread and the loading of plugins.
using Hdf5Lock = std::unique_lock<std::recursive_mutex>;
Hdf5Lock hdf5Lock();

// Owns one identifier together with its copies; the last one closes it under the lock.
class Hdf5Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Closer closer);
  hid_t get() const { return m_id ? *m_id : -1; }
  bool valid() const { return m_id != nullptr; }
  void close() { m_id = nullptr; }

 private:
  std::shared_ptr<const hid_t> m_id;
};

// The innermost entry of HDF5's error stack in this thread, e.g. "truncated file"; "" if there is none.
std::string hdf5Reason();

// Throws ResourceError if that entry reports a failed memory allocation.
void throwIfHdf5LackedMemory(const std::filesystem::path& file, const std::string& place);

// Takes ownership of `id`, or throws InputError naming file and place with HDF5's reason.
Hdf5Handle hdf5Own(hid_t id, Hdf5Handle::Closer closer, const std::filesystem::path& file,
                   const std::string& place);
// Throws the same InputError if `status` is negative.
void hdf5Require(long long status, const std::filesystem::path& file, const std::string& place);

inline std::string hdf5ChildPath(const std::string& parent, const std::string& child) {
  return parent == "/" ? "/" + child : parent + "/" + child;
}

// Types used in files (resources/help/capture-format.md).
Hdf5Handle hdf5HalfType();                        // IEEE binary16, little endian; h5py reads it as float16
Hdf5Handle hdf5TextType();                        // variable-length UTF-8
Hdf5Handle hdf5FixedTextType(std::size_t bytes);  // UTF-8 of that length, padded with zero bytes
// The text of a cell of a fixed-length type, without padding.
std::string hdf5FixedText(hid_t type, std::string_view cell);
// The texts of many cells of `width` bytes each.
std::vector<std::string> hdf5FixedTexts(hid_t type, std::string_view cells, std::size_t width);

// ---- A file driver over our own system calls. Reads from a file that is already open, so that HDF5 sees the
// file that was checked. Survives a full disk when writing, where HDF5 itself fails to close the file and the
// process may crash at exit: the driver remembers the first failed write, reports success from then on, and
// the caller asks for the failure afterwards.

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
