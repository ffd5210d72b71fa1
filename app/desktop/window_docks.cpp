#include "app/desktop/window_docks.h"

#include <QScreen>

#include "core/base/checked_json.h"
#include "core/base/json.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/library_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/notes_panel.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kLibraryWidth = 248, kCardHeight = 300, kWindowLayoutVersion = 1;
constexpr QSize kLeastLibrary(180, 90);

StateFile layoutFile(const std::filesystem::path& settingsFolder) {
  return StateFile(settingsFolder / "layout.json", "plastiscope-layout", 1);
}

QByteArray decodedBytes(const Json& content, const char* key) {
  return QByteArray::fromBase64(QByteArray::fromStdString(textOr(content, key)));
}

std::string encoded(const QByteArray& bytes) {
  return bytes.toBase64().toStdString();
}

}  // namespace

WindowDocks::WindowDocks(QMainWindow& window, Session& session) : m_window(window), m_session(session) {
  const auto add = [&window](const char* id, const QString& title) {
    return new PanelDock(QLatin1String(id), title, &window);
  };
  m_libraryDock = add("libraryDock", tr("Library"));
  m_libraryDock->setContent(m_library = new LibraryPanel(session.library.model(), m_libraryDock->body()));
  m_detailsDock = add("cardDock", tr("Details"));
  m_detailsDock->setContent(m_details = new DetailsPanel(m_detailsDock->body()));
  m_helpDock = add("helpDock", tr("Help"));
  m_helpDock->setContent(m_help = new HelpPanel(session.workers, m_helpDock->body()));
  m_notesDock = add("notesDock", tr("Notes"));
  m_notesDock->setContent(m_notes = new NotesPanel(m_notesDock->body()));
  m_library->setMinimumSize(kLeastLibrary);
  m_details->setMinimumSize(kLeastLibrary);
  window.addDockWidget(Qt::LeftDockWidgetArea, m_libraryDock);
  window.splitDockWidget(m_libraryDock, m_detailsDock, Qt::Vertical);
  window.addDockWidget(Qt::RightDockWidgetArea, m_helpDock);
  window.addDockWidget(Qt::RightDockWidgetArea, m_notesDock);
  m_helpDock->hide();
  m_notesDock->hide();
  window.resizeDocks({m_libraryDock}, {kLibraryWidth}, Qt::Horizontal);
  window.resizeDocks({m_libraryDock, m_detailsDock}, {window.height() - kCardHeight, kCardHeight},
                     Qt::Vertical);
  connect(m_library, &LibraryPanel::selectionChanged, this, [this] {
    if (const LibraryEntry* entry = m_library->selected()) m_details->show(*entry);
  });
}

void WindowDocks::setCurrentPage(QWidget* page) {
  auto* model = qobject_cast<ModelPage*>(page);
  m_notes->setStudy(model ? &model->notes() : nullptr, model ? &model->selection() : nullptr);
  const auto* missing = qobject_cast<const MissingPage*>(page);
  if (!model && !missing) return;
  const std::filesystem::path& file = model ? model->file() : missing->file();
  m_library->select(file);
  if (const LibraryEntry* entry = model ? m_session.library.entryOf(file) : nullptr)
    m_details->show(*entry);
  else
    m_details->clear();
}

void WindowDocks::restore() {
  const Json content = layoutFile(m_session.state.folder()).read();
  m_modelPage = decodedBytes(content, "model_page");
  m_comparePage = decodedBytes(content, "compare_page");
  const QByteArray geometry = decodedBytes(content, "geometry"), docks = decodedBytes(content, "docks");
  if (!geometry.isEmpty()) m_window.restoreGeometry(geometry);
  if (!m_window.isMaximized() && !m_window.isFullScreen())
    m_window.setGeometry(withinScreen(m_window.geometry(), m_window.screen()->availableGeometry()));
  if (!docks.isEmpty()) m_window.restoreState(docks, kWindowLayoutVersion);
}

void WindowDocks::save(const QWidget* page) {
  remember(page);
  const QByteArray docks = m_givenRoom ? m_givenRoom->layout : m_window.saveState(kWindowLayoutVersion);
  const Json layout = {{"geometry", encoded(m_window.saveGeometry())},
                       {"docks", encoded(docks)},
                       {"model_page", encoded(m_modelPage)},
                       {"compare_page", encoded(m_comparePage)}};
  m_session.state.writeLater(
      [file = layoutFile(m_session.state.folder()), layout]() mutable { file.write(layout); },
      tr("The layout could not be saved. %1"));
}

void WindowDocks::remember(const QWidget* page) {
  if (const auto* model = qobject_cast<const ModelPage*>(page)) m_modelPage = model->layoutState();
  if (const auto* compare = qobject_cast<const ComparePage*>(page); compare && compare->model().views())
    m_comparePage = compare->panels().layoutState();
}

void WindowDocks::arrange(PanelWindow& panels) {
  const QByteArray& layout = qobject_cast<ModelPage*>(&panels) ? m_modelPage : m_comparePage;
  if (!layout.isEmpty()) panels.restoreLayout(layout);
}

void WindowDocks::giveRoom(bool wanted) {
  if (wanted == m_givenRoom.has_value()) return;
  if (!wanted) {
    const GivenRoom given = *std::exchange(m_givenRoom, std::nullopt);
    for (QDockWidget* dock : given.docks) dock->show();
    return m_window.resizeDocks(given.docks, given.widths, Qt::Horizontal);
  }
  m_givenRoom = GivenRoom{m_window.saveState(kWindowLayoutVersion), {}, {}};
  for (PanelDock* dock : all()) {
    if (dock->isHidden() || dock->isFloating()) continue;
    m_givenRoom->docks.append(dock);
    m_givenRoom->widths.append(dock->width());
  }
  for (QDockWidget* dock : m_givenRoom->docks) dock->hide();
}

}  // namespace plastiscope
