#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/weights/byte_source.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // one call of the system reads at most 2 GiB

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const fs::path& file) : m_path(file) {
    // Non-blocking, so that a named pipe is refused instead of waited for.
    m_descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_descriptor < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
    struct stat status {};
    if (::fstat(m_descriptor, &status) != 0) closeAndFail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) closeAndFail("this is not a regular file");
    m_size = static_cast<std::uint64_t>(status.st_size);
  }
  ~FileBytes() override { ::close(m_descriptor); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  const fs::path& path() const override { return m_path; }
  std::uint64_t size() const override { return m_size; }

  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    while (!out.empty()) {
      const ssize_t got =
          ::pread(m_descriptor, out.data(), std::min(out.size(), kMostAtOnce), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
      if (got == 0) {
        throw InputError({m_path, "byte " + std::to_string(offset),
                          std::to_string(m_size) + " bytes as when it was opened",
                          "the end of the file (it was cut short meanwhile)"});
      }
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
  }

  void forget(std::uint64_t offset, std::uint64_t size) const override {
    // Only advice: an answer that the system does not follow it changes nothing.
    ::posix_fadvise(m_descriptor, static_cast<off_t>(offset), static_cast<off_t>(size), POSIX_FADV_DONTNEED);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw InputError({m_path, "", "", why}); }
  [[noreturn]] void closeAndFail(const std::string& why) const {
    ::close(m_descriptor);
    fail(why);
  }

  fs::path m_path;
  int m_descriptor = -1;
  std::uint64_t m_size = 0;
};

}  // namespace

std::shared_ptr<const ByteSource> openBytes(const fs::path& file) {
  return std::make_shared<const FileBytes>(file);
}

}  // namespace plastiscope
