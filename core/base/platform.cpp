#include "core/base/platform.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/base/memory.h"

#if defined(__linux__) && !defined(PLASTISCOPE_PLAIN_POSIX)
#define IS_LINUX 1
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#else
#define IS_LINUX 0
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

#if IS_LINUX
// The number behind `key` at the start of a line, in the given base; the largest one if there is none.
unsigned long long lineOf(const char* file, const std::string& key, int base = 10) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(key)) return std::strtoull(line.c_str() + key.size(), nullptr, base);
  }
  return std::numeric_limits<unsigned long long>::max();
}
#else
int closedOnExec(int ends[2]) {
  return std::min(::fcntl(ends[0], F_SETFD, FD_CLOEXEC), ::fcntl(ends[1], F_SETFD, FD_CLOEXEC));
}
#endif

}  // namespace

int exchangeFiles([[maybe_unused]] const fs::path& one, [[maybe_unused]] const fs::path& other) {
#if IS_LINUX
  return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int renameToFree(const fs::path& from, const fs::path& to) {
#if IS_LINUX
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
#else
  return ::link(from.c_str(), to.c_str()) == 0 ? ::unlink(from.c_str()) : -1;
#endif
}

mode_t currentUmask() {
#if IS_LINUX  // umask() would change it for all threads
  const unsigned long long mask = lineOf("/proc/self/status", "Umask:", 8);
  if (mask <= 0777) return static_cast<mode_t>(mask);
#endif
  return 077;
}

void dropCachedPages([[maybe_unused]] int fd, [[maybe_unused]] off_t offset, [[maybe_unused]] off_t size) {
#if IS_LINUX
  ::posix_fadvise(fd, offset, size, POSIX_FADV_DONTNEED);
#endif
}

bool locksStayHere([[maybe_unused]] int fd) {
#if IS_LINUX
  struct stat file {};
  if (::fstat(fd, &file) != 0) return false;
  const std::string device = std::to_string(major(file.st_dev)) + ":" + std::to_string(minor(file.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent, of;
    if (words >> id >> parent >> of && of == device) return line.find(" - fuse.sshfs ") != std::string::npos;
  }
#endif
  return false;
}

int takeNameOnHost(const std::string& name) {
#if IS_LINUX  // an abstract socket name, without a file
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::bind(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0) return fd;
#else
  const fs::path file = fs::temp_directory_path() / name;
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
#endif
  const int error = errno == EWOULDBLOCK ? EADDRINUSE : errno;
  ::close(fd);
  errno = error;
  return -1;
}

fs::path ownProgram() {
#if defined(__APPLE__)
  char path[4096];
  std::uint32_t size = sizeof path;
  return ::_NSGetExecutablePath(path, &size) == 0 ? fs::path(path) : fs::path();
#else
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none);
#endif
}

int makePipe(int ends[2]) {
#if IS_LINUX
  return ::pipe2(ends, O_CLOEXEC);
#else
  return ::pipe(ends) == 0 ? closedOnExec(ends) : -1;
#endif
}

int makeSocketPair(int ends[2]) {
#if IS_LINUX
  return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
#else
  return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 ? closedOnExec(ends) : -1;
#endif
}

ssize_t sendQuietly(int socket, std::span<const std::byte> bytes) {
#if defined(MSG_NOSIGNAL)
  return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
#else
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
  return ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
#endif
}

void endWithParent() {
#if IS_LINUX
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

void lowerThreadPriority() {
#if IS_LINUX  // elsewhere it would be that of the process
  ::setpriority(PRIO_PROCESS, 0, 19);
#endif
}

bool mayUseTileRegisters() {
#if IS_LINUX && defined(__x86_64__)
  constexpr long kAskPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, kAskPermission, kTileData) == 0;
#else
  return false;
#endif
}

unsigned long long unusedMemoryBytes() {
#if IS_LINUX
  return std::min(1024 * lineOf("/proc/meminfo", "MemAvailable:"),
                  controlGroupMemoryLeft("/proc/self/cgroup", "/sys/fs/cgroup"));
#else
  return static_cast<unsigned long long>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
#endif
}

unsigned long long addressSpaceBytes() {
  unsigned long long pages = 0;
#if IS_LINUX
  std::ifstream("/proc/self/statm") >> pages;
#endif
  return pages * ::sysconf(_SC_PAGESIZE);
}

void keepFreedMemory([[maybe_unused]] bool keep) {
#if IS_LINUX && defined(__GLIBC__)
  constexpr int kLargestHeld = 32 << 20;  // glibc's maximum; the rows of a head are smaller
  // glibc starts lower and adapts to freed blocks until the threshold is set, which cannot be undone.
  constexpr int kUsuallyHeld = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, keep ? kLargestHeld : kUsuallyHeld);
  mallopt(M_TRIM_THRESHOLD, keep ? 8 * kLargestHeld : kUsuallyHeld);
  if (!keep) malloc_trim(0);
#endif
}

}  // namespace plastiscope
