// Times the response of the window, beside the goal or beside plain QCustomPlot. Not a test.
//   xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" window_benchmark [--only PART,...]
//     [CAPTURE.h5 [MODEL.gguf TEXT]]
// Parts: heads, many, compare, rows, map, text, pages, closing. With a capture: event loop gaps during a new
// analysis, and the time until a cancelled analysis stops. With a model and a text: the same for a running
// capture.
#include <QApplication>
#include <QElapsedTimer>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>
#include <set>

#include "app/desktop/main_window.h"
#include "app/desktop/session.h"
#include "core/base/json.h"
#include "core/compare/reference_data.h"
#include "core/figures/parts.h"
#include "core/jobs/analyze_job.h"
#include "figures/figure_study.h"
#include "gui/wait_for.h"
#include "support/temporary_folder.h"
#include "widgets/compare/matrix_view.h"
#include "widgets/export/export_dialog.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/text_view.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plane_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/qcp.h"
#include "widgets/state/file_text.h"
#include "widgets/state/theme.h"

using namespace plastiscope;
using test::waitFor;

namespace {

using Milliseconds = std::vector<double>;

double since(const QElapsedTimer& timer) {
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

double share(Milliseconds times, double part) {
  std::sort(times.begin(), times.end());
  return times[std::min(times.size() - 1,
                        static_cast<std::size_t>(part * static_cast<double>(times.size())))];
}

void line(const char* what, const Milliseconds& times, double goal) {
  std::printf("%-58s median %8.1f  p99 %8.1f ms", what, share(times, 0.5), share(times, 0.99));
  if (goal > 0) std::printf("   goal %.0f", goal);
  std::printf("\n");
}

// Processor time of this thread: on a busy computer less than the elapsed time.
double ownMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The longest times between two turns of the event loop. Those below 0.1 ms are not stored: an idle loop has
// millions, and allocating memory for them would lengthen a measured gap.
class LoopGaps {
 public:
  LoopGaps() {
    m_clock.start();
    QObject::connect(&m_timer, &QTimer::timeout, [this] {
      const double now = since(m_clock);
      const double own = ownMilliseconds();
      if (now - m_last >= 0.1) m_gaps.push_back(now - m_last);
      m_longestOwn = std::max(m_longestOwn, own - m_lastOwn);
      m_last = now;
      m_lastOwn = own;
    });
    m_timer.start(0);
  }
  const Milliseconds& gaps() const { return m_gaps; }
  double longestOwn() const { return m_longestOwn; }

 private:
  QTimer m_timer;
  QElapsedTimer m_clock;
  double m_last = 0, m_lastOwn = ownMilliseconds(), m_longestOwn = 0;
  Milliseconds m_gaps{0};
};

// Repeats an action, each time until everything is drawn, and prints the longest time for which the window
// did not respond.
using Settled = std::function<bool()>;
void settle(const Settled& settled) {
  do {
    waitFor(settled);
    QCoreApplication::processEvents(QEventLoop::AllEvents, 100);
  } while (!settled());
}
void steps(const char* what, const Settled& settled, int count, const std::function<void(int)>& step) {
  LoopGaps gaps;
  for (int i = 0; i < count; ++i) {
    step(i);
    settle(settled);
  }
  std::printf("%-48s longest gap %6.1f ms, longest work %6.1f   goal 50\n", what,
              *std::max_element(gaps.gaps().begin(), gaps.gaps().end()), gaps.longestOwn());
}

std::shared_ptr<const PlaneData> cloud(std::size_t rows) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  auto plane = std::make_shared<PlaneData>();
  plane->window = 4096;
  for (PlaneRows* kind : {&plane->query, &plane->key}) {
    for (std::size_t i = 0; i < rows / 2; ++i) {
      kind->position.push_back(static_cast<std::int32_t>(i % 4096));
      kind->example.push_back(0);
      kind->x.push_back(normal(generator) + (kind == &plane->query ? 4.F : -4.F));
      kind->y.push_back(normal(generator));
    }
  }
  plane->range = {-9, 9, -5, 5, 0};
  return plane;
}

void firstWindow(const QElapsedTimer& start, MainWindow& window) {
  window.show();
  waitFor([&] { return window.isVisible() && !window.grab().isNull(); });
  line("start of the program's own code to the first window", {since(start)}, 1000);
}

void headSwitches(Workers& workers, LockedRanges& ranges, const test::TemporaryFolder& folder) {
  ModelPage page({test::figureStudy(8000), folder / "formula.h5"}, PageServices{workers, ranges});
  page.resize(1500, 900);
  page.show();
  waitFor([&] { return page.model().settled(); });
  Milliseconds times;
  bool drawn = false;
  QObject::connect(&page.model(), &StudyModel::headReady, [&] { drawn = true; });
  for (std::int64_t layer = 0; layer < 12; ++layer) {
    if (layer == 5) continue;
    for (std::int64_t head = 0; head < 2; ++head) {
      drawn = false;
      QElapsedTimer timer;
      timer.start();
      page.selection().setHead({layer, head});
      while (!drawn) QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
      QCoreApplication::processEvents(QEventLoop::AllEvents, 100);  // also paints
      times.push_back(since(timer));
      waitFor([&] { return page.model().settled(); });
    }
  }
  line("head switch, 16,000 rows, all views drawn", times, 50);
}

// A model of 5,120 heads: work of the GUI thread for the grid, the profile and the table.
void manyHeads(Workers& workers, LockedRanges& ranges, const test::TemporaryFolder& folder) {
  ModelPage page({test::figureStudy(test::kLargeShape), folder / "large.h5"}, PageServices{workers, ranges});
  page.resize(1500, 900);
  page.show();
  const Settled settled = [&page] { return page.model().settled(); };
  settle(settled);
  auto* grid = page.findChild<HeadGridView*>();
  auto* plot = grid->findChild<QCustomPlot*>();
  steps("5,120 heads: head switch", settled, 24, [&](int i) { page.selection().setHead({i * 3, i * 2}); });
  steps("5,120 heads: wheel in the grid", settled, 24, [&](int i) {
    const QPointF at = plot->axisRect(0)->rect().center();
    QWheelEvent wheel(at, plot->mapToGlobal(at), {}, {0, i < 12 ? 120 : -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot, &wheel);
  });
  steps("5,120 heads: another metric", settled, 6,
        [&](int i) { page.selection().setMetric(i % 2 == 0 ? "ap_drop" : "ap_overall"); });
  steps("5,120 heads: 640 selected", settled, 6, [&](int i) {
    std::vector<HeadName> heads;
    for (std::int64_t k = 0; k < 640; ++k) heads.push_back({8 + i + k / 64, k % 64});
    page.selection().setSeveral(heads);
  });
  steps("5,120 heads: all selected", settled, 2,
        [&](int i) { page.selection().setSeveral(i == 0 ? page.model().heads() : std::vector<HeadName>()); });
  steps("5,120 heads: by similarity and back", settled, 2, [&](int i) {
    page.selection().setGrid(i == 0 ? HeadOrder::Similar : HeadOrder::Layers, HeadShow::Heads);
  });
  steps("5,120 heads: as KV groups and back", settled, 2, [&](int i) {
    page.selection().setGrid(HeadOrder::Layers, i == 0 ? HeadShow::KeyGroups : HeadShow::Heads);
  });
  page.showView(QStringLiteral("headMetricsDock"));
  steps("5,120 heads: axes of the points", settled, 4, [&](int i) {
    page.selection().setAxes({i % 2 == 0 ? "r_q" : "bias_window", "ap_drop", i % 2 == 0 ? "ap_overall" : ""});
  });
}

// Twelve analyses of that shape side by side, opened as files.
void compareOfTwelve(Workers& workers, const test::TemporaryFolder& folder) {
  constexpr int kModels = 12;
  SessionTab tab;
  AnalysisFile analysis = *test::figureStudy(test::kLargeShape)->analysis;
  analysis.provenance.settings.set("pairs", 256);
  for (int i = 0; i < kModels; ++i) {
    analysis.provenance.captureFingerprint = std::string(64, static_cast<char>('a' + i));
    tab.compared.push_back(folder / ("model-" + std::to_string(i) + ".analysis.h5"));
    writeAnalysis(analysis, tab.compared.back());
  }
  JobList jobs;
  ComparePage page(tab, workers, jobs);
  const Settled settled = [&page] { return page.settled(); };
  page.resize(1500, 900);
  steps("12 x 5,120 heads: opened", settled, 1, [&](int) { page.show(); });
  steps("12 x 5,120 heads: head switch", settled, 6,
        [&](int i) { page.selection().setHead({i * 9, i * 5}); });
  steps("12 x 5,120 heads: another metric", settled, 4,
        [&](int i) { page.selection().setMetric(i % 2 == 0 ? "ap_drop" : "ap_overall"); });
  steps("12 x 5,120 heads: a query position", settled, 8,
        [&](int i) { page.selection().setPosition(9000 * (i + 1)); });
  steps("12 x 5,120 heads: a cell of the maps", settled, 6,
        [&](int i) { page.selection().setCell(CellChoice{i, 15 - i}); });
  const auto choose = [&page](auto change) {
    CompareChoices choices = page.model().choices();
    change(choices);
    page.model().setChoices(choices);
  };
  steps("12 x 5,120 heads: differences and back", settled, 2, [&](int i) {
    choose([i](CompareChoices& choices) {
      choices.differences =
          i == 0 ? std::set<std::string>{"grid", "map", "profile"} : std::set<std::string>();
    });
  });
  steps("12 x 5,120 heads: another baseline", settled, 2, [&](int) { page.model().pin(3); });
  auto* body = page.findChild<MatrixView*>()->findChildren<QScrollArea*>().back();
  steps("12 x 5,120 heads: scrolled", settled, 60, [&](int i) {
    QScrollBar& bar = *body->horizontalScrollBar();
    bar.setValue(bar.maximum() * i / 59);
  });
  steps("12 x 5,120 heads: as charts and back", settled, 2,
        [&](int i) { choose([i](CompareChoices& choices) { choices.charts = i == 0; }); });
}

template <typename Frame>
Milliseconds frames(int count, Frame frame) {
  Milliseconds times;
  for (int i = 0; i < count; ++i) {
    QElapsedTimer timer;
    timer.start();
    frame(i);
    times.push_back(since(timer));
    QCoreApplication::processEvents(QEventLoop::AllEvents, 4);
  }
  return times;
}

void panning() {
  AbPlaneView view;
  const auto plane = cloud(1000000);
  view.resize(700, 560);
  view.setData(plane);
  view.show();
  waitFor([&] { return !view.drawing(); });
  auto* plot = view.findChild<QCustomPlot*>();
  const auto move = [](QCustomPlot& moved, int i) {
    const double at = 3 * std::sin(i / 20.0), zoom = 1 + 0.5 * std::sin(i / 33.0);
    moved.axisRect(0)->axis(QCPAxis::atBottom)->setRange(at - 9 * zoom, at + 9 * zoom);
    moved.replot(QCustomPlot::rpImmediateRefresh);
  };
  const Milliseconds ours = frames(300, [&](int i) { move(*plot, i); });
  line("frame of panning and zooming a million rows (GUI thread)", ours, 16);

  QCustomPlot plain;
  plain.resize(700, 560);
  for (const PlaneRows* rows : {&plane->query, &plane->key}) {
    QCPGraph* graph = plain.addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 3));
    graph->setAdaptiveSampling(false);
    graph->setData(QVector<double>(rows->x.begin(), rows->x.end()),
                   QVector<double>(rows->y.begin(), rows->y.end()));
  }
  plain.yAxis->setRange(-5, 5);
  plain.show();
  const Milliseconds theirs = frames(12, [&](int i) { move(plain, 20 * i); });
  line("  QCustomPlot's scatter of the same rows", theirs, 0);
  std::printf("  ratio %.0f\n", share(theirs, 0.5) / share(ours, 0.5));
}

