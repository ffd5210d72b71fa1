#include "app/desktop/session_tabs.h"

#include <QDateTime>
#include <QFileDialog>
#include <QLocale>
#include <QMenu>
#include <QTabBar>
#include <QTimer>
#include <algorithm>
#include <iterator>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/study_finder.h"
#include "widgets/models/library_entry.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/runs_page.h"
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
  return SessionTabs::tr("Sessions (*.json)");
}

// "9 tabs: licences 4k, books 8k, Benchmarks ..."
QString contentText(const std::vector<SessionTab>& tabs) {
  QStringList names;
  for (const SessionTab& tab : tabs) {
    if (static_cast<std::size_t>(names.size()) == kNamedTabs) break;
    names << (tab.benchmark           ? SessionTabs::tr("Benchmarks")
              : tab.runs              ? SessionTabs::tr("Runs")
              : !tab.compared.empty() ? SessionTabs::tr("comparison of %1").arg(tab.compared.size())
                                      : fileText(tab.file.stem()));
  }
  const QString more = tabs.size() > kNamedTabs ? QStringLiteral(" …") : QString();
  return QStringLiteral("%1: %2%3").arg(tabsText(tabs.size()), names.join(QStringLiteral(", ")), more);
}

}  // namespace

SessionTabs::SessionTabs(WindowTabs& tabs, FileTabs& files, Session& session, MessageBar& messages,
                         Openers open)
    : m_tabs(tabs),
      m_files(files),
      m_session(session),
      m_messages(messages),
      m_open(std::move(open)),
      m_runner(session.workers, WorkLength::Long) {
  connect(&files, &FileTabs::opened, this, &SessionTabs::fileOpened);
  connect(&session.opener, &FileOpener::sessionFound, this, &SessionTabs::open);
}

void SessionTabs::start(const std::vector<fs::path>& given, const ViewSelection& selection) {
  std::vector<fs::path> files;
  std::ranges::transform(given, std::back_inserter(files), sessionOfLibrary);
  const auto named = std::ranges::find_if(files, isSession);
  if (named != files.end()) {
    m_session.state.sessions().standAside();
    open(*named, selection);
    std::vector<fs::path> others = files;
    others.erase(others.begin() + (named - files.begin()));
    if (!others.empty()) m_open.files(others, {});
    return;
  }
  if (m_session.state.sessions().isFirst() && m_session.state.settings().restoreSession)
    return restore(files, selection);
  if (!m_session.state.sessions().isFirst()) {
    std::string problem;  // written by a newer version
    m_session.state.sessions().read(&problem);
    m_messages.say(Message::Kind::Info,
                   tr("%1 The tabs of this window are kept under File, Recent sessions.")
                       .arg(problem.empty() ? tr("The session belongs to another window.")
                                            : sanitizedText(problem) + "."));
  }
  if (!files.empty()) m_open.files(files, selection);
}

void SessionTabs::restore(const std::vector<fs::path>& files, const ViewSelection& selection) {
  std::string problem;
  const SessionState saved = m_session.state.sessions().ofLastRun(&problem);
  if (!problem.empty())
    m_messages.say(Message::Kind::Caution,
                   tr("The last session could not be read completely. %1").arg(sanitizedText(problem)));
  std::vector<fs::path> given;
  for (const fs::path& file : files) given.push_back(normalPlace(file));
  m_runner.start([saved, given, head = selection.head, places = m_session.state.searchPlaces()](
                     Progress& progress) { return resolveSession(saved, given, head, places, progress); },
                 [this, selection](JobResult<ResolvedSession> resolved) {
                   if (!resolved.ok()) {
                     if (!resolved.stopped()) m_messages.say(Message::Kind::Bad, resolved.failure.sentence);
                     return;
                   }
                   openTabs(*resolved.value);
                   if (!resolved.value->others.empty()) m_open.files(resolved.value->others, selection);
                 });
}

void SessionTabs::open(const fs::path& file, const ViewSelection& selection) {
  struct Read {
    ResolvedSession resolved;
    std::size_t tabs = 0;
  };
  const fs::path path = normalPlace(file);
  m_runner.start(
      [path, head = selection.head,
       places = m_session.state.searchPlaces(path.parent_path())](Progress& progress) {
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
          m_messages.say(Message::Kind::Bad, read.failure.sentence);
          Q_EMIT openingFailed(read.failure.sentence);
          return;
        }
        replaceTabs(read.value->resolved, path, read.value->tabs);
      });
}

