#include "app/desktop/user_state.h"

#include <QDateTime>
#include <algorithm>

#include "core/base/json.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kSettingsVersion = 1;

}  // namespace

UserState::UserState(fs::path folder)
    : m_folder(std::move(folder)),
      m_settingsFile(m_folder / "settings.json", "plastiscope-settings", kSettingsVersion),
      m_sessions(m_folder),
      m_index(std::make_shared<StudyIndex>(m_folder)),
      m_settings(AppSettings::fromJson(m_settingsFile.read())) {
  m_writing.setMaxThreadCount(1);
  m_settings.captureFolder = captureFolder();  // kept even if the default changes
  setKnownLooks(m_settings.looks);
}

void UserState::saveSettings() {
  m_settings.looks = knownLooks();
  writeLater([file = m_settingsFile, content = m_settings.toJson()]() mutable { file.write(content); },
             tr("Settings could not be saved. %1"));
}

void UserState::saveSession(const SessionState& session) {
  if (m_settings.looks != knownLooks()) saveSettings();
  writeLater([this, session] { m_sessions.write(session); }, tr("The session could not be saved. %1"));
}

void UserState::writeLater(std::function<void()> file, const QString& problem) {
  m_writing.start([this, file = std::move(file), problem] {
    const auto written = resultOf<bool>([&] {
      file();
      return true;
    });
    if (written.ok()) return;
    QMetaObject::invokeMethod(
        this, [this, sentence = problem.arg(written.failure.sentence)] { Q_EMIT failed(sentence); },
        Qt::QueuedConnection);
  });
}

fs::path UserState::captureFolder() const {
  return m_settings.captureFolder.empty() ? defaultCaptureFolder() : m_settings.captureFolder;
}

std::vector<fs::path> UserState::captureFolders() const {
  std::vector<fs::path> folders = {captureFolder()};
  std::ranges::copy(m_settings.usedFolders, std::back_inserter(folders));
  std::ranges::copy(defaultCaptureFolders(), std::back_inserter(folders));
  return folders;
}

void UserState::keepFolder(const fs::path& folder) {
  if (std::ranges::count(m_settings.usedFolders, folder) > 0) return;
  m_settings.usedFolders.push_back(folder);
  saveSettings();
}

SearchPlaces UserState::searchPlaces(const fs::path& beside) const {
  SearchPlaces places{{}, m_index};
  if (!beside.empty()) places.folders.push_back(beside);
  for (const fs::path& folder : captureFolders()) places.folders.push_back(folder);
  for (const RecentFile& recent : m_settings.recentFiles) places.folders.push_back(recent.path.parent_path());
  return places;
}

void UserState::addRecent(const fs::path& path, const std::string& note, const std::string& architecture) {
  remember(m_settings.recentFiles, {path, QDateTime::currentSecsSinceEpoch(), note, architecture});
  saveSettings();
  Q_EMIT recentChanged();
}

}  // namespace plastiscope

#include "moc_user_state.cpp"
