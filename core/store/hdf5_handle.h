#pragma once
// Inside core/store only: owners of HDF5 identifiers, the lock for all use of HDF5, and error texts.
#include <hdf5.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plastiscope {

// HDF5 has a global lock, but its error settings are per thread and some calls belong together. Hold this
// lock for every use of an identifier, destruction included. Locking also switches off HDF5's error printing
// in this thread and the loading of plugins.
using Hdf5Lock = std::unique_lock<std::recursive_mutex>;
Hdf5Lock hdf5Lock();

// Owns one identifier; closes it under the lock.
class Hdf5Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Closer closer) : m_id(id), m_closer(closer) {}
  ~Hdf5Handle() { close(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, -1)), m_closer(other.m_closer) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  hid_t get() const { return m_id; }
  bool valid() const { return m_id >= 0; }
  void close();

 private:
  hid_t m_id = -1;
  Closer m_closer = nullptr;
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

}  // namespace plastiscope
