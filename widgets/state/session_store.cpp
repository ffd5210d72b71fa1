#include "widgets/state/session_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <QDateTime>
#include <QTimeZone>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr const char *kEnd = ".json", *kTime = "yyyy-MM-dd hh.mm.ss";
constexpr int kTimeLength = 19;

StateFile document(const fs::path& file) {
  return {file, SessionStore::kFormat, SessionStore::kVersion, StateFile::Copies::None};
}

std::int64_t changedSeconds(const fs::path& file) {
  std::error_code failed;
  const auto time = fs::last_write_time(file, failed);
  if (failed) return QDateTime::currentSecsSinceEpoch();
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

std::int64_t secondsIn(const fs::path& name) {
  const QDateTime read = QDateTime::fromString(
      QString::fromStdString(name.filename().string()).left(kTimeLength), QString::fromLatin1(kTime));
  const QDateTime time(read.date(), read.time(), QTimeZone::utc());
  return time.isValid() ? time.toSecsSinceEpoch() : changedSeconds(name);
}

// -1: another process holds the lock. Where locks are not supported the window is the first one.
std::optional<int> lockOf(const fs::path& file) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return std::nullopt;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const bool held = errno == EWOULDBLOCK;
  ::close(fd);
  return held ? std::optional(-1) : std::nullopt;
}

}  // namespace

SessionStore::SessionStore(fs::path folder)
    : m_folder(std::move(folder)), m_file(m_folder / "session.json", kFormat, kVersion) {
  const auto lock = lockOf(m_folder / "session.lock");
  m_lock = lock.value_or(-1);
  m_first = !(lock && *lock < 0) && !m_file.isOfNewerVersion();
}

SessionStore::~SessionStore() {
  if (m_lock >= 0) ::close(m_lock);
}

bool SessionStore::isFirst() const {
  const std::lock_guard lock(m_mutex);
  return m_first;
}

void SessionStore::standAside() {
  const std::lock_guard lock(m_mutex);
  m_first = false;
  if (m_lock >= 0) ::close(std::exchange(m_lock, -1));
}

SessionState SessionStore::read(std::string* problem) const {
  return SessionState::fromJson(m_file.read(problem));
}

SessionState SessionStore::ofLastRun(std::string* problem) const {
  const std::lock_guard lock(m_mutex);
  if (!m_written) return read(problem);
  const std::vector<fs::path> files = earlierFiles();
  return files.empty() ? SessionState() : SessionState::fromJson(document(files.front()).read(problem));
}

void SessionStore::write(const SessionState& state) {
  const std::lock_guard lock(m_mutex);
  if (!m_first) {
    if (m_own.empty()) m_own = earlierName(QDateTime::currentSecsSinceEpoch());
    return document(m_own).write(state.toJson());
  }
  if (!std::exchange(m_written, true)) {
    if (const Json before = m_file.read(); !SessionState::fromJson(before).tabs.empty())
      keepContent(before, changedSeconds(m_file.path()));
  }
  m_file.write(state.toJson());
}

fs::path SessionStore::keep(const SessionState& state) {
  const std::lock_guard lock(m_mutex);
  return state.tabs.empty() ? fs::path() : keepContent(state.toJson(), QDateTime::currentSecsSinceEpoch());
}

// Names sort by time, within one second by number; the process id makes them unique.
fs::path SessionStore::earlierName(std::int64_t seconds) const {
  const std::string time =
      QDateTime::fromSecsSinceEpoch(seconds).toUTC().toString(QString::fromLatin1(kTime)).toStdString();
  int number = 0;
  for (const fs::path& file : earlierFiles()) {
    const std::string name = file.filename().string();
    if (name.starts_with(time + "-") && name.size() > time.size() + 4)
      number = std::max(number, std::atoi(name.substr(time.size() + 1, 3).c_str()) + 1);
  }
  char tail[40];
  std::snprintf(tail, sizeof tail, "-%03d %d%s", number % 1000, static_cast<int>(::getpid()), kEnd);
  return m_folder / "sessions" / (time + tail);
}

fs::path SessionStore::keepContent(const Json& content, std::int64_t seconds) {
  std::vector<fs::path> files = earlierFiles();
  if (!files.empty() && document(files.front()).read() == content) return files.front();
  const fs::path kept = earlierName(seconds);
  document(kept).write(content);
  files = earlierFiles();
  std::error_code ignored;
  for (std::size_t i = kMaxEarlier; i < files.size(); ++i) fs::remove(files[i], ignored);
  return kept;
}

std::vector<fs::path> SessionStore::earlierFiles() const {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& each : fs::directory_iterator(m_folder / "sessions", failed)) {
    if (each.path().extension() == kEnd && each.path() != m_own) files.push_back(each.path());
  }
  std::sort(files.rbegin(), files.rend());
  return files;
}

std::vector<EarlierSession> SessionStore::earlier() const {
  const std::lock_guard lock(m_mutex);
  std::vector<EarlierSession> sessions;
  for (const fs::path& file : earlierFiles()) {
    if (sessions.size() == kMaxEarlier) break;
    SessionState state = SessionState::fromJson(document(file).read());
    if (!state.tabs.empty()) sessions.push_back({file, secondsIn(file), std::move(state.tabs)});
  }
  return sessions;
}

SessionState SessionStore::readNamed(const fs::path& file) {
  return SessionState::fromJson(document(file).require());
}

void SessionStore::writeNamed(const SessionState& state, const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored) && stateFormatOf(file) != kFormat)
    throw InputError({file, "", "a new file or a session", "another file"});
  if (document(file).isOfNewerVersion())
    throw InputError(
        {file, "", "", "a newer version of Plastiscope wrote this session; choose another name"});
  document(file).write(state.toJson());
}

}  // namespace plastiscope
