#pragma once
// Stores sessions. Only the first window writes the session that the next start restores; its lock ends with
// its process. Other windows write their own session beside the earlier ones. Thread-safe.
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
  static constexpr std::size_t kMaxEarlier = 12;
  static constexpr int kVersion = kSessionVersion;
  static constexpr const char* kFormat = kSessionFormat;

  explicit SessionStore(std::filesystem::path folder);
  ~SessionStore();
  SessionStore(const SessionStore&) = delete;
  SessionStore& operator=(const SessionStore&) = delete;

  // True if this window writes the session that the next start restores.
  bool isFirst() const;
  // Called when this window shows another session: releases the main session to other windows.
  void standAside();

  // The session restored at a start. `problem` as in StateFile::read().
  SessionState read(std::string* problem = nullptr) const;
  // The session of the previous run, even if this window has written its own since.
  SessionState ofLastRun(std::string* problem = nullptr) const;
  // Saves the previous run's session first. InputError or ResourceError when the folder is not usable.
  void write(const SessionState& state);
  // Saves tabs that will be replaced; returns the file, "" = there were no tabs. Throws like write().
  std::filesystem::path keep(const SessionState& state);
  std::vector<EarlierSession> earlier() const;  // newest first; not the one of this window

  // Session files of the user with absolute paths. InputError for a file that is no session, is damaged, or
  // was written by a newer version.
  static SessionState readNamed(const std::filesystem::path& file);
  // InputError when the file exists and is no session; throws like write().
  static void writeNamed(const SessionState& state, const std::filesystem::path& file);

 private:
  std::filesystem::path earlierName(std::int64_t seconds) const;
  std::filesystem::path keepContent(const Json& content, std::int64_t seconds);
  std::vector<std::filesystem::path> earlierFiles() const;  // newest first

  std::filesystem::path m_folder;
  StateFile m_file;
  mutable std::mutex m_mutex;  // guards all members below
  int m_lock = -1;
  bool m_first = false, m_written = false;
  std::filesystem::path m_own;  // file of a window other than the first
};

}  // namespace plastiscope
