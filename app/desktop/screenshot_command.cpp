#include "app/desktop/screenshot_command.h"

#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QTabWidget>
#include <QTimer>
#include <cstdio>

#include "app/desktop/main_window.h"
#include "app/desktop/session.h"
#include "core/base/files.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/missing_page.h"
#include "widgets/pages/model_page.h"

namespace plastiscope {
namespace {

constexpr int kPollMilliseconds = 40, kQuietPolls = 8, kLongestWaitMilliseconds = 600000;

void wait(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

// Nothing was pending for some polls in a row: queued redraws are done too. False: an error or too long.
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
  QBuffer bytes;
  bytes.open(QIODevice::WriteOnly);
  if (!picture.save(&bytes, "PNG")) throw Error(ErrorKind::Internal, "the picture could not be encoded");
  writeFileAtomically(
      out, std::string_view(bytes.data().constData(), static_cast<std::size_t>(bytes.data().size())));
}

// A comparison that could not be made is told, not drawn.
void requireCompared(const MainWindow& window) {
  for (const CompareModel::Input& input : window.currentCompare()->model().inputs()) {
    if (input.state == CompareModel::InputState::Failed) throw InputError(input.sentence.toStdString());
  }
}

// Neither is a tab of a session whose file was not found.
void requireFound(const MainWindow& window) {
  const auto* tabs = window.findChild<const QTabWidget*>(QStringLiteral("tabs"));
  if (const auto* page = qobject_cast<const MissingPage*>(tabs->currentWidget()))
    throw InputError({page->file(), "", "", page->why().toStdString()});
}

}  // namespace

int runScreenshot(const CommandLine& line, Session&, MainWindow& window) {
  requireWritableFolderOf(line.out);
  QString failure;
  QObject::connect(&window, &MainWindow::openingFailed, &window,
                   [&failure](const QString& sentence) { failure = sentence; });
  window.resize(line.size);
  window.show();
  ViewSelection selection;
  selection.head = line.head;
  if (line.page == "compare")
    window.openComparison({{}, selection, line.files});
  else if (line.page == "benchmarks")
    window.openBenchmarks({{}, selection, line.files});
  else if (!line.files.empty())
    window.openPaths(line.files, selection);
  if (line.example) window.openExample();
  if (waitUntilSettled(window, failure)) {
    window.showPage(line.page);
    waitUntilSettled(window, failure);
  }
  if (!failure.isEmpty()) throw InputError(failure.toStdString());
  requireFound(window);
  if (line.page == "compare") requireCompared(window);
  if (line.page == "benchmarks" && window.currentBenchmarks()->model().failed())
    throw InputError(window.currentBenchmarks()->model().problem().toStdString());
  if (line.head && (!window.currentSelection() || window.currentSelection()->value().head != line.head)) {
    throw InputError("the head " + line.head->text() + " was not captured");
  }
  savePicture(window.grab(), line.out);
  return 0;
}

}  // namespace plastiscope
