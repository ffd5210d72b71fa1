#include "core/base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "core/base/error.h"

namespace plastiscope {

int Descriptor::close() {
  if (m_fd < 0) return 0;
  const int result = ::close(std::exchange(m_fd, -1));
  return result == 0 || errno == EINTR ? 0 : errno;
}

void writeFully(int fd, std::span<const std::byte> content, const std::filesystem::path& file) {
  while (!content.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(fd, content.data(), content.size()); });
    if (written < 0) failToWrite(file, errno);
    content = content.subspan(static_cast<std::size_t>(written));
  }
}

void failToWrite(const std::filesystem::path& file, int error) {
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    throw ResourceError(file.string() + ": the disk is full: " + std::strerror(error));
  throw InputError({file, "", "", std::string("cannot be written: ") + std::strerror(error)});
}

void syncFolderOf(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const Descriptor descriptor(
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (descriptor.valid()) uninterrupted([&] { return ::fsync(descriptor.get()); });
}

}  // namespace plastiscope
