#include "core/store/capture_output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/platform.h"
#include "core/store/capture_file.h"
#include "core/store/capture_parts.h"
#include "core/store/stored_file.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr const char* kLockFile = "lock";

[[noreturn]] void failBusy(const fs::path& folder, const std::string& who) {
  throw InputError({folder, "", "", who + " is capturing to this output"});
}

// Returns 0 if this descriptor now holds the lock; else errno.
int tryFileLock(int fd) {
  if (locksStayHere(fd)) return ENOLCK;
  return uninterrupted([&] { return ::flock(fd, LOCK_EX | LOCK_NB); }) == 0 ? 0 : errno;
}

// Takes a name that one process of this computer can hold until it ends. -1: it is taken.
int takeHostName(const fs::path& folder) {
  std::error_code ignored;
  const std::string name = "plastiscope " + sha256Hex(fs::weakly_canonical(folder, ignored).string());
  const int fd = takeNameOnHost(name);
  if (fd < 0 && errno != EADDRINUSE) failToWrite(folder, errno);
  return fd;
}

std::string hostName() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

// Name of another computer in the lock file; "" if there is none.
std::string otherHostIn(int lockFile) {
  std::string host(256, '\0');
  const ssize_t got = uninterrupted([&] { return ::pread(lockFile, host.data(), host.size(), 0); });
  host.resize(got > 0 ? got : 0);
  host.resize(std::min(host.size(), host.find('\n')));
  return host == hostName() ? "" : host;
}

// Removes temporary files that a killed process left next to this output. Safe because we hold the lock.
void removeLeftovers(const fs::path& out) {
  const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const bool ours = isTemporaryNameFor(entry.path().filename().string(), out);
    if (ours && entry.is_regular_file(ignored)) fs::remove(entry.path(), ignored);
  }
}

// Callback for every leaf that differs.
using Leaf = std::function<void(const std::string& place, const Json& there, const Json& now)>;

void visitDifferences(const std::string& place, const Json& there, const Json& now, const Leaf& leaf) {
  if (there == now) return;
  if (!there.is_object() || !now.is_object()) return leaf(place, there, now);
  const Json absent = Json(Json::value_t::discarded);
  Json both = there;
  both.update(now);
  for (const auto& [key, unused] : both.items()) {
    visitDifferences(place.empty() ? key : place + "." + key, there.contains(key) ? there[key] : absent,
                     now.contains(key) ? now[key] : absent, leaf);
  }
}

}  // namespace

// ---- the lock

OutputLock::OutputLock(const fs::path& out) : m_folder(folderFor(out)) {
  requireWritableFolderOf(out);
  try {
    acquire();
    removeLeftovers(out);
  } catch (...) {
    release();
    ::rmdir(m_folder.c_str());  // fails if it is not empty
    throw;
  }
}

OutputLock::OutputLock(OutputLock&& other) noexcept
    : m_folder(other.m_folder),
      m_lock(std::exchange(other.m_lock, -1)),
      m_hostLock(std::exchange(other.m_hostLock, -1)),
      m_named(std::exchange(other.m_named, false)) {}

OutputLock::~OutputLock() {
  if (m_lock < 0) return;
  std::error_code ignored;
  const auto entries = std::distance(fs::directory_iterator(m_folder, ignored), fs::directory_iterator());
  if (entries == 1) discardFolder();
  release();
}

