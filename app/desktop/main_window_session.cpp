// The window's memory: tabs that are kept and restored, and its layout.
#include <QTabBar>
#include <QTabWidget>

#include "app/desktop/main_window.h"
#include "core/base/error.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/loading_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

// Files are opened in workers, so that tabs come in any order; they are arranged when the last one is there.
void MainWindow::restoreSession() {
  m_restoring = Restoring{m_session.readState(), {}, {}};
  std::vector<SessionTab> tabs = m_restoring->saved.tabs;
  for (const SessionTab& tab : tabs) {
    if (!tab.benchmark && tab.compared.empty()) m_restoring->awaited.insert(tab.file);
  }
  for (const SessionTab& tab : tabs) {
    QWidget* page = nullptr;
    if (tab.benchmark || !tab.compared.empty()) {
      tab.benchmark ? openBenchmarks(tab) : openComparison(tab);
      page = m_tabs->currentWidget();
    } else {
      m_session.open({tab.file}, tab.selection);
    }
    if (m_restoring) m_restoring->pages.emplace_back(page);
  }
  arrangeRestored();
}

void MainWindow::restored(const fs::path& file) {
  if (!m_restoring || m_restoring->awaited.erase(file) == 0) return;
  // Not before whoever shows the tab has put it in its place.
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
  for (int i = 0; i < m_tabs->count(); ++i) {
    const auto* page = qobject_cast<const ModelPage*>(m_tabs->widget(i));
    const auto* compare = qobject_cast<const ComparePage*>(m_tabs->widget(i));
    const auto* benchmarks = qobject_cast<const BenchmarksPage*>(m_tabs->widget(i));
    const auto* loading = qobject_cast<const LoadingPage*>(m_tabs->widget(i));
    if (loading && loading->failed()) continue;
    if (!page && !benchmarks && !loading && (!compare || compare->model().size() == 0)) continue;
    if (i == m_tabs->currentIndex()) state.current = static_cast<int>(state.tabs.size());
    state.tabs.push_back(page         ? page->sessionTab()
                         : loading    ? SessionTab{loading->file(), {}}
                         : benchmarks ? benchmarks->sessionTab()
                                      : compare->sessionTab());
  }
  return state;
}

void MainWindow::saveSoon() {
  m_saveDelay.start();
}

void MainWindow::saveNow() {
  m_saveDelay.stop();
  const SessionState now = state();
  // The welcome page alone keeps what can be restored, and so do tabs that are still being restored.
  if (!now.tabs.empty() && !(m_restoring && m_session.busy())) m_session.saveState(now);
  if (ModelPage* page = currentPage()) m_layout.modelPage = page->layoutState();
  if (ComparePage* page = currentCompare(); page && page->model().views())
    m_layout.comparePage = page->layoutState();
  m_layout.geometry = saveGeometry();
  m_layout.docks = saveState(kWindowLayoutVersion);
  try {
    m_layouts.write(m_layout);
  } catch (const Error& error) {
    say(Message::Kind::Caution, tr("The layout could not be saved. %1").arg(sanitizedText(error.what())));
  }
}

}  // namespace plastiscope
