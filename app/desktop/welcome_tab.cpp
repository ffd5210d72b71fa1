#include "app/desktop/welcome_tab.h"

#include <QFileDialog>

#include "core/jobs/study_job.h"
#include "widgets/pages/welcome_page.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/theme.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr QSize kPreviewPixels(352, 252);

}  // namespace

WelcomeTab::WelcomeTab(WindowTabs& tabs, Session& session)
    : m_tabs(tabs),
      m_session(session),
      m_lastRun(session.workers, WorkLength::Quick),
      m_painting(session.workers, WorkLength::Long) {
  connect(&session.library, &Library::modelsChanged, this, &WelcomeTab::refresh);
  connect(&session.library, &Library::studiesChanged, this, &WelcomeTab::refresh);
  connect(&session.state, &UserState::recentChanged, this, &WelcomeTab::refresh);
  connect(&tabs, &WindowTabs::closing, this, [this](const QWidget* page) {
    if (page == m_page) m_page = nullptr;
  });
}

void WelcomeTab::show() {
  if (!m_page) {
    m_page = new WelcomePage(&m_tabs);
    connect(m_page, &WelcomePage::modelFolderRequested, this, &WelcomeTab::askForModelFolder);
    Q_EMIT pageMade(m_page);
    m_tabs.insertTab(0, m_page, lineIcon(QStringLiteral("home")), tr("Welcome"));
    refresh();
    paintPreviews();
  }
  m_tabs.setCurrentWidget(m_page);
}

void WelcomeTab::askForModelFolder() {
  const QString folder = QFileDialog::getExistingDirectory(m_tabs.window(), tr("A folder that holds models"));
  if (folder.isEmpty()) return;
  m_session.state.settings().modelFolders.emplace_back(folder.toStdString());
  m_session.state.saveSettings();
  m_session.library.refresh();
}

void WelcomeTab::refresh() {
  if (!m_page) return;
  if (m_session.library.searchingModels())
    m_page->setModelsSearching();
  else
    m_page->setModels(m_session.library.model().entries(EntryKind::Model));
  m_page->setRecent(m_session.state.settings().recentFiles);
  const fs::path example = exampleCapture();
  const LibraryEntry* entry = example.empty() ? nullptr : m_session.library.model().entryOf(example);
  m_page->setExample(entry ? std::optional(*entry) : std::nullopt);
  // In a worker: disks may be slow, also while a session is being written.
  m_lastRun.start(
      [&sessions = m_session.state.sessions()](Progress&) { return !sessions.ofLastRun().tabs.empty(); },
      [this](JobResult<bool> any) {
        if (m_page) m_page->setSessionAvailable(any.ok() && *any.value);
      });
}

void WelcomeTab::paintPreviews() {
  const fs::path example = exampleCapture();
  if (example.empty() || !m_page) return;
  m_painting.start(
      [example, dark = currentTheme().dark](Progress& progress) {
        return plastiscope::paintPreviews(*openStudy(example, AnalysisSettings(), 0, progress),
                                          kPreviewPixels, dark);
      },
      [this](JobResult<PreviewPictures> pictures) {
        if (pictures.ok() && m_page) m_page->setPreviews(*pictures.value);
      });
}

}  // namespace plastiscope

#include "moc_welcome_tab.cpp"
