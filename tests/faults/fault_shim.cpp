// A library for LD_PRELOAD that lets one chosen system call or allocation of a program fail, or ends the
// program there. Environment variables control it:
// - PLASTISCOPE_FAULT_CALLS: counted calls joined with ',': open create write fsync fsyncdir rename mkdir
//   unlink alloc
// - PLASTISCOPE_FAULT_UNDER: only calls on files below this folder count, and allocations after the first one
// - PLASTISCOPE_FAULT_STATE: file of 8 bytes with the count, shared by a program and its children
// - PLASTISCOPE_FAULT_AT: the call that is hit, from 1; 0: calls are only counted
// - PLASTISCOPE_FAULT_ERROR: its errno; -1: half of a write; -2: SIGKILL before the call; -3: after it
// - PLASTISCOPE_FAULT_ALWAYS: 1: every later call fails too, as on a full disk
// Allocations count from 64 KiB on.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

constexpr std::size_t kLargeAllocation = 64 << 10;

enum class Fate { None, Fail, Half, KillBefore, KillAfter };

// Read once, by the first intercepted call. No allocation happens here: malloc is among the calls.
struct Plan {
  char calls[128] = {}, under[PATH_MAX] = {};
  std::int64_t at = 0;
  int error = 0;
  bool always = false;
  std::atomic<std::int64_t>* counter = nullptr;
};