void SessionTabs::replaceTabs(const ResolvedSession& resolved, const fs::path& file, std::size_t tabs) {
  const SessionState before = state();
  fs::path kept;
  try {
    kept = m_session.state.sessions().keep(before);
  } catch (const Error& error) {
    return m_messages.say(Message::Kind::Bad,
                          tr("The session was not opened because the open tabs could not be kept. %1")
                              .arg(sanitizedText(error.what())));
  }
  for (int i = m_tabs.count() - 1; i >= 0; --i) {
    if (!qobject_cast<WelcomePage*>(m_tabs.widget(i))) m_tabs.close(i);
  }
  const bool named = file.parent_path() != m_session.state.folder() / "sessions";
  if (named) m_session.state.addRecent(file, tr("session, %1").arg(tabsText(tabs)).toStdString(), {});
  Message message;
  message.kind = Message::Kind::Good;
  message.text =
      tr("%1: %2.").arg(named ? fileText(file.filename()) : tr("The earlier session"), tabsText(tabs));
  if (!kept.empty()) {
    message.text +=
        QLatin1Char(' ') +
        tr("The previous %1 are kept among the recent sessions.").arg(tabsText(before.tabs.size()));
    message.actionTitle = tr("Restore them");
    message.action = [this, kept] { open(kept); };
  }
  m_messages.show(message);
  openTabs(resolved);
}

void SessionTabs::saveAs(const fs::path& file) {
  const SessionState now = state();
  try {
    SessionStore::writeNamed(now, file);
  } catch (const Error& error) {
    return m_messages.say(Message::Kind::Bad,
                          tr("The session could not be saved. %1").arg(sanitizedText(error.what())));
  }
  m_session.state.addRecent(file, tr("session, %1").arg(tabsText(now.tabs.size())).toStdString(), {});
  m_messages.sayDone(tr("Saved in %1: %2.").arg(fileText(file.filename()), tabsText(now.tabs.size())));
}

void SessionTabs::saveAsDialog() {
  QFileDialog dialog(m_tabs.window(), tr("Save session"), fileText(m_session.state.captureFolder()),
                     sessionFilter());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("json"));
  dialog.selectFile(QStringLiteral("session.json"));
  if (dialog.exec() == QDialog::Accepted) saveAs(dialog.selectedFiles().front().toStdString());
}

void SessionTabs::openDialog() {
  const QString file = QFileDialog::getOpenFileName(
      m_tabs.window(), tr("Open session"), fileText(m_session.state.captureFolder()), sessionFilter());
  if (!file.isEmpty()) open(file.toStdString());
}