void mapUpdates() {
  constexpr int kSide = 1024;
  PlasticityMapView view;
  view.resize(700, 600);
  view.show();
  const auto mapOf = [](int i) {
    auto map = std::make_shared<MapData>();
    map->window = kSide * 8;
    map->cell = 8;
    map->columns = map->rows = kSide;
    map->count.assign(std::size_t{kSide} * kSide, 100);
    for (int at = 0; at < kSide * kSide; ++at) map->mean.push_back(0.5 + 0.5 * std::sin(at * 1e-3 + i));
    return std::shared_ptr<const MapData>(map);
  };
  const std::array<std::shared_ptr<const MapData>, 2> maps = {mapOf(0), mapOf(1)};
  const Milliseconds ours = frames(40, [&](int i) {
    view.setData(maps[i % 2]);
    view.findChild<QCustomPlot*>()->replot(QCustomPlot::rpImmediateRefresh);
  });
  line("map of 1,024 x 1,024 cells, new data drawn", ours, 12);

  QCustomPlot plain;
  plain.resize(700, 600);
  auto* colours = new QCPColorMap(plain.xAxis, plain.yAxis);
  colours->data()->setSize(kSide, kSide);
  colours->setGradient(QCPColorGradient::gpHot);
  colours->setDataRange({0, 1});
  plain.show();
  const Milliseconds theirs = frames(12, [&](int i) {
    const MapData& map = *maps[i % 2];
    for (int row = 0; row < kSide; ++row) {
      for (int column = 0; column < kSide; ++column)
        colours->data()->setCell(column, row, map.mean[map.index(column, row)]);
    }
    plain.replot(QCustomPlot::rpImmediateRefresh);
  });
  line("  QCustomPlot's colour map, cell by cell", theirs, 0);
  std::printf("  ratio %.1f\n", share(theirs, 0.5) / share(ours, 0.5));
}

