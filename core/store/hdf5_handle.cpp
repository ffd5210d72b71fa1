#include "core/store/hdf5_handle.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "core/base/error.h"
#include "core/base/path_text.h"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace plastiscope {

namespace {

std::recursive_mutex& theMutex() {
  static std::recursive_mutex mutex;  // guards the library's own global state
  return mutex;
}

struct Innermost {
  std::string text;
  bool lackedMemory = false;
};

herr_t keepInnermost(unsigned /*depth*/, const H5E_error2_t* entry, void* kept) {
  auto& innermost = *static_cast<Innermost*>(kept);
  if (!innermost.text.empty() || entry->desc == nullptr) return 0;
  innermost = {entry->desc, entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE};
  return 0;
}

Innermost innermostError() {
  Innermost found;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermost, &found);
  return found;
}

}  // namespace

Hdf5Lock hdf5Lock() {
  Hdf5Lock lock(theMutex());
  static const bool closesByItself = H5dont_atexit() >= 0;  // every file is closed by its owner
  static_cast<void>(closesByItself);
  H5open();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
  return lock;
}

Hdf5Handle::Hdf5Handle(hid_t id, Closer closer) {
  if (id < 0) return;
  m_id = {new hid_t(id), [closer](const hid_t* owned) {
            const Hdf5Lock lock = hdf5Lock();
            closer(*owned);
            delete owned;
          }};
}

std::string hdf5Reason() {
  return innermostError().text;
}

void throwIfHdf5LackedMemory(const std::filesystem::path& file, const std::string& place) {
  if (const Innermost error = innermostError(); error.lackedMemory)
    throw ResourceError(pathText(file) + ": " + place + ": not enough memory (HDF5: " + error.text + ")");
}

void hdf5Require(long long status, const std::filesystem::path& file, const std::string& place) {
  if (status >= 0) return;
  const std::string reason = hdf5Reason();
  throw InputError({file, place, "", "not readable as HDF5" + (reason.empty() ? "" : " (" + reason + ")")});
}

Hdf5Handle hdf5Own(hid_t id, Hdf5Handle::Closer closer, const std::filesystem::path& file,
                   const std::string& place) {
  hdf5Require(id, file, place);
  return {id, closer};
}

Hdf5Handle hdf5HalfType() {
  Hdf5Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_fields(type.get(), 15, 10, 5, 0, 10);
  H5Tset_size(type.get(), 2);
  H5Tset_ebias(type.get(), 15);
  return type;
}

Hdf5Handle hdf5FixedTextType(std::size_t bytes) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), bytes);
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

std::string hdf5FixedText(hid_t type, std::string_view cell) {
  return cell.empty() ? std::string() : hdf5FixedTexts(type, cell, cell.size()).front();
}

std::vector<std::string> hdf5FixedTexts(hid_t type, std::string_view cells, std::size_t width) {
  const bool spaces = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  std::vector<std::string> texts;
  texts.reserve(cells.size() / std::max<std::size_t>(width, 1));
  for (; !cells.empty(); cells.remove_prefix(width)) {
    std::string_view cell = cells.substr(0, width);
    cell = cell.substr(0, cell.find('\0'));
    if (spaces) cell = cell.substr(0, cell.find_last_not_of(' ') + 1);
    texts.emplace_back(cell);
  }
  return texts;
}

Hdf5Handle hdf5TextType() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

// ---- the file driver

