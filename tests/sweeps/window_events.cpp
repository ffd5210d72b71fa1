// Sends random events to the window while captures and analyses run; prints memory and event loop gaps.
#include <hdf5.h>
#include <malloc.h>

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QPixmapCache>
#include <QStyle>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "core/store/hdf5_handle.h"
#include "gui/clumsy_person.h"
#include "sweeps/soaked_window.h"
#include "sweeps/window_watch.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/pages/model_page.h"

namespace fs = std::filesystem;

namespace plastiscope::sweep {
namespace {

constexpr int kRests = 20, kWarmRests = 8;  // the first kWarmRests are warm-up

std::string firstLine(const char* file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// Memory after each part, with one new tab only, so that it does not depend on the number of open captures.
struct Rest {
  int events = 0;
  double seconds = 0, resident = 0, own = 0, allocated = 0;  // MiB; own: not of files
};

bool comeToRest(SoakedWindow& soaked, const fs::path& file) {
  soaked.cancelAll();
  if (!soaked.settle()) return false;  // after pending opens
  soaked.closeTabs();
  soaked.window->openPaths({file});
  if (!until([&] { return soaked.window->currentPage() != nullptr; }) || !soaked.settle()) return false;
  soaked.window->currentPage()->resetLayout();
  return soaked.settle();
}

// Empties bounded caches of libraries (pixmaps 10 MiB, HDF5's free lists), which are not growth.
void dropCaches() {
  QApplication::clipboard()->clear();
  QPixmapCache::clear();
  const Hdf5Lock lock = hdf5Lock();
  ::H5garbage_collect();
  ::malloc_trim(0);
}

double growth(double before, double after) {
  return 100 * (after / before - 1);
}

void printRest(const Rest& rest) {
  std::printf("%9d %8.0f %14.1f %14.1f %14.1f   %s\n", rest.events, rest.seconds, rest.resident, rest.own,
              rest.allocated, firstLine("/proc/loadavg").c_str());
  std::fflush(stdout);
}

void printGrowth(const std::vector<Rest>& rests, double sheets, const test::ClumsyPerson& person) {
  const Rest &warm = rests[std::min<std::size_t>(kWarmRests, rests.size() - 1)], &last = rests.back();
  std::printf("growth after warm-up (%d events): resident %+.1f %%, allocated %+.1f %%   goal 2\n",
              warm.events, growth(warm.resident, last.resident), growth(warm.allocated, last.allocated));
  std::printf("of what is allocated Qt's style sheets keep %.1f MiB, of widgets that are gone too\n", sheets);
  for (const auto& [kind, count] : person.counts()) std::printf("%s %d  ", qPrintable(kind), count);
  std::printf("\n");
}

}  // namespace

bool soakEvents(const SoakOptions& options) {
  SoakedWindow soaked(options);
  const fs::path home = soaked.provideExample("example.h5");
  std::vector<fs::path> files = {
      home, soaked.provide("grouped.h5", "grouped.h5"), soaked.provide("small.h5", "small.h5"),
      soaked.provide("mixed.h5", "mixed.h5"), soaked.provide("grouped.analysis.h5", "alone.analysis.h5")};
  const CaptureRequest request = soaked.request("captures/first.h5");
  if (soaked.runTool(QStringList{QStringLiteral("capture")} + captureArguments(request) +
                     QStringList{QStringLiteral("--quiet")}) == 0)
    files.push_back(request.out);
  soaked.begin(true);
  test::ClumsyPerson person(*soaked.session, *soaked.window, {files, soaked.folder("written"), request},
                            options.seed);
  WindowWatch watch;
  std::ofstream log(options.log);
  person.log = [&](const QString& line) {
    watch.note(line);
    if (log.is_open()) log << line.toStdString() << std::endl;
  };
  std::printf("seed %u, %d events in %.1f min, Qt %s, %s\n\n%9s %8s %14s %14s %14s   %s\n", options.seed,
              options.events, options.minutes, qVersion(), qPrintable(QGuiApplication::platformName()),
              "events", "seconds", "resident MiB", "anonymous MiB", "allocated MiB", "load");
  QElapsedTimer clock;
  clock.start();
  std::vector<Rest> rests;
  const int part = std::max(1, options.events / kRests);
  for (int events = 0; events <= options.events; events += part) {
    if (events > 0) person.live(part, options.minutes * 60000 / options.events);
    watch.note(QStringLiteral("coming to rest"));
    if (!comeToRest(soaked, home)) {
      std::printf("the window did not come to rest after %d events\n", events);
      return false;
    }
    watch.pause();
    dropCaches();
    rests.push_back({person.events(), static_cast<double>(clock.elapsed()) / 1000, residentMegabytes(),
                     residentMegabytes("RssAnon"), allocatedMegabytes()});
    printRest(rests.back());
    watch.goOn();
  }
  const double withSheets = allocatedMegabytes();
  QApplication::style()->unpolish(qApp);  // forgets the rules of all widgets
  const double sheets = withSheets - allocatedMegabytes();
  person.live(part / 4, 0);  // the window is closed in the middle of it
  watch.pause();
  soaked.window.reset();
  soaked.session.reset();
  printGrowth(rests, sheets, person);
  watch.print();
  return true;
}

}  // namespace plastiscope::sweep