Plan* readPlan() {
  static Plan plan;
  const char* calls = ::getenv("PLASTISCOPE_FAULT_CALLS");
  const char* under = ::getenv("PLASTISCOPE_FAULT_UNDER");
  const char* state = ::getenv("PLASTISCOPE_FAULT_STATE");
  if (calls == nullptr || under == nullptr || state == nullptr) return nullptr;
  std::snprintf(plan.calls, sizeof plan.calls, ",%s,", calls);
  std::snprintf(plan.under, sizeof plan.under, "%s", under);
  if (const char* at = ::getenv("PLASTISCOPE_FAULT_AT")) plan.at = std::atoll(at);
  if (const char* error = ::getenv("PLASTISCOPE_FAULT_ERROR")) plan.error = std::atoi(error);
  if (const char* always = ::getenv("PLASTISCOPE_FAULT_ALWAYS")) plan.always = std::atoi(always) != 0;
  const int fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, state, O_RDWR | O_CLOEXEC, 0));
  if (fd < 0) return nullptr;
  void* const place = ::mmap(nullptr, sizeof(std::int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  if (place == MAP_FAILED) return nullptr;
  plan.counter = static_cast<std::atomic<std::int64_t>*>(place);
  return &plan;
}

Plan* plan() {
  static Plan* const known = readPlan();
  return known;
}

std::atomic<bool> placeWasUsed{false};

bool isUnder(const char* path) {
  char whole[PATH_MAX];
  if (path == nullptr) return false;
  if (path[0] != '/') {
    char folder[PATH_MAX / 2];
    if (::getcwd(folder, sizeof folder) == nullptr) return false;
    std::snprintf(whole, sizeof whole, "%s/%s", folder, path);
    path = whole;
  }
  if (std::strncmp(path, plan()->under, std::strlen(plan()->under)) != 0) return false;
  placeWasUsed = true;
  return true;
}

bool isUnder(int fd) {
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = ::readlink(link, path, sizeof path - 1);
  if (length <= 0 || path[0] != '/') return false;  // for example a pipe
  path[length] = '\0';
  return isUnder(path);
}

bool counts(const char* call) {
  char wanted[32];
  std::snprintf(wanted, sizeof wanted, ",%s,", call);
  return std::strstr(plan()->calls, wanted) != nullptr;
}

// Counts a call and returns its planned outcome; errno is set when it fails.
Fate hit() {
  const std::int64_t number = plan()->counter->fetch_add(1) + 1;
  const bool mine = plan()->at > 0 && (number == plan()->at || (plan()->always && number > plan()->at));
  if (!mine) return Fate::None;
  if (plan()->error == -1) return Fate::Half;
  if (plan()->error == -3) return Fate::KillAfter;
  if (plan()->error == -2) ::kill(::getpid(), SIGKILL);
  errno = plan()->error;
  return Fate::Fail;
}

template <typename Place>
Fate fateOf(const char* call, Place place) {
  return plan() != nullptr && isUnder(place) && counts(call) ? hit() : Fate::None;
}

const char* openCall(int flags) {
  return (flags & O_CREAT) != 0 ? "create" : "open";
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

// The real call, or what was planned instead of it.
template <typename Call, typename Result>
Result withFate(Fate fate, Result failed, Call call) {
  if (fate == Fate::Fail) return failed;
  const Result result = call();
  if (fate == Fate::KillAfter) ::kill(::getpid(), SIGKILL);
  return result;
}

mode_t modeOf(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

bool isFolder(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

// HDF5 1.10.8 does not survive every refusal. It frees cached memory and asks again; if that succeeds,
// H5FL_blk_malloc continues with a node of its list that it has just freed; if it fails too, H5AC_create uses
// the missing cache. Qt does not check allocations for the fonts of a PDF and draws on without the memory
// that FreeType and zlib lack. Allocations of these libraries are left alone.
bool isOfLibrary(const void* caller) {
  Dl_info of{};
  if (::dladdr(caller, &of) == 0 || of.dli_fname == nullptr) return false;
  for (const char* library : {"libhdf5", "libQt6", "libfontconfig", "libfreetype", "libharfbuzz", "libz."}) {
    if (std::strstr(of.dli_fname, library) != nullptr) return true;
  }
  return false;
}

// Without a buffer MKL computes differently, with other last digits. Its memory manager, whose functions
// lie around mkl_serv_allocate, is left alone.
bool isOfMkl(const void* caller) {
  constexpr std::intptr_t kReach = 64 << 10;
  static const void* const manager = ::dlsym(RTLD_DEFAULT, "mkl_serv_allocate");
  return manager != nullptr && std::abs(reinterpret_cast<std::intptr_t>(caller) -
                                        reinterpret_cast<std::intptr_t>(manager)) < kReach;
}

Fate allocationFate(std::size_t size, const void* caller) {
  if (size < kLargeAllocation || !placeWasUsed || plan() == nullptr || !counts("alloc") ||
      isOfLibrary(caller) || isOfMkl(caller))
    return Fate::None;
  return hit();
}

}  // namespace

extern "C" {

#define OPEN_WRAPPER(NAME)                                                                       \
  int NAME(const char* path, int flags, ...) {                                                   \
    static const auto real = next<int (*)(const char*, int, ...)>(#NAME);                        \
    va_list arguments;                                                                           \
    va_start(arguments, flags);                                                                  \
    const mode_t mode = modeOf(flags, arguments);                                                \
    va_end(arguments);                                                                           \
    return withFate(fateOf(openCall(flags), path), -1, [&] { return real(path, flags, mode); }); \
  }
OPEN_WRAPPER(open)
OPEN_WRAPPER(open64)

#define OPENAT_WRAPPER(NAME)                                                                   \
  int NAME(int folder, const char* path, int flags, ...) {                                     \
    static const auto real = next<int (*)(int, const char*, int, ...)>(#NAME);                 \
    va_list arguments;                                                                         \
    va_start(arguments, flags);                                                                \
    const mode_t mode = modeOf(flags, arguments);                                              \
    va_end(arguments);                                                                         \
    const bool whole = folder == AT_FDCWD || path[0] == '/';                                   \
    const Fate fate = whole ? fateOf(openCall(flags), path) : fateOf(openCall(flags), folder); \
    return withFate(fate, -1, [&] { return real(folder, path, flags, mode); });                \
  }
OPENAT_WRAPPER(openat)
OPENAT_WRAPPER(openat64)

#define STREAM_WRAPPER(NAME)                                                                       \
  FILE* NAME(const char* path, const char* mode) {                                                 \
    static const auto real = next<FILE* (*)(const char*, const char*)>(#NAME);                     \
    return withFate(fateOf(mode[0] == 'r' ? "open" : "create", path), static_cast<FILE*>(nullptr), \
                    [&] { return real(path, mode); });                                             \
  }
STREAM_WRAPPER(fopen)
STREAM_WRAPPER(fopen64)

#define TEMPORARY_WRAPPER(NAME)                                           \
  int NAME(char* path, int flags) {                                       \
    static const auto real = next<int (*)(char*, int)>(#NAME);            \
    return withFate(fateOf("create", static_cast<const char*>(path)), -1, \
                    [&] { return real(path, flags); });                   \
  }
TEMPORARY_WRAPPER(mkostemp)
TEMPORARY_WRAPPER(mkostemp64)

#define WRITE_WRAPPER(NAME, OFFSET)                                                           \
  ssize_t NAME(int fd, const void* data, std::size_t size, OFFSET offset) {                   \
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t, OFFSET)>(#NAME); \
    const Fate fate = fateOf("write", fd);                                                    \
    if (fate == Fate::Half) size = (size + 1) / 2;                                            \
    return withFate(fate, ssize_t{-1}, [&] { return real(fd, data, size, offset); });         \
  }
WRITE_WRAPPER(pwrite, off_t)
WRITE_WRAPPER(pwrite64, off64_t)

ssize_t write(int fd, const void* data, std::size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  const Fate fate = fateOf("write", fd);
  if (fate == Fate::Half) size = (size + 1) / 2;
  return withFate(fate, ssize_t{-1}, [&] { return real(fd, data, size); });
}

ssize_t writev(int fd, const iovec* parts, int count) {
  static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
  const Fate fate = fateOf("write", fd);
  if (fate == Fate::Half) count = 1;
  return withFate(fate, ssize_t{-1}, [&] { return real(fd, parts, count); });
}

int fsync(int fd) {
  static const auto real = next<int (*)(int)>("fsync");
  return withFate(fateOf(isFolder(fd) ? "fsyncdir" : "fsync", fd), -1, [&] { return real(fd); });
}

int fdatasync(int fd) {
  static const auto real = next<int (*)(int)>("fdatasync");
  return withFate(fateOf("fsync", fd), -1, [&] { return real(fd); });
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return withFate(fateOf("rename", to), -1, [&] { return real(from, to); });
}

int mkdir(const char* path, mode_t mode) {
  static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
  return withFate(fateOf("mkdir", path), -1, [&] { return real(path, mode); });
}

char* mkdtemp(char* path) {
  static const auto real = next<char* (*)(char*)>("mkdtemp");
  return withFate(fateOf("mkdir", static_cast<const char*>(path)), static_cast<char*>(nullptr),
                  [&] { return real(path); });
}

int unlink(const char* path) {
  static const auto real = next<int (*)(const char*)>("unlink");
  return withFate(fateOf("unlink", path), -1, [&] { return real(path); });
}

int unlinkat(int folder, const char* path, int flags) {
  static const auto real = next<int (*)(int, const char*, int)>("unlinkat");
  const Fate fate = folder == AT_FDCWD ? fateOf("unlink", path) : fateOf("unlink", folder);
  return withFate(fate, -1, [&] { return real(folder, path, flags); });
}

void* malloc(std::size_t size) {
  return allocationFate(size, __builtin_return_address(0)) == Fate::Fail ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  const bool sane = !__builtin_mul_overflow(count, size, &bytes);
  return sane && allocationFate(bytes, __builtin_return_address(0)) == Fate::Fail
             ? nullptr
             : __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  return allocationFate(size, __builtin_return_address(0)) == Fate::Fail ? nullptr
                                                                         : __libc_realloc(block, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocationFate(size, __builtin_return_address(0)) == Fate::Fail ? nullptr
                                                                         : __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (allocationFate(size, __builtin_return_address(0)) == Fate::Fail) return ENOMEM;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"