void OutputLock::release() {
  if (m_named && ::ftruncate(m_lock, 0) != 0) {
    // the name stays: the next process on another computer reports it
  }
  m_named = false;
  for (int* fd : {&m_lock, &m_hostLock}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
}

fs::path OutputLock::folderFor(const fs::path& out) {
  fs::path folder = out;
  folder += ".partial";
  return folder;
}

bool OutputLock::isHeld(const fs::path& out) {
  const fs::path folder = folderFor(out);
  const int fd = uninterrupted([&] { return ::open((folder / kLockFile).c_str(), O_RDWR | O_CLOEXEC); });
  if (fd < 0) return false;
  const int error = tryFileLock(fd);
  ::close(fd);
  if (error == 0 || error == EWOULDBLOCK) return error != 0;
  const int name = takeHostName(folder);
  if (name >= 0) ::close(name);
  return name < 0;
}

std::string OutputLock::holderElsewhere(const fs::path& out) {
  const fs::path file = folderFor(out) / kLockFile;
  const Descriptor fd(uninterrupted([&] { return ::open(file.c_str(), O_RDWR | O_CLOEXEC); }));
  if (fd.get() < 0) return {};
  const int error = tryFileLock(fd.get());
  return error == 0 || error == EWOULDBLOCK ? "" : otherHostIn(fd.get());
}

// The previous owner removes the lock file when it finishes, so after locking we check that the file still
// has this name.
void OutputLock::acquire() {
  const fs::path file = m_folder / kLockFile;
  while (true) {
    if (uninterrupted([&] { return ::mkdir(m_folder.c_str(), 0777); }) != 0 && errno != EEXIST)
      failToWrite(m_folder, errno);
    const int fd = uninterrupted([&] { return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
    if (fd < 0 && errno == ENOENT) continue;
    if (fd < 0) failToWrite(file, errno);
    m_lock = fd;
    const int error = tryFileLock(fd);
    if (error == EWOULDBLOCK) failBusy(m_folder, "another process");
    if (error != 0 && !lockWithoutFileLocks()) failBusy(m_folder, "another process");
    struct stat mine {
    }, named{};
    const bool same = ::fstat(fd, &mine) == 0 && ::stat(file.c_str(), &named) == 0 &&
                      mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
    if (same) return writeName();
    release();
  }
}

// For file systems without locks, such as some network file systems: binds a name that only one process of
// this computer can hold, and writes the computer's name to the lock file for other computers. False if
// another process of this computer has the name.
bool OutputLock::lockWithoutFileLocks() {
  m_hostLock = takeHostName(m_folder);
  if (m_hostLock < 0) return false;
  const fs::path file = m_folder / kLockFile;
  const std::string host = otherHostIn(m_lock);
  if (!host.empty()) {
    throw InputError({m_folder, "", "",
                      "a process on " + host + " is capturing to this output; if it no longer runs, remove " +
                          file.string()});
  }
  return true;
}

// Writes this computer's name for computers that do not see the lock. Must succeed if there is no other lock.
void OutputLock::writeName() {
  const std::string mine = hostName() + "\n";
  m_named = ::ftruncate(m_lock, 0) == 0 &&
            ::pwrite(m_lock, mine.data(), mine.size(), 0) == static_cast<ssize_t>(mine.size());
  if (m_hostLock < 0) return;
  if (!m_named) failToWrite(m_folder / kLockFile, errno);
  ::fsync(m_lock);
}

// Removes the lock last, so that no other process starts before; afterwards the folder may belong to another
// process.
void OutputLock::discardFolder() {
  std::error_code ignored;  // files that cannot be removed do no harm
  for (const auto& entry : fs::directory_iterator(m_folder, ignored)) {
    if (entry.path().filename() != kLockFile) fs::remove_all(entry.path(), ignored);
  }
  ::unlink((m_folder / kLockFile).c_str());
  ::rmdir(m_folder.c_str());
  release();
}

// ---- what is there

std::string settingDifferences(const Json& there, const Json& now, const std::string& thereWord,
                               const std::string& nowWord) {
  const auto text = [](const Json& value) { return value.is_discarded() ? "absent" : canonicalJson(value); };
  std::string all;
  visitDifferences("", there, now, [&](const std::string& place, const Json& one, const Json& other) {
    all += (all.empty() ? "" : "; ") + place + ": " + text(one) + " " + thereWord + ", " + text(other) + " " +
           nowWord;
  });
  return all;
}

bool isFinishedCapture(const fs::path& out, const Json& settings, bool texts) {
  std::error_code code;
  if (!fs::is_regular_file(out, code)) return false;
  try {
    const StoredFile file(out);
    if (file.kind() != FileType::Capture) return false;
    const auto capture = file.capture();
    Json stored = capture->info().settings, asked = settings;
    for (Json* each : {&stored, &asked}) each->erase(kTokenWarnings);  // missing in earlier versions
    std::string differences = settingDifferences(stored, asked);
    if (capture->hasTexts() != texts) {
      differences += std::string(differences.empty() ? "" : "; ") +
                     (texts ? "texts: not stored there" : "texts: stored there, not requested now");
    }
    if (!differences.empty()) {
      throw UsageError(out.string() + " is a capture with other settings (" + differences +
                       "); choose another --out, or --fresh to replace it");
    }
    if (file.seal() != FileSeal::Intact)
      throw InputError({out, "", "a finished capture", "a file that was changed or cut short"});
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) + "; --fresh replaces it");
  }
  return true;
}

}  // namespace plastiscope
