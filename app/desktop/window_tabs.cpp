#include "app/desktop/window_tabs.h"

#include <QTabBar>
#include <algorithm>

#include "app/desktop/thesis_page.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/runs_page.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// Long names of files are cut in the middle, so that several tabs fit.
class FileTabBar : public QTabBar {
 public:
  explicit FileTabBar(QWidget* parent) : QTabBar(parent) { setElideMode(Qt::ElideMiddle); }

 protected:
  QSize tabSizeHint(int index) const override {
    constexpr int kMaxWidth = 230;
    const QSize size = QTabBar::tabSizeHint(index);
    return {std::min(size.width(), kMaxWidth), size.height()};
  }
};

}  // namespace

WindowTabs::WindowTabs(QWidget* parent) : QTabWidget(parent) {
  setTabBar(new FileTabBar(this));
  setObjectName(QStringLiteral("tabs"));
  setDocumentMode(true);
  setTabsClosable(true);
  setMovable(true);
  setIconSize({15, 15});
  tabBar()->setExpanding(false);
  tabBar()->setDrawBase(false);
  tabBar()->setChangeCurrentOnDrag(true);  // for dropping a capture onto another tab
  connect(this, &QTabWidget::tabCloseRequested, this, &WindowTabs::close);
}

PanelWindow* WindowTabs::panels() const {
  if (auto* page = current<ModelPage>()) return page;
  if (auto* page = current<ComparePage>()) return &page->panels();
  return nullptr;
}

Selection* WindowTabs::selection() const {
  if (auto* page = current<ModelPage>()) return &page->selection();
  if (auto* page = current<ComparePage>()) return &page->selection();
  return nullptr;
}

std::shared_ptr<const AnalysisFile> WindowTabs::analysis() const {
  if (const auto* page = current<ModelPage>()) return page->study().analysis;
  if (const auto* page = current<ComparePage>()) {
    const auto studies = page->model().studies();
    if (!studies.empty()) return studies.front()->analysis;
  }
  return nullptr;
}

std::vector<HeadName> WindowTabs::heads() const {
  const auto shown = analysis();
  return shown ? headsOf(*shown) : std::vector<HeadName>();
}

std::optional<HeadName> WindowTabs::neighbourHead(int step) const {
  if (auto* page = current<ModelPage>()) return page->model().neighbour(step);
  if (const auto* page = current<ComparePage>()) return page->model().neighbour(step);
  return std::nullopt;
}

int WindowTabs::tabOf(const fs::path& file) const {
  const auto isOf = [&file](const auto* page) { return page != nullptr && page->file() == file; };
  for (int i = 0; i < count(); ++i) {
    if (isOf(qobject_cast<const ModelPage*>(widget(i))) ||
        isOf(qobject_cast<const LoadingPage*>(widget(i))) ||
        isOf(qobject_cast<const MissingPage*>(widget(i))))
      return i;
  }
  return -1;
}

void WindowTabs::close(int index) {
  QWidget* page = widget(index);
  if (!page) return;
  Q_EMIT closing(page);
  removeTab(index);
  page->deleteLater();
  Q_EMIT closed();
}

void WindowTabs::step(int by) {
  if (count() > 0) setCurrentIndex((currentIndex() + by + count()) % count());
}

bool WindowTabs::settled() const {
  return std::ranges::all_of(pages<ComparePage>(), &ComparePage::settled) &&
         std::ranges::all_of(pages<ThesisPage>(), &ThesisPage::settled) &&
         std::ranges::all_of(pages<RunsPage>(), &RunsPage::settled) &&
         std::ranges::all_of(pages<LoadingPage>(), &LoadingPage::failed) &&
         std::ranges::all_of(pages<BenchmarksPage>(), [](auto* page) { return page->model().settled(); }) &&
         std::ranges::all_of(pages<ModelPage>(), [](auto* page) { return page->model().settled(); });
}

}  // namespace plastiscope

#include "moc_window_tabs.cpp"
