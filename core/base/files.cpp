#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/base/path_text.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return m_fd; }
  int closeNow() {
    const int result = ::close(m_fd);
    m_fd = -1;
    return result;
  }

 private:
  int m_fd;
};

[[noreturn]] void failWrite(const fs::path& file, int error) {
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    throw ResourceError(pathText(file) + ": the disk is full: " + std::strerror(error));
  }
  throw InputError({file, "", "", std::string("cannot be written: ") + std::strerror(error)});
}

void writeFully(int fd, const std::byte* data, std::size_t size, const fs::path& file) {
  while (size > 0) {
    const ssize_t written = ::write(fd, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      failWrite(file, errno);
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void syncFolderOf(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0) ::fsync(descriptor.get());  // some file systems refuse; the rename stands anyway
}

// Removes the temporary file unless it was renamed away.
struct TemporaryFile {
  fs::path path;
  bool kept = false;
  ~TemporaryFile() {
    if (!kept) ::unlink(path.c_str());
  }
};

// The same for a folder and everything in it.
struct TemporaryFolder {
  fs::path path;
  bool kept = false;
  ~TemporaryFolder() {
    std::error_code code;
    if (!kept) fs::remove_all(path, code);
  }
};

fs::path temporaryNameFor(const fs::path& file) {
  fs::path name = file;
  name += ".tmp-" + std::to_string(::getpid());
  return name;
}

void renameDurably(TemporaryFile& temporary, const fs::path& file) {
  if (::rename(temporary.path.c_str(), file.c_str()) != 0) failWrite(file, errno);
  temporary.kept = true;
  syncFolderOf(file);
}

}  // namespace

std::string readFile(const fs::path& file, std::size_t maxBytes) {
  Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // a FIFO must not block
  if (descriptor.get() < 0)
    throw InputError({file, "", "", std::string("cannot be opened: ") + std::strerror(errno)});
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw InputError(
        {file, "", "a file", S_ISDIR(status.st_mode) ? "a folder" : "something that is no regular file"});
  }
  std::string content;
  std::vector<char> block(1 << 16);
  while (true) {
    const ssize_t got = ::read(descriptor.get(), block.data(), block.size());
    if (got < 0) {
      if (errno == EINTR) continue;
      throw InputError({file, "", "", std::string("cannot be read: ") + std::strerror(errno)});
    }
    if (got == 0) return content;
    content.append(block.data(), static_cast<std::size_t>(got));
    if (content.size() > maxBytes) {
      throw InputError({file, "size", "at most " + byteText(maxBytes), "more"});
    }
  }
}

void writeFileAtomically(const fs::path& file, std::span<const std::byte> content) {
  TemporaryFile temporary{temporaryNameFor(file)};
  Descriptor descriptor(::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (descriptor.get() < 0) {
    const int error = errno;
    temporary.kept = true;  // there is none
    failWrite(file, error);
  }
  writeFully(descriptor.get(), content.data(), content.size(), file);
  if (::fsync(descriptor.get()) != 0) failWrite(file, errno);
  if (descriptor.closeNow() != 0) failWrite(file, errno);
  renameDurably(temporary, file);
}

void writeFileAtomically(const fs::path& file, std::string_view content) {
  writeFileAtomically(file, std::as_bytes(std::span(content.data(), content.size())));
}

void writeFileAtomically(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  TemporaryFile temporary{temporaryNameFor(file)};
  write(temporary.path);
  Descriptor descriptor(::open(temporary.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.get() < 0 || ::fsync(descriptor.get()) != 0) failWrite(file, errno);
  renameDurably(temporary, file);
}

void writeFolderAtomically(const fs::path& folder, const std::function<void(const fs::path&)>& fill) {
  const fs::path place = folder.has_filename() ? folder : folder.parent_path();  // "out/" is "out"
  std::error_code code;
  const bool empty = fs::is_directory(place, code) && fs::is_empty(place, code);
  if (fs::exists(place, code) && !empty) {
    throw InputError({place, "", "a new or empty folder",
                      fs::is_directory(place, code) ? "a folder with files in it" : "a file"});
  }
  TemporaryFolder temporary{temporaryNameFor(place)};
  requireWritableFolderOf(temporary.path);
  fs::create_directory(temporary.path, code);
  if (code) throw InputError({place, "", "", "cannot be written: " + code.message()});
  fill(temporary.path);
  syncFolderOf(temporary.path / "content");
  if (::rename(temporary.path.c_str(), place.c_str()) != 0) failWrite(place, errno);
  temporary.kept = true;
  syncFolderOf(place);
}

void appendLineDurably(const fs::path& file, std::string_view line) {
  Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (descriptor.get() < 0) failWrite(file, errno);
  const std::string whole = std::string(line) + "\n";
  writeFully(descriptor.get(), std::as_bytes(std::span(whole)).data(), whole.size(), file);
  if (::fsync(descriptor.get()) != 0) failWrite(file, errno);
  if (descriptor.closeNow() != 0) failWrite(file, errno);
}

void requireWritableFolderOf(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) throw InputError({folder, "", "", "the folder cannot be made: " + code.message()});
  if (!fs::is_directory(folder, code)) throw InputError({folder, "", "a folder", "something else"});
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError({folder, "", "", std::string("the folder cannot be written: ") + std::strerror(errno)});
  }
  if (fs::is_directory(file, code)) throw InputError({file, "", "a file name", "a folder"});
}

unsigned long long freeDiskBytes(const fs::path& path) {
  fs::path place = fs::absolute(path);
  std::error_code code;
  while (!fs::exists(place, code) && place.has_parent_path() && place != place.parent_path()) {
    place = place.parent_path();
  }
  struct statvfs status {};
  if (::statvfs(place.c_str(), &status) != 0) return 0;
  return static_cast<unsigned long long>(status.f_bavail) * status.f_frsize;
}

}  // namespace plastiscope