// 131,072 tokens, a sixteenth of them captured, 20,000 different ones.
void textScroll() {
  constexpr int kTokens = 131072, kDifferent = 20000;
  std::mt19937 generator(2);
  std::vector<std::string> words, tokens;
  for (int i = 0; i < kDifferent; ++i) {
    std::string word = i % 3 == 0 ? "" : " ";
    for (int letters = 2 + static_cast<int>(generator() % 7); letters > 0; --letters)
      word += static_cast<char>('a' + generator() % 26);
    words.push_back(word);
  }
  for (int i = 0; i < kTokens; ++i)
    tokens.push_back(i % 97 == 96 ? ".\n\n" : words[generator() % words.size()]);
  const auto text = std::make_shared<const TextDocument>(makeTextDocument("long", tokens));
  auto head = std::make_shared<HeadText>();
  for (TokenRows* rows : {&head->query, &head->key}) {
    for (int i = 0; i < kTokens; i += 16) {
      rows->row.push_back(i / 16);
      rows->position.push_back(i);
      rows->a.push_back(std::sin(static_cast<float>(i) * 1e-3F));
    }
  }
  TextView view;
  view.resize(760, 900);
  view.QWidget::show();
  QElapsedTimer timer;
  timer.start();
  const auto widths = std::make_shared<const TokenWidths>(measureTokens(*text, view.font()));
  line("text of 131,072 tokens, measured by a worker", {since(timer)}, 0);
  timer.start();
  view.setPage({text, head, QueryOrKey::Query, TokenMeasure::A, widths});
  view.viewport()->repaint();
  line("  laid out and drawn", {since(timer)}, 50);
  line("  coloured by the other kind",
       frames(10,
              [&](int i) {
                view.setPage({text, head, i % 2 == 0 ? QueryOrKey::Key : QueryOrKey::Query, TokenMeasure::A});
                view.viewport()->repaint();
              }),
       50);
  line("  frame of scrolling",
       frames(300,
              [&](int i) {
                view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() * ((i * 7) % 300) /
                                                   300);
                view.viewport()->repaint();
              }),
       16);
  line("  another width",
       frames(10,
              [&](int i) {
                view.resize(700 + 20 * i, 900);
                view.viewport()->repaint();
              }),
       50);
}

