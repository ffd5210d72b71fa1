#include "core/base/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/platform.h"

namespace plastiscope {

namespace fs = std::filesystem;

int Descriptor::close() {
  if (m_fd < 0) return 0;
  const int result = ::close(std::exchange(m_fd, -1));
  return result == 0 || errno == EINTR ? 0 : errno;
}

void writeFully(int fd, std::span<const std::byte> content, const std::filesystem::path& file) {
  while (!content.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(fd, content.data(), content.size()); });
    if (written < 0) failToWrite(file, errno);
    content = content.subspan(written);
  }
}

const char* noRoomWords(int error) {
  switch (error) {
    case ENOSPC:
      return "the disk is full";
    case EDQUOT:
      return "the quota on this disk is used up";
    case EFBIG:
      return "it would exceed the largest file size allowed here";
    default:
      return nullptr;
  }
}

void failToWrite(const std::filesystem::path& file, int error) {
  if (const char* const words = noRoomWords(error))
    throw ResourceError(file.string() + ": " + words + ": " + std::strerror(error));
  throw InputError({file, "", "", std::string("cannot be written: ") + std::strerror(error)});
}

void syncFolderOf(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const Descriptor descriptor(
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (descriptor.valid()) uninterrupted([&] { return ::fsync(descriptor.get()); });
}

namespace {

constexpr std::size_t kMaxAtOnce = std::size_t{1} << 30;  // Linux reads at most 2 GiB per call

}  // namespace

InputFile::InputFile(std::filesystem::path file) : m_path(std::move(file)) {
  struct stat status {};
  // Checked before opening, because opening alone can trigger some devices.
  if (::stat(m_path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw InputError({m_path, "", "a regular file", kindOfPlace(status.st_mode)});
  m_descriptor = Descriptor(
      uninterrupted([&] { return ::open(m_path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); }));
  if (!m_descriptor.valid()) {
    const int error = errno;
    std::error_code code;
    const std::string target = error == ENOENT ? fs::read_symlink(m_path, code).string() : "";
    if (target.empty())
      throw InputError({m_path, "", "", std::string("cannot be opened: ") + std::strerror(error)});
    const bool annex = target.find(".git/annex/") != std::string::npos;
    throw InputError({m_path, "", "a file",
                      "a link to " + sanitized(target) + ", which is not there" +
                          (annex ? ": run 'git annex get' on it" : "")});
  }
  if (::fstat(m_descriptor.get(), &status) != 0)
    throw InputError({m_path, "", "", std::string("cannot be opened: ") + std::strerror(errno)});
  if (!S_ISREG(status.st_mode)) throw InputError({m_path, "", "a regular file", kindOfPlace(status.st_mode)});
  m_size = static_cast<std::uint64_t>(status.st_size);
}

std::size_t InputFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = uninterrupted([&] {
      return ::pread(m_descriptor.get(), out.data() + done, std::min(out.size() - done, kMaxAtOnce),
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

namespace {

// mkostemp() and mkdtemp() grant access to the owner only.
mode_t permissionsLeftOf(mode_t wanted) {
  return wanted & ~currentUmask();
}

constexpr std::string_view kMark = ".tmp-", kRandom = "XXXXXX";

std::string patternFor(const fs::path& place) {
  return place.string() + std::string(kMark) + std::to_string(::getpid()) + "-" + std::string(kRandom);
}

}  // namespace

bool isTemporaryNameFor(std::string_view name, const fs::path& place) {
  const std::string start = place.filename().string() + std::string(kMark);
  if (!name.starts_with(start)) return false;
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t dash = name.find_first_not_of(kDigits, start.size());
  if (dash == std::string_view::npos || dash == start.size() || name[dash] != '-') return false;
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return name.size() == dash + 1 + kRandom.size() &&
         name.find_first_not_of(kLetters, dash + 1) == std::string_view::npos;
}

// ---- a file

TemporaryFile::TemporaryFile(fs::path place) : m_place(std::move(place)) {
  std::string name;
  m_descriptor = Descriptor(uninterrupted([&] {
    name = patternFor(m_place);
    return ::mkostemp(name.data(), O_CLOEXEC);
  }));
  if (!m_descriptor.valid()) failToWrite(m_place, errno);
  m_path = name;
  ::fchmod(m_descriptor.get(), permissionsLeftOf(0666));  // fails on some file systems
}

TemporaryFile::~TemporaryFile() {
  if (m_state == State::Exchanged) uninterrupted([&] { return exchangeFiles(m_path, m_place); });
  if (m_state == State::New) ::unlink(m_place.c_str());
  if (m_state == State::Beside || m_state == State::Exchanged) ::unlink(m_path.c_str());
}

void TemporaryFile::write(std::span<const std::byte> content) {
  writeFully(m_descriptor.get(), content, m_place);
}

void TemporaryFile::finish() {
  if (uninterrupted([&] { return ::fsync(m_descriptor.get()); }) != 0) failToWrite(m_place, errno);
  if (const int error = m_descriptor.close(); error != 0) failToWrite(m_place, error);
}

void TemporaryFile::rename() {
  if (uninterrupted([&] { return ::rename(m_path.c_str(), m_place.c_str()); }) != 0)
    failToWrite(m_place, errno);
}

void TemporaryFile::take() {
  takeBeforeSync();
  syncFolderOf(m_place);
}

void TemporaryFile::takeBeforeSync() {
  rename();
  m_state = State::Kept;
}

void TemporaryFile::exchange() {
  if (uninterrupted([&] { return exchangeFiles(m_path, m_place); }) == 0) {
    m_state = State::Exchanged;
    return;
  }
  const bool nothingThere = errno == ENOENT;
  // EINVAL, ENOSYS: the file system cannot exchange files, so the old file cannot be restored later.
  if (!nothingThere && errno != EINVAL && errno != ENOSYS) failToWrite(m_place, errno);
  rename();
  m_state = nothingThere ? State::New : State::Kept;
}

void TemporaryFile::keep() {
  if (m_state == State::Exchanged) ::unlink(m_path.c_str());
  m_state = State::Kept;
}

// ---- a folder

TemporaryFolder::TemporaryFolder(fs::path place) : m_place(std::move(place)) {
  std::string name;
  const int made = uninterrupted([&] {
    name = patternFor(m_place);
    return ::mkdtemp(name.data()) == nullptr ? -1 : 0;
  });
  if (made != 0) failToWrite(m_place, errno);
  m_path = name;
  ::chmod(m_path.c_str(), permissionsLeftOf(0777));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!m_placed) fs::remove_all(m_path, ignored);
}

void TemporaryFolder::take() {
  syncFolderOf(m_path / "content");
  if (uninterrupted([&] { return ::rename(m_path.c_str(), m_place.c_str()); }) != 0)
    failToWrite(m_place, errno);
  m_placed = true;
  syncFolderOf(m_place);
}

void occupyStandardDescriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // open() takes the lowest free number, which is this one. The opposite access mode makes reads and writes
    // fail as they would on a closed descriptor.
    uninterrupted([&] { return ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); });
  }
}

void requireOutputWritten() {
  std::cout.flush();
  const bool failed = std::fflush(stdout) != 0;
  if (!failed && std::ferror(stdout) == 0) return;
  int error = errno;
  // An earlier failure set ferror() but errno is lost. Write a line end to get the error again; the output is
  // incomplete anyway.
  if (!failed) error = uninterrupted([] { return ::write(STDOUT_FILENO, "\n", 1); }) < 0 ? errno : EIO;
  failToWrite("standard output", error);
}

}  // namespace plastiscope