// Named sessions first, then those of earlier runs and other windows.
void SessionTabs::fillMenu(QMenu& menu) {
  menu.clear();
  const auto add = [&](const QString& text, const fs::path& file) {
    QAction* action = menu.addAction(QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setToolTip(plainTip(fileText(file)));
    connect(action, &QAction::triggered, this, [this, file] { open(file); });
  };
  for (const RecentFile& recent : m_session.state.settings().recentFiles) {
    if (recent.isSession())
      add(QStringLiteral("%1   %2").arg(fileText(recent.path.filename()),
                                        QString::fromStdString(recent.note)),
          recent.path);
  }
  if (!menu.isEmpty()) menu.addSeparator();
  for (const EarlierSession& earlier : m_session.state.sessions().earlier()) {
    const QString time =
        QLocale().toString(QDateTime::fromSecsSinceEpoch(earlier.savedSeconds), QLocale::ShortFormat);
    add(QStringLiteral("%1   %2").arg(time, contentText(earlier.tabs)), earlier.file);
  }
  if (menu.isEmpty()) menu.addAction(tr("None yet"))->setEnabled(false);
}

// Workers open the files, so tabs appear in any order; they are arranged after the last one.
void SessionTabs::openTabs(const ResolvedSession& resolved) {
  const SessionState& saved = resolved.state;
  m_restoring = Restoring{saved, {}, std::vector<QPointer<QWidget>>(saved.tabs.size())};
  m_session.opener.expect(resolved.open);
  m_unknown = saved.unknown;
  m_unknownTabs = saved.unknownTabs;
  m_files.setIds(saved.ids);
  const auto current = static_cast<std::size_t>(saved.current);  // opened first; too large: none
  if (current < saved.tabs.size()) openTab(current, resolved);
  for (std::size_t i = 0; i < saved.tabs.size(); ++i) {
    if (i != current) openTab(i, resolved);
  }
  m_session.opener.expect({});
  report(resolved);
  arrange();
}

void SessionTabs::openTab(std::size_t index, const ResolvedSession& resolved) {
  const SessionTab& tab = resolved.state.tabs[index];
  if (tab.benchmark || tab.runs || !tab.compared.empty()) {
    m_restoring->pages[index] = m_open.page(tab);
    m_restoring->pages[index]->setProperty(kUnknown, QString::fromStdString(tab.unknown->dump()));
  } else {
    const auto missing = resolved.missing.find(tab.file);
    if (m_files.restore(tab, missing == resolved.missing.end() ? nullptr : &missing->second))
      m_restoring->awaited.insert(tab.file);
  }
}

void SessionTabs::fileOpened(const fs::path& file) {
  if (!m_restoring || m_restoring->awaited.erase(file) == 0) return;
  // Deferred until the caller has inserted the tab.
  QTimer::singleShot(0, this, &SessionTabs::arrange);
}

void SessionTabs::arrange() {
  if (!m_restoring || !m_restoring->awaited.empty()) return;
  const Restoring all = *std::exchange(m_restoring, std::nullopt);
  std::vector<QWidget*> pages;
  for (std::size_t i = 0; i < all.saved.tabs.size(); ++i) {
    const int place = m_tabs.tabOf(all.saved.tabs[i].file);
    pages.push_back(all.pages[i] ? all.pages[i].data() : place >= 0 ? m_tabs.widget(place) : nullptr);
  }
  int place = m_tabs.count();
  for (QWidget* page : pages) {
    if (page != nullptr) place = std::min(place, m_tabs.indexOf(page));
  }
  for (QWidget* page : pages) {
    if (page != nullptr) m_tabs.tabBar()->moveTab(m_tabs.indexOf(page), place++);
  }
  const auto current = static_cast<std::size_t>(all.saved.current);
  if (all.saved.current >= 0 && current < pages.size() && pages[current] != nullptr)
    m_tabs.setCurrentWidget(pages[current]);
  Q_EMIT changed();
}

SessionState SessionTabs::state() const {
  SessionState state;
  state.ids = m_files.ids();
  state.unknown = m_unknown;
  state.unknownTabs = m_unknownTabs;
  for (int i = 0; i < m_tabs.count(); ++i) {
    const QWidget* page = m_tabs.widget(i);
    std::optional<SessionTab> tab = m_files.savedTab(*page);
    if (const auto* benchmarks = qobject_cast<const BenchmarksPage*>(page)) tab = benchmarks->sessionTab();
    if (const auto* runs = qobject_cast<const RunsPage*>(page)) tab.emplace().runs = runs->choices();
    const auto* compare = qobject_cast<const ComparePage*>(page);
    if (compare && compare->model().size() > 0) tab = compare->sessionTab();
    if (!tab) continue;
    if (const QString text = page->property(kUnknown).toString(); !text.isEmpty())
      tab->unknown = Json::parse(text.toStdString());
    if (compare) {
      for (const CompareModel::Input& input : compare->model().inputs()) {
        if (input.study) state.ids[input.file] = studyIdOf(*input.study);
      }
    }
    if (i == m_tabs.currentIndex()) state.current = static_cast<int>(state.tabs.size());
    state.tabs.push_back(std::move(*tab));
  }
  return state;
}

// Does not overwrite a restorable session while only the welcome page is open or tabs are being restored.
void SessionTabs::save() {
  const SessionState now = state();
  const bool restoring = m_runner.running() || (m_restoring && m_session.busy());
  if (!now.tabs.empty() && !restoring) m_session.state.saveSession(now);
}

void SessionTabs::report(const ResolvedSession& resolved) {
  QStringList tabs, compared;
  for (const auto& [file, missing] : resolved.missing) {
    const bool ofTab =
        std::ranges::any_of(resolved.state.tabs, [&](const SessionTab& tab) { return tab.file == file; });
    (ofTab ? tabs : compared).append(fileText(file.filename()));
  }
  if (!tabs.isEmpty()) {
    m_messages.say(Message::Kind::Caution,
                   tabs.size() == 1
                       ? tr("%1 was not found; its tab offers to locate it.").arg(tabs.front())
                       : tr("%1 files of the session were not found; their tabs offer to locate them.")
                             .arg(tabs.size()));
  } else if (!compared.isEmpty()) {
    m_messages.say(Message::Kind::Caution,
                   tr("Not found for a comparison: %1.").arg(compared.join(QStringLiteral(", "))));
  } else if (!resolved.moved.empty()) {
    const auto& [before, now] = resolved.moved.front();
    m_messages.say(Message::Kind::Info,
                   resolved.moved.size() == 1
                       ? tr("%1 was found as %2.").arg(fileText(before.filename()), fileText(now))
                       : tr("%1 files had been moved and were found.").arg(resolved.moved.size()),
                   MessageBar::kDoneMilliseconds);
  }
}

}  // namespace plastiscope

#include "moc_session_tabs.cpp"