namespace {

constexpr haddr_t kLargestAddress = (haddr_t{1} << 62) - 1;

// Data of an access list, which HDF5 copies as bytes; one of the members is set.
struct DiskAccess {
  DiskFailure* failure;                           // for a written file
  const std::shared_ptr<const InputFile>* input;  // for a read file
};

// State of an open file. HDF5 uses the first member and passes this pointer to every call.
struct DiskFile {
  H5FD_t base;
  int fd;
  haddr_t end;        // as HDF5 sees it
  haddr_t allocated;  // "end of address space"
  DiskFailure* failure;
  std::shared_ptr<const InputFile> input;
};

DiskFile* self(H5FD_t* file) {
  return reinterpret_cast<DiskFile*>(file);
}
const DiskFile* self(const H5FD_t* file) {
  return reinterpret_cast<const DiskFile*>(file);
}

void remember(DiskFile* file) {
  if (file->failure != nullptr && file->failure->error == 0) file->failure->error = errno;
}

H5FD_t* opened(DiskFile* file) {
  return reinterpret_cast<H5FD_t*>(file);
}

H5FD_t* openFile(const char* name, unsigned flags, hid_t list, haddr_t) {
  const DiskAccess access = *static_cast<const DiskAccess*>(H5Pget_driver_info(list));
  if (access.input != nullptr) {
    const std::shared_ptr<const InputFile>& input = *access.input;
    return opened(new (std::nothrow) DiskFile{{}, input->descriptor(), input->size(), 0, nullptr, input});
  }
  const int mode = O_RDWR | O_CLOEXEC | O_NOFOLLOW | ((flags & H5F_ACC_TRUNC) != 0u ? O_TRUNC : 0) |
                   ((flags & (H5F_ACC_CREAT | H5F_ACC_TRUNC)) != 0u ? O_CREAT : 0);
  const int fd = uninterrupted([&] { return ::open(name, mode, 0666); });
  if (fd < 0) {
    access.failure->error = errno;
    return nullptr;
  }
  return opened(new (std::nothrow) DiskFile{{}, fd, 0, 0, access.failure, nullptr});
}

herr_t closeFile(H5FD_t* file) {
  const bool written = self(file)->input == nullptr;
  if (written && ::close(self(file)->fd) != 0 && errno != EINTR) remember(self(file));
  delete self(file);
  return 0;
}

herr_t queryFeatures(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocatedEnd(const H5FD_t* file, H5FD_mem_t) {
  return self(file)->allocated;
}

herr_t setAllocatedEnd(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file)->allocated = address;
  return 0;
}

haddr_t fileEnd(const H5FD_t* file, H5FD_mem_t) {
  return self(file)->end;
}

// Reads bytes after the end as zero, as HDF5 requires, but not those within the size that the file had when
// it was opened.
herr_t readBytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* out) {
  auto* to = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t got = ::pread(self(file)->fd, to, size, address);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) remember(self(file));
    if (got < 0 && self(file)->input != nullptr) return -1;
    if (got == 0 && self(file)->input != nullptr && address < self(file)->input->size()) {
      H5Epush2(H5E_DEFAULT, "hdf5_handle.cpp", __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR,
               "it was cut short after it had been opened");
      return -1;
    }
    if (got <= 0) break;
    to += got;
    address += got;
    size -= got;
  }
  std::memset(to, 0, size);
  return 0;
}

herr_t writeBytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* in) {
  DiskFile* disk = self(file);
  if (disk->failure == nullptr) return -1;  // opened for reading
  const auto* from = static_cast<const char*>(in);
  if (address + size > disk->end) disk->end = address + size;
  while (size > 0 && disk->failure->error == 0) {
    const ssize_t written = ::pwrite(disk->fd, from, size, address);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      remember(disk);
      break;
    }
    from += written;
    address += written;
    size -= written;
  }
  return 0;
}

herr_t truncateFile(H5FD_t* file, hid_t, hbool_t) {
  DiskFile* disk = self(file);
  if (disk->failure == nullptr || disk->end == disk->allocated) return 0;
  const auto cut = [disk] { return ::ftruncate(disk->fd, disk->allocated); };
  if (disk->failure->error == 0 && uninterrupted(cut) != 0) remember(disk);
  disk->end = disk->allocated;
  return 0;
}

H5FD_class_t driverClass() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(300);  // private use range
#endif
  driver.name = "plastiscope_disk";
  driver.maxaddr = kLargestAddress;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DiskAccess);
  driver.open = openFile;
  driver.close = closeFile;
  driver.query = queryFeatures;
  driver.get_eoa = allocatedEnd;
  driver.set_eoa = setAllocatedEnd;
  driver.get_eof = fileEnd;
  driver.read = readBytes;
  driver.write = writeBytes;
  driver.truncate = truncateFile;
  const H5FD_mem_t map[] = H5FD_FLMAP_SINGLE;
  std::memcpy(driver.fl_map, map, sizeof map);
  return driver;
}

Hdf5Handle accessList(const DiskAccess& info) {
  const Hdf5Lock lock = hdf5Lock();
  // Never freed: HDF5 releases a file's reference to its driver before it calls the driver to close the file,
  // and frees the driver with the last reference.
  static const H5FD_class_t driver = driverClass();
  static const hid_t id = H5FDregister(&driver);
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (id < 0 || !access.valid() || H5Pset_driver(access.get(), id, &info) < 0) {
    throw Error(ErrorKind::Internal, "HDF5 did not take the file driver: " + hdf5Reason());
  }
  return access;
}

}  // namespace

Hdf5Handle hdf5WriteAccess(DiskFailure* failure) {
  return accessList({failure, nullptr});
}

Hdf5Handle hdf5ReadAccess(const std::shared_ptr<const InputFile>& input) {
  return accessList({nullptr, &input});
}

void throwDiskFailure(const DiskFailure& failure, const std::filesystem::path& file) {
  if (failure.error != 0) failToWrite(file, failure.error);
}

}  // namespace plastiscope
