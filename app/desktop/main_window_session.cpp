// Saving and restoring of tabs, named sessions, and the window layout.
#include <QAction>
#include <QDateTime>
#include <QFileDialog>
#include <QLocale>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <iterator>

#include "app/desktop/main_window.h"
#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/study_finder.h"
#include "widgets/models/library_entry.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/welcome_page.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::size_t kNamedTabs = 3;
constexpr const char* kUnknown = "unknownOfTab";  // property of a page without a file

bool isSession(const fs::path& file) {
  return stateFormatOf(file) == SessionStore::kFormat;
}

QString sessionFilter() {
  return MainWindow::tr("Sessions (*.json)");
}

// "9 tabs: licences 4k, books 8k, Benchmarks ..."
QString contentText(const std::vector<SessionTab>& tabs) {
  QStringList names;
  for (const SessionTab& tab : tabs) {
    if (static_cast<std::size_t>(names.size()) == kNamedTabs) break;
    names << (tab.benchmark           ? MainWindow::tr("Benchmarks")
              : !tab.compared.empty() ? MainWindow::tr("comparison of %1").arg(tab.compared.size())
                                      : fileText(tab.file.stem()));
  }
  const QString more = tabs.size() > kNamedTabs ? QStringLiteral(" …") : QString();
  return QStringLiteral("%1: %2%3").arg(tabsText(tabs.size()), names.join(QStringLiteral(", ")), more);
}

StateFile layoutFile(const fs::path& settingsFolder) {
  return StateFile(settingsFolder / "layout.json", "plastiscope-layout", 1);
}

QByteArray decodedBytes(const Json& content, const char* key) {
  return QByteArray::fromBase64(QByteArray::fromStdString(textOr(content, key)));
}

}  // namespace

WindowLayout MainWindow::readLayout(const fs::path& settingsFolder) {
  const Json content = layoutFile(settingsFolder).read();
  return {decodedBytes(content, "geometry"), decodedBytes(content, "docks"),
          decodedBytes(content, "model_page"), decodedBytes(content, "compare_page")};
}

void MainWindow::start(const std::vector<fs::path>& given, const ViewSelection& selection) {
  std::vector<fs::path> files;
  std::ranges::transform(given, std::back_inserter(files), sessionOfLibrary);
  const auto named = std::ranges::find_if(files, isSession);
  if (named != files.end()) {
    m_session.store().standAside();
    openSession(*named, selection);
    std::vector<fs::path> others = files;
    others.erase(others.begin() + (named - files.begin()));
    if (!others.empty()) openPaths(others);
    return;
  }
  if (m_session.store().isFirst() && m_session.settings().restoreSession)
    return restoreSession(files, selection);
  if (!m_session.store().isFirst()) {
    std::string problem;  // written by a newer version
    m_session.store().read(&problem);
    say(Message::Kind::Info, tr("%1 The tabs of this window are kept under File, Recent sessions.")
                                 .arg(problem.empty() ? tr("The session belongs to another window.")
                                                      : sanitizedText(problem) + "."));
  }
  if (!files.empty()) openPaths(files, selection);
}

void MainWindow::restoreSession(const std::vector<fs::path>& files, const ViewSelection& selection) {
  std::string problem;
  const SessionState saved = m_session.store().ofLastRun(&problem);
  if (!problem.empty())
    say(Message::Kind::Caution,
        tr("The last session could not be read completely. %1").arg(sanitizedText(problem)));
  std::vector<fs::path> given;
  for (const fs::path& file : files) given.push_back(normalPlace(file));
  m_sessionRunner.start(
      [saved, given, head = selection.head, places = m_session.searchPlaces()](Progress& progress) {
        return resolveSession(saved, given, head, places, progress);
      },
      [this, selection](JobResult<ResolvedSession> resolved) {
        if (!resolved.ok()) {
          if (!resolved.stopped()) say(Message::Kind::Bad, resolved.failure.sentence);
          return;
        }
        openTabs(*resolved.value);
        if (!resolved.value->others.empty()) openPaths(resolved.value->others, selection);
      });
}