void jobs(MainWindow& window, Session& session, const char* capture) {
  window.openPaths({capture});
  waitFor([&] { return window.currentPage() && window.settled(); });
  const auto study = window.currentPage()->model().study();
  if (!study->capture) return;
  JobRunner runner(session.workers, WorkLength::Long);
  bool done = false;
  LoopGaps gaps;
  runner.start(
      [study](Progress& progress) {
        AnalysisSettings settings;
        settings.pairs = 4096;
        return analyzeCapture(*study->capture, settings, 0, progress);
      },
      [&](JobResult<AnalysisFile>) { done = true; });
  for (int step = 0; !done; ++step) {
    window.currentPage()->selection().setHead(window.currentPage()->model().neighbour(1));
    for (int i = 0; i < 25 && !done; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
  }
  line("event loop gap while an analysis runs and heads are walked", gaps.gaps(), 50);
  std::printf("  longest %.1f ms\n", *std::max_element(gaps.gaps().begin(), gaps.gaps().end()));

  Milliseconds cancels;
  for (int i = 0; i < 10; ++i) {
    JobHandle handle(QStringLiteral("analysis"));
    bool ended = false;
    runner.start(
        [study](Progress& progress) {
          AnalysisSettings settings;
          settings.pairs = 0;
          return analyzeCapture(*study->capture, settings, 0, progress);
        },
        [&](JobResult<AnalysisFile>) { ended = true; }, &handle);
    QElapsedTimer pause;
    pause.start();
    while (pause.elapsed() < 150 + 37 * i) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    QElapsedTimer timer;
    timer.start();
    handle.cancel();
    while (!ended) QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
    cancels.push_back(since(timer));
  }
  line("cancel of an analysis over all pairs, until it has stopped", cancels, 100);
}

// Uninterrupted work of the window: building a tab, changing the colours of all widgets, reading the help.
void wholePages(MainWindow& window, const test::TemporaryFolder& folder) {
  constexpr int kTabs = 4;
  const Settled settled = [&] { return window.currentPage() != nullptr && window.settled(); };
  const auto trigger = [&](const char* action) {
    window.findChild<QAction*>(QLatin1String(action))->trigger();
  };
  steps("a capture opened in a tab", settled, kTabs, [&](int i) {
    const std::filesystem::path copy = folder / ("opened-" + std::to_string(i) + ".h5");
    std::filesystem::copy_file(exampleCapture(), copy);
    window.openPaths({copy});
    waitFor([&] { return window.currentPage() != nullptr && window.currentPage()->file() == copy; });
  });
  steps("another theme, with four tabs", settled, 4,
        [&](int i) { trigger(i % 2 == 0 ? "theme-dark" : "theme-light"); });
  auto* help = window.findChild<PanelDock*>(QStringLiteral("helpDock"));
  steps("the help shown", settled, 4, [&](int i) {
    if (i % 2 == 0)
      help->bringForward();
    else
      help->hide();
  });
  help->bringForward();
  steps("  with other views first", settled, 12,
        [&](int i) { window.findChild<HelpPanel*>()->showView(viewCatalogue()[i].id); });
  help->hide();
  auto* pages = window.findChild<QTabWidget*>(QStringLiteral("tabs"));
  while (window.currentPage() != nullptr) Q_EMIT pages->tabCloseRequested(0);
}

// Closes objects while some of their data may still be computed.
void closings(MainWindow& window, Session& session) {
  Milliseconds tabs, previews, waited, looks;
  auto* pages = window.findChild<QTabWidget*>(QStringLiteral("tabs"));
  for (int i = 0; i < 8; ++i) {
    window.openPaths({exampleCapture()});
    waitFor([&] { return window.currentPage() && window.settled(); });
    while (pages->count() > 1) Q_EMIT pages->tabCloseRequested(0);
    SessionState open;  // as by a timer: the file may be written at that moment
    open.tabs.push_back({exampleCapture(), ViewSelection()});
    session.state.saveSession(open);
    QElapsedTimer timer;
    timer.start();
    Q_EMIT pages->tabCloseRequested(0);
    tabs.push_back(since(timer));
    waitFor([&] { return window.settled(); });
  }
  line("the last tab closed, the welcome page built", tabs, 50);
  // `own`: threads that are destroyed with the dialog, which waits for them.
  const auto closed = [&](int i, std::unique_ptr<Workers> own) {
    ExportStart start;
    start.studies = {test::figureStudy(8000)};
    start.figure.figure = "quintiles";
    start.figure.scope.head = HeadName{4, 2};
    auto dialog = std::make_unique<ExportDialog>(start, own ? *own : session.workers);
    dialog->show();
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 30 + 20 * i) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    timer.start();
    dialog.reset();
    own.reset();
    return since(timer);
  };
  for (int i = 0; i < 8; ++i) {
    previews.push_back(closed(i, nullptr));
    waited.push_back(closed(i, std::make_unique<Workers>()));
  }
  line("the export dialog closed while its preview is computed", previews, 50);
  line("  and its threads waited for", waited, 0);
  for (int i = 0; i < 5; ++i) {
    QElapsedTimer timer;
    timer.start();
    for (const ReferenceModel& model : referenceModels()) captureLook(publishedInput(model.id));
    looks.push_back(since(timer));
  }
  line("looks of all published models", looks, 50);
  std::printf("  the first time %.1f ms\n", looks.front());
}

