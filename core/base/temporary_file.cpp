#include "core/base/temporary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".tmp-", kRandom = "XXXXXX";

// The permissions that open() and mkdir() would leave: mkostemp() and mkdtemp() leave only the owner's. The
// mask is read from /proc, since umask() would change it for all threads.
mode_t permissionsLeftOf(mode_t wanted) {
  std::ifstream status("/proc/self/status");
  unsigned mask = 077;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Umask:")) mask = static_cast<unsigned>(std::strtoul(line.c_str() + 6, nullptr, 8));
  }
  return wanted & ~mask;
}

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
  ::fchmod(m_descriptor.get(), permissionsLeftOf(0666));  // not every file system keeps permissions
}

TemporaryFile::~TemporaryFile() {
  if (m_state == State::Exchanged)
    uninterrupted(
        [&] { return ::renameat2(AT_FDCWD, m_path.c_str(), AT_FDCWD, m_place.c_str(), RENAME_EXCHANGE); });
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
  rename();
  m_state = State::Kept;
  syncFolderOf(m_place);
}

void TemporaryFile::exchange() {
  const int exchanged = uninterrupted(
      [&] { return ::renameat2(AT_FDCWD, m_path.c_str(), AT_FDCWD, m_place.c_str(), RENAME_EXCHANGE); });
  if (exchanged == 0) {
    m_state = State::Exchanged;
    return;
  }
  const bool nothingThere = errno == ENOENT;
  // EINVAL, ENOSYS: this file system cannot exchange, so that the old file cannot come back.
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

}  // namespace plastiscope
