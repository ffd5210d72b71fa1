#pragma once
// Where sessions are kept. One window at a time writes the session that the next start restores: the first,
// whose lock dies with its process. Others write one of their own beside the earlier sessions. Any thread may
// call.
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/state_document.h"
#include "widgets/state/session_state.h"
#include "widgets/state/state_file.h"

namespace plastiscope {

// A session of an earlier run, or of another window.
struct EarlierSession {
  std::filesystem::path file;
  std::int64_t savedSeconds = 0;  // since 1970
  std::vector<SessionTab> tabs;
};

class SessionStore {
 public:
  static constexpr std::size_t kMostEarlier = 12;
  static constexpr int kVersion = kSessionVersion;
  static constexpr const char* kFormat = kSessionFormat;

  explicit SessionStore(std::filesystem::path folder);
  ~SessionStore();
  SessionStore(const SessionStore&) = delete;
  SessionStore& operator=(const SessionStore&) = delete;

  // Whether this window writes the session that the next start restores.
  bool isFirst() const;
  // This window shows another session from now on, and leaves that one to others.
  void standAside();

  // The session that a start restores. `problem` as of StateFile::read().
  SessionState read(std::string* problem = nullptr) const;
  // That of the run before, also when this window has written its own since.
  SessionState ofLastRun(std::string* problem = nullptr) const;
  // InputError or ResourceError when the place is not usable. The session of the run before is kept first.
  void write(const SessionState& state);
  // Keeps tabs that are about to give way; where they are, "" = there were none. Throws as write().
  std::filesystem::path keep(const SessionState& state);
  std::vector<EarlierSession> earlier() const;  // newest first; not the one of this window

  // Sessions that a person names; relative to nothing: paths inside are absolute. InputError when the file is
  // none, is damaged, or was written by a newer version.
  static SessionState readNamed(const std::filesystem::path& file);
  // InputError when the file is there and no session; throws as write().
  static void writeNamed(const SessionState& state, const std::filesystem::path& file);

 private:
  std::filesystem::path earlierName(std::int64_t seconds) const;
  std::filesystem::path keepContent(const Json& content, std::int64_t seconds);
  std::vector<std::filesystem::path> earlierFiles() const;  // newest first

  std::filesystem::path m_folder;
  StateFile m_file;
  mutable std::mutex m_mutex;  // of all below
  int m_lock = -1;
  bool m_first = false, m_written = false;
  std::filesystem::path m_own;  // of a window that is not the first
};

}  // namespace plastiscope