// A capture is a separate process: cancelling asks it to stop and to keep finished layers.
void captures(Session& session, const test::TemporaryFolder& folder, const char* model, const char* text) {
  LoopGaps gaps;
  Milliseconds answers, ends;
  for (int i = 0; i < 5; ++i) {
    CaptureRequest draft;
    draft.model = model;
    draft.corpus.files = {text};
    draft.plan.window = 2048;
    draft.out = folder / ("cancelled-" + std::to_string(i) + ".h5");
    session.captures.start(draft);
    const auto handle = [&session]() -> JobHandle* {
      return session.jobs.active().isEmpty() ? nullptr : session.jobs.active().front();
    };
    waitFor([&] { return handle() != nullptr && handle()->progress().done > 0; });
    QElapsedTimer timer;
    timer.start();
    if (handle() != nullptr) handle()->cancel();
    QCoreApplication::processEvents();
    answers.push_back(since(timer));
    waitFor([&] { return handle() == nullptr; });
    ends.push_back(since(timer));
  }
  line("event loop gap while a capture runs", gaps.gaps(), 50);
  std::printf("  longest %.1f ms\n", *std::max_element(gaps.gaps().begin(), gaps.gaps().end()));
  line("cancel of a capture, until the window shows it", answers, 100);
  line("cancel of a capture, until its process has ended", ends, 0);
}

}  // namespace