void MainWindow::openSession(const fs::path& file, const ViewSelection& selection) {
  struct Read {
    ResolvedSession resolved;
    std::size_t tabs = 0;
  };
  std::error_code ignored;
  const fs::path path = fs::absolute(file, ignored).lexically_normal();
  m_sessionRunner.start(
      [path, head = selection.head, places = m_session.searchPlaces(path.parent_path())](Progress& progress) {
        SessionState state = SessionStore::readNamed(path);
        for (SessionTab& tab : state.tabs) {
          if (head) tab.selection.head = head;
        }
        const std::size_t tabs = state.tabs.size();
        return Read{resolveSession(std::move(state), {}, {}, places, progress), tabs};
      },
      [this, path](JobResult<Read> read) {
        if (!read.ok()) {
          if (read.stopped()) return;
          say(Message::Kind::Bad, read.failure.sentence);
          Q_EMIT openingFailed(read.failure.sentence);
          return;
        }
        const SessionState before = state();
        fs::path kept;
        try {
          kept = m_session.store().keep(before);
        } catch (const Error& error) {
          return say(Message::Kind::Bad, tr("The session was not opened because the open tabs could "
                                            "not be kept. %1")
                                             .arg(sanitizedText(error.what())));
        }
        for (int i = m_tabs->count() - 1; i >= 0; --i) {
          if (m_tabs->widget(i) != m_welcome) closeTab(i);
        }
        const bool named = path.parent_path() != m_session.folder() / "sessions";
        if (named)
          m_session.addRecent(path, tr("session, %1").arg(tabsText(read.value->tabs)).toStdString(), {});
        Message message;
        message.kind = Message::Kind::Good;
        message.text = tr("%1: %2.").arg(named ? fileText(path.filename()) : tr("The earlier session"),
                                         tabsText(read.value->tabs));
        if (!kept.empty()) {
          message.text +=
              QLatin1Char(' ') +
              tr("The previous %1 are kept among the recent sessions.").arg(tabsText(before.tabs.size()));
          message.actionTitle = tr("Restore them");
          message.action = [this, kept] { openSession(kept); };
        }
        m_message->show(message);
        openTabs(read.value->resolved);
      });
}

void MainWindow::saveSessionAs(const fs::path& file) {
  const SessionState now = state();
  try {
    SessionStore::writeNamed(now, file);
  } catch (const Error& error) {
    return say(Message::Kind::Bad, tr("The session could not be saved. %1").arg(sanitizedText(error.what())));
  }
  m_session.addRecent(file, tr("session, %1").arg(tabsText(now.tabs.size())).toStdString(), {});
  sayDone(tr("Saved in %1: %2.").arg(fileText(file.filename()), tabsText(now.tabs.size())));
}

void MainWindow::saveSessionDialog() {
  QFileDialog dialog(this, tr("Save session"), fileText(m_session.captureFolder()), sessionFilter());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("json"));
  dialog.selectFile(QStringLiteral("session.json"));
  if (dialog.exec() == QDialog::Accepted) saveSessionAs(dialog.selectedFiles().front().toStdString());
}

void MainWindow::openSessionDialog() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Open session"),
                                                    fileText(m_session.captureFolder()), sessionFilter());
  if (!file.isEmpty()) openSession(file.toStdString());
}

