#pragma once
// File descriptors: closed once, calls repeated after a signal, failures told apart.
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace plastiscope {

// Calls until no signal interrupts it.
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : m_fd(fd) {}
  Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return m_fd; }
  bool valid() const { return m_fd >= 0; }
  // 0, or the error. An interrupted close is not repeated: the descriptor is gone, and may be another file's.
  int close();

 private:
  int m_fd;
};

// Whole, at the current place. InputError, ResourceError that name `file`.
void writeFully(int fd, std::span<const std::byte> content, const std::filesystem::path& file);

// ResourceError when `error` means a full disk or a used up quota, else InputError.
[[noreturn]] void failToWrite(const std::filesystem::path& file, int error);

// fsync of the folder that holds `file`, after a rename. Some file systems refuse; the rename stands anyway.
void syncFolderOf(const std::filesystem::path& file);

}  // namespace plastiscope