int main(int argc, char** argv) {
  QElapsedTimer start;
  start.start();
  if (!qEnvironmentVariableIsSet("DISPLAY")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  const test::TemporaryFolder folder;
  applyTheme(app, QStringLiteral("light"));
  Session session(folder / "settings");
  MainWindow window(session);
  std::printf("Qt %s, QCustomPlot %s, platform %s\n", qVersion(), QCUSTOMPLOT_VERSION_STR,
              qPrintable(QGuiApplication::platformName()));
  firstWindow(start, window);
  LockedRanges ranges;
  const std::vector<std::pair<QString, std::function<void()>>> parts{
      {"heads", [&] { headSwitches(session.workers, ranges, folder); }},
      {"many", [&] { manyHeads(session.workers, ranges, folder); }},
      {"compare", [&] { compareOfTwelve(session.workers, folder); }},
      {"rows", panning},
      {"map", mapUpdates},
      {"text", textScroll},
      {"pages", [&] { wholePages(window, folder); }},
      {"closing", [&] { closings(window, session); }},
  };
  QStringList files = app.arguments().mid(1), only;
  if (files.size() > 1 && files[0] == QStringLiteral("--only")) {
    only = files[1].split(QLatin1Char(','));
    files = files.mid(2);
  }
  for (const auto& [name, measure] : parts) {
    if (only.isEmpty() || only.contains(name)) measure();
  }
  if (!files.isEmpty()) jobs(window, session, qPrintable(files[0]));
  if (files.size() > 2) captures(session, folder, qPrintable(files[1]), qPrintable(files[2]));
  return 0;
}