// Named sessions first, then those of earlier runs and other windows.
void MainWindow::fillSessionMenu() {
  QMenu& menu = submenu("recentSessions");
  menu.clear();
  const auto add = [&](const QString& text, const fs::path& file) {
    QAction* action = menu.addAction(QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setToolTip(plainTip(fileText(file)));
    connect(action, &QAction::triggered, this, [this, file] { openSession(file); });
  };
  for (const RecentFile& recent : m_session.settings().recentFiles) {
    if (recent.isSession())
      add(QStringLiteral("%1   %2").arg(fileText(recent.path.filename()),
                                        QString::fromStdString(recent.note)),
          recent.path);
  }
  if (!menu.isEmpty()) menu.addSeparator();
  for (const EarlierSession& earlier : m_session.store().earlier()) {
    const QString time =
        QLocale().toString(QDateTime::fromSecsSinceEpoch(earlier.savedSeconds), QLocale::ShortFormat);
    add(QStringLiteral("%1   %2").arg(time, contentText(earlier.tabs)), earlier.file);
  }
  if (menu.isEmpty()) menu.addAction(tr("None yet"))->setEnabled(false);
}

// Workers open the files, so tabs appear in any order; they are arranged after the last one.
void MainWindow::openTabs(const ResolvedSession& resolved) {
  const SessionState& saved = resolved.state;
  m_restoring = Restoring{saved, {}, std::vector<QPointer<QWidget>>(saved.tabs.size())};
  m_session.expect(resolved.open);
  m_unknownOfSession = saved.unknown;
  m_unknownTabs = saved.unknownTabs;
  for (const auto& [file, id] : saved.ids) m_ids[file] = id;
  std::vector<std::size_t> order;  // the current tab is opened first
  for (std::size_t i = 0; i < saved.tabs.size(); ++i) {
    const SessionTab& tab = saved.tabs[i];
    const bool ofFile = !tab.benchmark && tab.compared.empty();
    if (ofFile) m_unknown[tab.file] = tab.unknown;
    if (ofFile && !resolved.missing.contains(tab.file)) m_restoring->awaited.insert(tab.file);
    order.insert(static_cast<int>(i) == saved.current ? order.begin() : order.end(), i);
  }
  for (const std::size_t i : order) {
    const SessionTab& tab = saved.tabs[i];
    const auto missing = resolved.missing.find(tab.file);
    if (tab.benchmark || !tab.compared.empty()) {
      tab.benchmark ? openBenchmarks(tab) : (void)openComparison(tab);
      m_tabs->currentWidget()->setProperty(kUnknown, QString::fromStdString(tab.unknown->dump()));
      m_restoring->pages[i] = m_tabs->currentWidget();
    } else if (missing != resolved.missing.end()) {
      showMissing(tabOf(tab.file), tab, missing->second, true);
    } else {
      m_pending[tab.file] = tab;
      openFiles({tab.file}, tab.selection);
    }
  }
  m_session.expect({});
  for (const SessionTab& tab : saved.tabs) {  // open already: not waited for
    const int open = tab.file.empty() ? -1 : tabOf(tab.file);
    if (open < 0 || !qobject_cast<ModelPage*>(m_tabs->widget(open))) continue;
    m_restoring->awaited.erase(tab.file);
    m_pending.erase(tab.file);
  }
  reportRestored(resolved);
  arrangeRestored();
}

void MainWindow::restored(const fs::path& file) {
  if (!m_restoring || m_restoring->awaited.erase(file) == 0) return;
  // Deferred until the caller has inserted the tab.
  QTimer::singleShot(0, this, &MainWindow::arrangeRestored);
}

void MainWindow::arrangeRestored() {
  if (!m_restoring || !m_restoring->awaited.empty()) return;
  const Restoring all = *std::exchange(m_restoring, std::nullopt);
  std::vector<QWidget*> pages;
  for (std::size_t i = 0; i < all.saved.tabs.size(); ++i) {
    const int place = tabOf(all.saved.tabs[i].file);
    pages.push_back(all.pages[i] ? all.pages[i].data() : place >= 0 ? m_tabs->widget(place) : nullptr);
  }
  int place = m_tabs->count();
  for (QWidget* page : pages) {
    if (page != nullptr) place = std::min(place, m_tabs->indexOf(page));
  }
  for (QWidget* page : pages) {
    if (page != nullptr) m_tabs->tabBar()->moveTab(m_tabs->indexOf(page), place++);
  }
  const auto current = static_cast<std::size_t>(all.saved.current);
  if (all.saved.current >= 0 && current < pages.size() && pages[current] != nullptr)
    m_tabs->setCurrentWidget(pages[current]);
  saveSoon();
}

SessionState MainWindow::state() const {
  SessionState state;
  state.ids = m_ids;
  state.unknown = m_unknownOfSession;
  state.unknownTabs = m_unknownTabs;
  const auto loadingTab = [this](const LoadingPage& page) {
    const auto pending = m_pending.find(page.file());
    return SessionTab{page.file(), pending == m_pending.end() ? ViewSelection() : pending->second.selection};
  };
  for (int i = 0; i < m_tabs->count(); ++i) {
    const QWidget* widget = m_tabs->widget(i);
    const auto* page = qobject_cast<const ModelPage*>(widget);
    const auto* compare = qobject_cast<const ComparePage*>(widget);
    const auto* benchmarks = qobject_cast<const BenchmarksPage*>(widget);
    const auto* loading = qobject_cast<const LoadingPage*>(widget);
    const auto* missing = qobject_cast<const MissingPage*>(widget);
    if (loading && loading->failed()) continue;
    if (!page && !benchmarks && !loading && !missing && (!compare || compare->model().size() == 0)) continue;
    SessionTab tab = page         ? page->sessionTab()
                     : loading    ? loadingTab(*loading)
                     : missing    ? missing->tab()
                     : benchmarks ? benchmarks->sessionTab()
                                  : compare->sessionTab();
    if (m_session.captures().isSnapshot(tab.file)) continue;  // deleted when the capture is finished
    if (const auto unknown = m_unknown.find(tab.file); !tab.file.empty() && unknown != m_unknown.end())
      tab.unknown = unknown->second;
    else if (const QString text = widget->property(kUnknown).toString(); !text.isEmpty())
      tab.unknown = Json::parse(text.toStdString());
    if (compare) {
      for (const CompareModel::Input& input : compare->model().inputs()) {
        if (input.study) state.ids[input.file] = studyIdOf(*input.study);
      }
    }
    if (i == m_tabs->currentIndex()) state.current = static_cast<int>(state.tabs.size());
    state.tabs.push_back(std::move(tab));
  }
  return state;
}

void MainWindow::saveSoon() {
  m_saveDelay.start();
}

void MainWindow::saveNow() {
  m_saveDelay.stop();
  const SessionState now = state();
  // Does not overwrite a restorable session while only the welcome page is open or tabs are being restored.
  const bool restoring = m_sessionRunner.running() || (m_restoring && m_session.busy());
  if (!now.tabs.empty() && !restoring) m_session.saveState(now);
  if (ModelPage* page = currentPage()) m_layout.modelPage = page->layoutState();
  if (ComparePage* page = currentCompare(); page && page->model().views())
    m_layout.comparePage = page->panels().layoutState();
  m_layout.geometry = saveGeometry();
  m_layout.docks = m_givenRoom ? m_givenRoom->layout : saveState(kWindowLayoutVersion);
  const Json layout = {{"geometry", m_layout.geometry.toBase64().toStdString()},
                       {"docks", m_layout.docks.toBase64().toStdString()},
                       {"model_page", m_layout.modelPage.toBase64().toStdString()},
                       {"compare_page", m_layout.comparePage.toBase64().toStdString()}};
  m_session.writeLater([file = layoutFile(m_session.folder()), layout]() mutable { file.write(layout); },
                       tr("The layout could not be saved. %1"));
}

}  // namespace plastiscope
