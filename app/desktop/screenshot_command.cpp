#include "app/desktop/command_line.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QTimer>
#include <algorithm>
#include <cstdio>

#include "app/desktop/main_window.h"
#include "core/base/files.h"
#include "core/base/option.h"
#include "core/store/output_place.h"
#include "core/views/study_facts.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/panels/view_panel.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

constexpr int kPollMilliseconds = 40, kQuietPolls = 8, kLongestWaitMilliseconds = 600000;

void wait(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

// Waits until several polls find nothing pending, so that redraws are done. False: an error or timeout.
bool waitUntilSettled(const MainWindow& window, const QString& failure) {
  QElapsedTimer clock;
  clock.start();
  int quiet = 0;
  while (quiet < kQuietPolls && failure.isEmpty() && clock.elapsed() < kLongestWaitMilliseconds) {
    wait(kPollMilliseconds);
    quiet = window.settled() ? quiet + 1 : 0;
  }
  return quiet >= kQuietPolls;
}

void savePicture(const QPixmap& picture, const std::filesystem::path& out) {
  QImage image = picture.toImage();
  image.setText(QStringLiteral("Software"), programText());
  const QByteArray bytes = pngOf(image);
  writeFileAtomically(out, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

// Captures that must have the head of --head: all tabs, in a comparison the first, whose heads the others
// match, and all of a benchmarks tab.
std::vector<std::shared_ptr<const Study>> studiesWithHead(const MainWindow& window) {
  if (const ComparePage* page = window.currentCompare()) {
    auto studies = page->model().studies();
    studies.resize(std::min<std::size_t>(1, studies.size()));
    return studies;
  }
  if (BenchmarksPage* page = window.currentBenchmarks()) return page->model().studies();
  std::vector<std::shared_ptr<const Study>> studies;
  for (ModelPage* page : window.tabs().pages<ModelPage>()) studies.push_back(page->model().study());
  return studies;
}

void requireHead(const MainWindow& window, const HeadName& head) {
  const auto studies = studiesWithHead(window);
  if (studies.empty()) throw UsageError("--head " + head.text() + " needs a capture or analysis");
  for (const auto& study : studies) {
    const Table* heads = study->analysis->find("heads");
    if (!heads || !headRow(*heads, head))
      throw InputError((study->file.empty() ? study->title : study->file) + ": the head " + head.text() +
                       " was not captured");
  }
  if (window.currentBenchmarks())
    std::fprintf(stderr,
                 "plastiscope: the benchmarks page shows whole models: --head %s has no effect on it\n",
                 head.text().c_str());
}

// Error if a comparison failed.
void requireCompared(const MainWindow& window) {
  for (const CompareModel::Input& input : window.currentCompare()->model().inputs()) {
    if (input.state == CompareModel::InputState::Failed) throw InputError(input.sentence.toStdString());
  }
}

// Error if a file of a session tab was not found.
void requireFound(const MainWindow& window) {
  if (const auto* page = window.tabs().current<MissingPage>())
    throw InputError({page->file(), "", "", page->why().toStdString()});
}

// Several views share the dock of the details.
bool isInDetails(const QString& view) {
  return std::ranges::any_of(
      viewCatalogue(), [&view](const ViewSpec& each) { return each.id == view && each.area == DetailsArea; });
}

// Image of the window, or of one view of its page after showing it.
QPixmap pictureOf(MainWindow& window, const QString& view) {
  if (view.isEmpty()) return window.grab();
  PanelWindow* panels = window.tabs().panels();
  const QString id = isInDetails(view) ? QStringLiteral("detailsDock") : view;
  auto* dock = panels ? panels->findChild<PanelDock*>(id) : nullptr;
  if (!dock) throw UsageError("--view " + view.toStdString() + ": the page has no such view");
  if (ModelPage* page = window.currentPage()) page->showView(view);
  dock->bringForward();
  waitUntilSettled(window, {});
  return dock->grab();
}

}  // namespace

void useNoDisplay() {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  qunsetenv("QT_QPA_PLATFORMTHEME");  // some themes open the display themselves
}

int runScreenshot(const CommandLine& line, MainWindow& window) {
  requireOutputPlace(line.out, {"a picture that Plastiscope saved", isOwnFigure}, {line.files, line.force});
  requireWritableFolderOf(line.out);
  QString failure;
  QObject::connect(&window, &MainWindow::openingFailed, &window,
                   [&failure](const QString& sentence) { failure = sentence; });
  window.resize(line.size);
  window.show();
  ViewSelection selection;
  selection.head = line.head;
  CompareChoices choices;
  choices.ofHead = line.head.has_value();
  choices.charts = !line.view.isEmpty();
  if (line.page == WindowPage::Compare)
    window.openComparison({{}, selection, line.files, choices});
  else if (line.page == WindowPage::Benchmarks)
    window.openBenchmarks({{}, selection, line.files});
  else if (line.page == WindowPage::Runs)
    window.openRuns({.folders = line.files});
  else if (!line.files.empty())
    window.openPaths(line.files, selection);
  if (const auto example = line.example ? exampleCapture() : std::filesystem::path(); !example.empty())
    window.openPaths({example}, selection);
  else if (line.example)
    window.openExample();  // reports that it is missing
  if (waitUntilSettled(window, failure)) {
    window.showPage(nameOf(line.page));
    waitUntilSettled(window, failure);
  }
  if (!failure.isEmpty()) throw InputError(failure.toStdString());
  requireFound(window);
  if (line.page == WindowPage::Compare) requireCompared(window);
  if (line.page == WindowPage::Benchmarks && window.currentBenchmarks()->model().failed())
    throw InputError(window.currentBenchmarks()->model().problem().toStdString());
  if (line.head) requireHead(window, *line.head);
  savePicture(pictureOf(window, line.view), line.out);
  return 0;
}

}  // namespace plastiscope
