#include "core/base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // one call of the system reads at most 2 GiB

}  // namespace

InputFile::InputFile(std::filesystem::path file) : m_path(std::move(file)) {
  m_descriptor = Descriptor(
      uninterrupted([&] { return ::open(m_path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); }));
  if (!m_descriptor.valid()) {
    // A socket, and a device without its driver, cannot be opened at all.
    if (errno == ENXIO) throw InputError({m_path, "", "a regular file", "a socket or a device"});
    throw InputError({m_path, "", "", std::string("cannot be opened: ") + std::strerror(errno)});
  }
  struct stat status {};
  if (::fstat(m_descriptor.get(), &status) != 0)
    throw InputError({m_path, "", "", std::string("cannot be opened: ") + std::strerror(errno)});
  if (!S_ISREG(status.st_mode)) throw InputError({m_path, "", "a regular file", kindOfPlace(status.st_mode)});
  m_size = static_cast<std::uint64_t>(status.st_size);
}

std::size_t InputFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = uninterrupted([&] {
      return ::pread(m_descriptor.get(), out.data() + done, std::min(out.size() - done, kMostAtOnce),
                     static_cast<off_t>(offset + done));
    });
    if (got < 0) throw InputError({m_path, "", "", std::string("cannot be read: ") + std::strerror(errno)});
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::string readStart(const std::filesystem::path& file, std::size_t bytes) {
  std::string start(bytes, '\0');
  start.resize(InputFile(file).read(0, std::as_writable_bytes(std::span(start))));
  return start;
}

std::string kindOfPlace(unsigned mode) {
  if (S_ISREG(mode)) return "a regular file";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISLNK(mode)) return "a link to nothing";
  return "a device";
}

}  // namespace plastiscope
