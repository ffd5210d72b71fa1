#pragma once
// Settings, sessions and the index of studies, kept between starts of the program. Their small files are
// written in a worker, one after another, since disks may be slow.
#include <QObject>
#include <QThreadPool>
#include <functional>

#include "app/desktop/session_resolver.h"
#include "core/base/state_file.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

class UserState : public QObject {
  Q_OBJECT
 public:
  explicit UserState(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return m_folder; }
  AppSettings& settings() { return m_settings; }
  SessionStore& sessions() { return m_sessions; }
  const std::shared_ptr<StudyIndex>& index() const { return m_index; }

  // All three write asynchronously. `problem`: message if the file cannot be written, %1 = reason.
  void saveSettings();
  void saveSession(const SessionState& session);
  void writeLater(std::function<void()> file, const QString& problem);
  void finishWriting() { m_writing.waitForDone(); }

  std::filesystem::path captureFolder() const;
  // The capture folder, and folders of earlier captures: all are shown in the library.
  std::vector<std::filesystem::path> captureFolders() const;
  void keepFolder(const std::filesystem::path& folder);  // adds to captureFolders()
  // Places to search for moved files; `beside` first.
  SearchPlaces searchPlaces(const std::filesystem::path& beside = {}) const;
  void addRecent(const std::filesystem::path& path, const std::string& note, const std::string& architecture);

 Q_SIGNALS:
  void recentChanged();
  void failed(const QString& sentence);

 private:
  std::filesystem::path m_folder;
  StateFile m_settingsFile;
  SessionStore m_sessions;
  std::shared_ptr<StudyIndex> m_index;
  AppSettings m_settings;
  QThreadPool m_writing;  // one thread; destroyed first
};

}  // namespace plastiscope
