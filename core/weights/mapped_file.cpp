#include "core/weights/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace plastiscope {

namespace {
[[noreturn]] void fail(const std::filesystem::path& file, int descriptor, const std::string& why) {
  if (descriptor >= 0) ::close(descriptor);
  throw InputError({file, "", "", why});
}
}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) : m_path(file) {
  // Non-blocking, so that a named pipe is refused instead of waited for.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(file, -1, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(file, descriptor, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(file, descriptor, "this is not a regular file");
  m_size = static_cast<std::size_t>(status.st_size);
  if (m_size > 0) {
    void* data = ::mmap(nullptr, m_size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) fail(file, descriptor, std::string("cannot be mapped: ") + std::strerror(errno));
    m_data = static_cast<const std::byte*>(data);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (m_data != nullptr) ::munmap(const_cast<std::byte*>(m_data), m_size);
}

void MappedFile::forget(std::size_t offset, std::size_t size) const {
  if (m_data == nullptr || offset > m_size || size > m_size - offset) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = (offset + page - 1) / page * page;
  const std::size_t end = (offset + size) / page * page;
  if (begin < end) ::madvise(const_cast<std::byte*>(m_data) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace plastiscope
